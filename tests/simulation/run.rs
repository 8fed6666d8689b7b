// SPDX-License-Identifier: Apache-2.0
//! One run: replicas, the API server, and the actions of a plan, in simulated time.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tower::ServiceExt as _;

use super::api_server::ApiServer;
use super::faults::Faults;
use super::oracle::{self, Answered};
use super::plan::{self, Action};
use super::random::Random;
use super::recovery::{self, RECOVERY};
use super::replica::Replica;
use super::results::{Failure, Summary};
use super::reviews::Review;
use super::{settings, world};

/// The time in which replicas of a healthy API server become ready.
const START: Duration = Duration::from_secs(2);
/// The number of reviews of each replica after the recovery.
const PROBES: usize = 3;
/// The largest delay of an answer that is not an error of the program.
const TOLERANCE: Duration = Duration::from_millis(10);

struct Simulation {
    server: ApiServer,
    random: Random,
    replicas: Vec<Replica>,
    starts: u32,
    grace_period: Duration,
    settings: usize,
    reviews: u64,
    pending: JoinSet<Answered>,
    summary: Summary,
}

/// Runs a seed.
///
/// # Errors
/// Returns the first violation of an invariant.
pub(super) fn run(seed: u64) -> Result<Summary, Box<Failure>> {
    in_simulated_time("one", seed, async |server| {
        let mut simulation = Simulation::new(server, seed);
        simulation.run().await.map(|()| simulation.summary)
    })
}

/// Runs `run` with an API server in simulated time, which passes while all tasks wait.
///
/// # Errors
/// Returns its error with the seed and the trace.
pub(super) fn in_simulated_time(
    test: &'static str,
    seed: u64,
    run: impl AsyncFnOnce(ApiServer) -> Result<Summary, String>,
) -> Result<Summary, Box<Failure>> {
    // The retries of the program have jitter.
    fastrand::seed(seed);
    runtime().block_on(async {
        let server = ApiServer::new(seed);
        let result = run(server.clone()).await;
        let trace = &server.lock().trace;
        match result {
            Ok(summary) => Ok(Summary { hash: trace.hash(), trace: trace.last(), ..summary }),
            Err(violation) => Err(Box::new(Failure { test, seed, violation, trace: trace.last() })),
        }
    })
}

/// Creates a runtime in simulated time.
pub(super) fn runtime() -> Runtime {
    let mut builder = Builder::new_current_thread();
    builder.enable_time().start_paused(true).build().unwrap()
}

/// Sends a review, and returns the status code and the body of the response.
pub(super) async fn send(router: Router, path: &str, body: String) -> (u16, String) {
    let request = Request::post(path)
        .header("content-type", "application/json")
        .body(Body::from(body))
        .unwrap();
    let response = router.oneshot(request).await.unwrap();
    let code = response.status().as_u16();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (code, String::from_utf8(body.to_vec()).unwrap())
}

impl Simulation {
    fn new(server: ApiServer, seed: u64) -> Self {
        let mut random = Random::of_case(seed);
        for index in 0..world::INITIAL {
            let key = world::key(index);
            let object = world::object(&key, random.below(2));
            server.lock().store.put(key, object);
        }
        for user in &world::USERS[..2] {
            let verbs = vec![world::VERBS[0].to_owned()];
            server.lock().verbs.insert((*user).to_owned(), verbs);
        }
        let grace_period = Duration::from_secs(*random.pick(&[20, 600]));
        let mut simulation = Self {
            server,
            replicas: Vec::new(),
            starts: 0,
            grace_period,
            settings: random.below(settings::COUNT),
            reviews: 0,
            pending: JoinSet::new(),
            summary: Summary::default(),
            random,
        };
        for _ in 0..*simulation.random.pick(&[1, 1, 2, 3]) {
            let replica = simulation.start();
            simulation.replicas.push(replica);
        }
        simulation
    }

    fn start(&mut self) -> Replica {
        self.starts += 1;
        Replica::start(&self.server, self.starts, self.grace_period, self.settings)
    }

    async fn run(&mut self) -> Result<(), String> {
        // Most runs begin with replicas that are ready.
        let faults = Faults::of_run(&mut self.random);
        if self.random.below(5) > 0 {
            sleep(START).await;
        }
        self.server.lock().faults = faults;
        for (wait, action) in plan::plan(&mut self.random) {
            sleep(wait).await;
            self.perform(action);
            self.check_answers()?;
        }
        self.wait_for_answers().await?;
        recovery::end_faults(&self.server, &self.replicas);
        sleep(RECOVERY).await;
        recovery::check(&self.server, &self.replicas)?;
        for index in 0..self.replicas.len() {
            for _ in 0..PROBES {
                let review = plan::review(&mut self.random);
                self.review(index, review);
                self.wait_for_answers().await?;
            }
        }
        recovery::check_idle(&self.replicas)
    }

