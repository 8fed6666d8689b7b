// SPDX-License-Identifier: Apache-2.0
//! The simulated API server, behind a `kube::Client` for each replica.

use std::collections::BTreeMap;
use std::future::pending;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Method, Request, Response};
use futures_util::stream;
use http_body_util::BodyExt as _;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;
use kube::Client;
use serde_json::Value;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};
use tower::{BoxError, service_fn};

use super::calls::{Call, Delivery, Reply, Target};
use super::faults::{Faults, Outage};
use super::random::Random;
use super::record::{Answer, LONGEST_REQUEST, Record};
use super::store::Store;
use super::trace::Trace;
use super::watches::{Watch, added};
use super::{lookups, writes};
use garden_gate_model::api::Kind;

/// The simulated time at which every run starts.
const START: &str = "2026-03-01T00:00:00Z";
/// The time after which the API server ends a watch if it ends them.
const WATCH: Duration = Duration::from_mins(1);

#[derive(Clone)]
pub(super) struct ApiServer(Arc<Mutex<Inner>>);

pub(super) struct Inner {
    seed: u64,
    start: Instant,
    pub(super) store: Store,
    pub(super) faults: Faults,
    pub(super) trace: Trace,
    /// The users with their custom verbs.
    pub(super) verbs: BTreeMap<String, Vec<String>>,
    records: BTreeMap<u32, Record>,
    /// The number of equal requests so far, so that each has its own random numbers.
    requests: BTreeMap<u64, u64>,
    /// Wakes watches in the order in which they wait, unlike a channel of tokio.
    changes: Arc<Notify>,
}

type Answered = Result<Response<Body>, BoxError>;

impl ApiServer {
    pub(super) fn new(seed: u64) -> Self {
        let start = Instant::now();
        Self(Arc::new(Mutex::new(Inner {
            seed,
            start,
            store: Store::new(),
            faults: Faults::none(),
            trace: Trace::new(start),
            verbs: BTreeMap::new(),
            records: BTreeMap::new(),
            requests: BTreeMap::new(),
            changes: Arc::default(),
        })))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap()
    }

    /// Returns a client for a replica, whose answers are recorded from now on.
    pub(super) fn client(&self, replica: u32, grace_period: Duration) -> Client {
        let record = Record::new(grace_period);
        self.lock().records.insert(replica, record);
        let server = self.clone();
        let service = service_fn(move |request| server.clone().answer(replica, request));
        Client::new(service, "default")
    }

    /// Wakes all watches after a change of objects or faults.
    pub(super) fn changed(&self) {
        self.lock().changes.notify_waiters();
    }

