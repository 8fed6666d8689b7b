// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::interval;

use crate::target::{FRIEND, JSON, Target};

/// Interval between two reviews; every other one uses a new connection.
const PACE: Duration = Duration::from_millis(50);
/// Number of reviews between two rounds of health checks.
const CHECKS: usize = 4;
/// Time limit of a client.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A kind of request.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum What {
    ReviewOverKept,
    ReviewOverNew,
    /// Liveness probe of a kubelet, on the metrics port.
    Health,
    HealthOnMain,
}

/// A request with its result.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) what: What,
    pub(crate) asked: Instant,
    pub(crate) took: Duration,
    /// The error in the response.
    pub(crate) wrong: Option<String>,
}

/// Sends requests at a constant rate, in a separate thread, without waiting for responses.
pub(crate) struct Ordinary {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Vec<Sample>>,
}

impl Ordinary {
    pub(crate) fn start(target: &Target) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, target) = (Arc::clone(&stop), target.clone());
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = { runtime }.enable_all().build().unwrap();
            runtime.block_on(ask(&target, &stopped))
        });
        Self { stop, thread }
    }

    /// Waits for the last responses.
    pub(crate) fn stop(self) -> Vec<Sample> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}

/// Typical clients, and their requests.
struct Asking {
    kept: Client,
    new: Client,
    review: Value,
    target: Target,
}

async fn ask(target: &Target, stop: &AtomicBool) -> Vec<Sample> {
    let client = || target.client(FRIEND).timeout(TIMEOUT);
    let asking = Arc::new(Asking {
        kept: client().build().unwrap(),
        new: client().pool_max_idle_per_host(0).build().unwrap(),
        review: update(),
        target: target.clone(),
    });
    let samples = Arc::new(Mutex::new(Vec::new()));
    let mut running = JoinSet::new();
    let mut ticks = interval(PACE);
    for turn in 0.. {
        ticks.tick().await;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        for what in due(turn) {
            let (asking, samples) = (Arc::clone(&asking), Arc::clone(&samples));
            running.spawn(async move {
                let sample = asking.one(what, turn).await;
                samples.lock().unwrap().push(sample);
            });
        }
    }
    running.join_all().await;
    let samples = samples.lock().unwrap();
    samples.clone()
}

fn due(turn: usize) -> Vec<What> {
    let review = match turn % 2 {
        0 => What::ReviewOverKept,
        _ => What::ReviewOverNew,
    };
    match turn % CHECKS {
        0 => vec![review, What::Health, What::HealthOnMain],
        _ => vec![review],
    }
}

impl Asking {
    async fn one(&self, what: What, turn: usize) -> Sample {
        let asked = Instant::now();
        let answer = match what {
            What::ReviewOverKept => self.review(&self.kept, turn).await,
            What::ReviewOverNew => self.review(&self.new, turn).await,
            What::Health => {
                let url = format!("http://{}/healthz", self.target.metrics);
                self.health(&url).await
            }
            What::HealthOnMain => self.health(&self.target.url("/healthz")).await,
        };
        Sample { what, asked, took: asked.elapsed(), wrong: answer.err() }
    }

    async fn review(&self, client: &Client, turn: usize) -> Result<(), String> {
        let mut review = self.review.clone();
        review["request"]["uid"] = json!(format!("ordinary-{turn}"));
        let request = client
            .post(self.target.url("/validate?timeout=5s"))
            .header("content-type", JSON)
            .body(review.to_string());
        let response = request.send().await.map_err(|error| format!("{error:?}"))?;
        let answer: Value = response.json().await.map_err(|error| format!("{error:?}"))?;
        let told = &answer["response"];
        if told["allowed"] == true && told["uid"] == review["request"]["uid"] {
            Ok(())
        } else {
            Err(answer.to_string())
        }
    }

    async fn health(&self, url: &str) -> Result<(), String> {
        let response = self.new.get(url).send().await.map_err(|error| format!("{error:?}"))?;
        match response.status().as_u16() {
            200 => Ok(()),
            status => Err(format!("status {status}")),
        }
    }
}

/// Returns a recorded UPDATE of a Shoot, 16 KB.
pub(crate) fn update() -> Value {
    let recorded = fs::read_to_string("tests/requests/004-validate-update-shoots.json").unwrap();
    serde_json::from_str::<Value>(&recorded).unwrap()["review"].take()
}