    fn perform(&mut self, action: Action) {
        let text = format!("{action:?}");
        self.server.lock().trace.add(&text);
        match action {
            Action::Put(index, variant) => {
                let key = world::key(index);
                let object = world::object(&key, variant);
                self.server.lock().store.put(key, object);
            }
            Action::Delete(index) => {
                self.server.lock().store.delete(&world::key(index));
            }
            Action::Review(replica, review) => self.review(replica, review),
            Action::Outage(outage, duration) => {
                self.server.lock().faults.start_outage(outage, duration);
            }
            Action::BreakWatches => self.server.lock().faults.breaks += 1,
            Action::Compact => self.server.lock().store.compact(),
            Action::Restart(index) => {
                let index = index % self.replicas.len();
                self.replicas[index] = self.start();
            }
            Action::ToggleRight(kind) => {
                let denied = &mut self.server.lock().faults.denied;
                if !denied.remove(&kind) {
                    denied.insert(kind);
                }
            }
            Action::ToggleServed(kind) => {
                let unserved = &mut self.server.lock().faults.unserved;
                if !unserved.remove(&kind) {
                    unserved.insert(kind);
                }
            }
            Action::ToggleReviews => {
                let denies = &mut self.server.lock().faults.denies_reviews;
                *denies = !*denies;
            }
            Action::ToggleVerb(user, verb) => {
                let mut inner = self.server.lock();
                let verbs = inner.verbs.entry(user.to_owned()).or_default();
                match verbs.iter().position(|it| it == verb) {
                    Some(index) => drop(verbs.remove(index)),
                    None => verbs.push(verb.to_owned()),
                }
            }
            Action::Clock(index, seconds) => {
                let index = index % self.replicas.len();
                self.replicas[index].set_offset(seconds);
            }
            Action::Reload(number) => {
                self.settings = number;
                for replica in &self.replicas {
                    replica.reload(number);
                }
            }
        }
        self.server.changed();
    }

    /// Sends a review to the replica at an index.
    fn review(&mut self, index: usize, review: Review) {
        let replica = &self.replicas[index % self.replicas.len()];
        self.reviews += 1;
        let (number, body) = (self.reviews, review.body(self.reviews));
        let (router, replica_number) = (replica.router.clone(), replica.number);
        let (settings, clock) = (Arc::clone(&replica.settings), replica.state.clock.clone());
        let server = self.server.clone();
        self.pending.spawn(async move {
            let (settings, now, start) = (settings.load_full(), clock.now(), Instant::now());
            let (code, answer) = send(router, &review.path(), body.clone()).await;
            let line = format!("r{replica_number} answers {number} with {code}: {answer}");
            server.lock().trace.add(&line);
            Answered {
                number,
                replica: replica_number,
                review,
                body,
                settings,
                now,
                start,
                end: Instant::now(),
                code,
                answer: serde_json::from_str(&answer).unwrap_or_default(),
            }
        });
    }

    /// Checks the answers so far, and that no task has ended.
    fn check_answers(&mut self) -> Result<(), String> {
        while let Some(answered) = self.pending.try_join_next() {
            self.check(&answered.unwrap())?;
        }
        for replica in &mut self.replicas {
            replica.check_clock()?;
            if let Some(ended) = replica.tasks.try_join_next() {
                return Err(format!("a task of r{} ended: {ended:?}", replica.number));
            }
        }
        Ok(())
    }

    async fn wait_for_answers(&mut self) -> Result<(), String> {
        while let Some(answered) = self.pending.join_next().await {
            self.check(&answered.unwrap())?;
        }
        self.check_answers()
    }

    fn check(&mut self, answered: &Answered) -> Result<(), String> {
        let Answered { number, review, code, answer, .. } = answered;
        let described = |why: String| format!("review {number} ({review:?}): {why}");
        let took = answered.end - answered.start;
        if took > review.allowance() + TOLERANCE {
            return Err(described(format!("the answer took {took:?}")));
        }
        let message = answer["message"].as_str().unwrap_or_default();
        match code {
            200 => {}
            503 if message.starts_with("not ready: ") => {
                self.summary.not_ready += 1;
                return Ok(());
            }
            _ => return Err(described(format!("status {code}: {answer}"))),
        }
        let is_found = oracle::check(&self.server.lock(), answered).map_err(described)?;
        self.summary.unchecked += u64::from(!is_found);
        match answer["response"]["auditAnnotations"]["decision"].as_str() {
            Some("undetermined") => self.summary.undetermined += 1,
            Some("denied") => self.summary.denied += 1,
            _ => self.summary.allowed += 1,
        }
        Ok(())
    }
}