    async fn answer(self, replica: u32, request: Request<kube::client::Body>) -> Answered {
        let (head, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let target = Target::of(&head.uri, &head.headers);
        let call = Call {
            replica,
            question: lookups::question(&head.uri, target.as_ref(), &body),
            method: head.method,
            uri: head.uri,
            target,
            body,
        };
        let mut random = self.lock().begin(&call);
        let latency = usize::try_from(self.lock().faults.latency)?;
        let mut delay = || Duration::from_millis(random.below(latency + 1) as u64 / 2);
        let (first, second) = (delay(), delay());
        sleep(first).await;
        if let Some(failed) = self.fail(&call, &mut random).await {
            return failed;
        }
        if let Some(target) = call.target.as_ref().filter(|it| it.is_watch()) {
            sleep(second).await;
            return self.watch(replica, target, random);
        }
        let reply = self.lock().process(&call);
        sleep(second).await;
        Ok(self.respond(replica, reply, &mut random))
    }

    /// Fails a request because of an outage or a random error.
    async fn fail(&self, call: &Call, random: &mut Random) -> Option<Answered> {
        let (errors, outage) = {
            let faults = &self.lock().faults;
            (faults.errors, faults.outage().map(|(outage, _)| outage))
        };
        let is_error = random.below(1_000) < errors;
        let code = match (outage, random.below(5)) {
            (None, _) if !is_error => return None,
            (Some(Outage::Refused), _) | (None, 0) => None,
            (Some(Outage::Silent), _) | (None, 1) => {
                self.lock().fail(call, true);
                return pending().await;
            }
            (None, 2) => Some(429),
            (None, 3) => Some(500),
            _ => Some(503),
        };
        let Some(code) = code else {
            self.lock().fail(call, false);
            let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
            return Some(Err(refused.into()));
        };
        let reply = Reply::failure(code, "overloaded", "").refusing(call);
        Some(Ok(self.respond(call.replica, reply, random)))
    }

    /// Starts a watch, or refuses it.
    fn watch(&self, replica: u32, target: &Target, mut random: Random) -> Answered {
        let mut inner = self.lock();
        let (kind, now) = (target.kind, Instant::now());
        let revision = target.query.get("resourceVersion");
        let revision: u64 = revision.and_then(|it| it.parse().ok()).unwrap_or_default();
        let name =
            target.query.get("fieldSelector").and_then(|it| it.strip_prefix("metadata.name="));
        let refusal = match inner.faults.refusal(kind) {
            Some(code) => Some((code, Delivery::Refusal(kind, code))),
            None if revision == 0 => None,
            None if revision < inner.store.compacted() => Some((410, Delivery::Nothing)),
            None => None,
        };
        if let Some((code, delivery)) = refusal {
            drop(inner);
            let reply = Reply::failure(code, "refused", "").with(delivery);
            return Ok(self.respond(replica, reply, &mut random));
        }
        let lag = usize::try_from(inner.faults.lag)?;
        let lag = Duration::from_millis(random.below(lag + 1) as u64);
        inner.record(replica).heard(kind, None);
        let end = inner.faults.ends_watches.then(|| now + WATCH);
        let watch = Watch {
            server: self.clone(),
            replica,
            kind,
            name: name.map(str::to_owned),
            first: (revision == 0).then(|| inner.initial(target, name)).filter(|it| !it.is_empty()),
            revision: match revision {
                0 => inner.store.revision(),
                revision => revision,
            },
            lag,
            end,
            bookmark: now + Duration::from_millis(random.below(31_000) as u64),
            breaks: inner.faults.breaks,
            random,
            changes: Arc::clone(&inner.changes),
            is_over: false,
        };
        let response = Response::builder().header("date", inner.date());
        Ok(response.body(watch.body())?)
    }

    /// Sends a response in one or several chunks, and records its delivery with the last of them.
    fn respond(&self, replica: u32, reply: Reply, random: &mut Random) -> Response<Body> {
        let Reply { code, body, delivery } = reply;
        let date = {
            let mut inner = self.lock();
            inner.trace.add(&format!("r{replica} gets {code}"));
            inner.date()
        };
        let latency = usize::try_from(self.lock().faults.latency).unwrap();
        let count = if latency > 100 { random.below(3) + 1 } else { 1 };
        let size = body.len().div_ceil(count).max(1);
        let chunks: Vec<Bytes> = body.as_bytes().chunks(size).map(Bytes::copy_from_slice).collect();
        let pause = Duration::from_millis(random.below(latency + 1) as u64);
        let state = (self.clone(), chunks.into_iter(), Some(delivery));
        let chunks = stream::unfold(state, move |(server, mut chunks, mut delivery)| async move {
            let chunk = chunks.next()?;
            match chunks.len() {
                0 => server.lock().deliver(replica, delivery.take()),
                _ => sleep(pause).await,
            }
            Some((Ok::<_, io::Error>(chunk), (server, chunks, delivery)))
        });
        let response = Response::builder().status(code).header("date", date);
        response.body(Body::from_stream(chunks)).unwrap()
    }
}

/// Returns the simulated time of a run that started at `start`.
pub(super) fn time_since(start: Instant) -> Timestamp {
    let first: Timestamp = START.parse().unwrap();
    first + start.elapsed()
}

impl Inner {
    /// Returns the time of the API server's clock.
    pub(super) fn now(&self) -> Timestamp {
        time_since(self.start)
    }

    /// Returns the `Date` header of a response.
    fn date(&self) -> String {
        let date = DateTimePrinter::new().timestamp_to_rfc9110_string(&self.now());
        date.unwrap()
    }

    /// Returns the events with which a watch without a revision begins.
    fn initial(&self, target: &Target, name: Option<&str>) -> String {
        let all = self.store.list(target.kind, &target.namespace, u64::MAX);
        let named = all.filter(|(key, _)| name.is_none_or(|name| key.name == name));
        named.map(|(_, version)| added(&version.json)).collect()
    }

    /// Returns the moment at which the run started.
    pub(super) fn start(&self) -> Instant {
        self.start
    }

    pub(super) fn record(&mut self, replica: u32) -> &mut Record {
        self.records.get_mut(&replica).unwrap()
    }

    pub(super) fn recorded(&self, replica: u32) -> &Record {
        &self.records[&replica]
    }

    /// Starts a request. Its random numbers depend on earlier equal requests only, not on the order of different ones.
    fn begin(&mut self, call: &Call) -> Random {
        let Call { replica, method, uri, .. } = call;
        self.trace.add(&format!("r{replica} {method} {uri}"));
        let mut hasher = DefaultHasher::new();
        (self.seed, replica, method.as_str(), uri.to_string()).hash(&mut hasher);
        let hash = hasher.finish();
        let count = self.requests.entry(hash).or_default();
        *count += 1;
        Random::of_case(hash.wrapping_add(*count))
    }

    /// Records that a request fails, now or by a timeout.
    fn fail(&mut self, call: &Call, is_silent: bool) {
        let how = if is_silent { "is not answered" } else { "fails" };
        self.trace.add(&format!("r{} {how}: {}", call.replica, call.uri));
        let Some(question) = call.question.clone() else {
            return;
        };
        let record = self.record(call.replica);
        if is_silent {
            record.unanswered(question);
        } else {
            record.answered(question, Answer::Failure);
        }
    }

    /// Forgets which requests were sent, so that a long run does not need more and more memory.
    pub(super) fn forget_requests(&mut self) {
        self.requests.clear();
        let recent = Instant::now() - LONGEST_REQUEST;
        for record in self.records.values_mut() {
            record.forget(recent);
        }
    }

    fn process(&mut self, call: &Call) -> Reply {
        let Some(target) = &call.target else {
            return lookups::review(self, call.question.clone(), call.body.clone());
        };
        if let Some(reply) = writes::process(self, &call.method, target, &call.body) {
            if call.method != Method::GET {
                self.changes.notify_waiters();
            }
            return reply;
        }
        if let Some(code) = self.faults.refusal(target.kind) {
            let reply = Reply::failure(code, "refused", "");
            return match call.question {
                Some(_) => reply.refusing(call),
                None => reply.with(Delivery::Refusal(target.kind, code)),
            };
        }
        match &target.name {
            Some(name) => lookups::get(self, target, name, call.question.clone()),
            None => lookups::list(self, target, call.question.clone()),
        }
    }

    fn deliver(&mut self, replica: u32, delivery: Option<Delivery>) {
        match delivery {
            Some(Delivery::List(kind, revision)) => {
                self.record(replica).listed(kind, revision);
                let line = format!("r{replica} list of {kind} delivers {revision}");
                self.trace.add(&line);
            }
            Some(Delivery::Lookup(question, answer)) => {
                self.record(replica).answered(question, answer);
            }
            Some(Delivery::Refusal(kind, code)) => self.record(replica).refused(kind, code),
            Some(Delivery::Nothing) | None => {}
        }
    }
}

impl Faults {
    /// Returns the status code with which all requests for a kind are refused.
    fn refusal(&self, kind: Kind) -> Option<u16> {
        match () {
            () if self.denied.contains(&kind) => Some(403),
            () if self.unserved.contains(&kind) => Some(404),
            () => None,
        }
    }
}
