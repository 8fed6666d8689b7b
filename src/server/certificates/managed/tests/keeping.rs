// SPDX-License-Identifier: Apache-2.0
//! A keeper with a fake API server.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::stream;
use jiff::{SignedDuration, Timestamp};
use kube::Client;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{JoinSet, yield_now};
use tokio::time::{Instant, sleep};

use super::names;
use crate::garden::live::LiveClient;
use crate::server::ManagedOptions;
use crate::server::certificates::managed::keeper::{Keeper, KeeperError};
use crate::server::clock::Clock;
use crate::server::metrics::KeeperNumbers;

/// An API server with one Secret and two webhook configurations.
#[derive(Clone, Default)]
struct Fake(Arc<Mutex<Script>>);

#[derive(Default)]
struct Script {
    secret: Option<Value>,
    bundle: Option<String>,
    version: u64,
    writes: usize,
    writes_of_bundles: usize,
    /// The offset of its clock relative to the local one.
    ahead: SignedDuration,
    hangs: bool,
    has_no_namespace: bool,
    may_not_create: bool,
    /// Whether the Secret is deleted just before the next PUT.
    is_deleted_first: bool,
    /// The number of requests that are no watches.
    requests: usize,
    /// The watches by path.
    watches: BTreeMap<String, UnboundedSender<String>>,
    /// The number of times that another client will change the bundle back after each write.
    reverts: usize,
}

/// The paths that are watched.
const SECRETS: &str = "/api/v1/namespaces/garden/secrets";
const CONFIGURATIONS: [&str; 2] = [
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
];

impl Fake {
    fn script(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap()
    }

    fn keeper(&self) -> Keeper {
        let fake = self.clone();
        let router = Router::new().fallback(move |request| fake.clone().answer(request));
        let client = LiveClient::fixed(Client::new(router, "default"));
        let clock = Clock::default();
        let own = clock.clone();
        client.observe_dates(move |date, latency| own.compare(date, latency));
        let options = ManagedOptions {
            namespace: "garden".to_owned(),
            secret: "tls".to_owned(),
            service: "gate".to_owned(),
            names: Vec::new(),
            webhook_configuration: Some("garden-gate".to_owned()),
            lifetime: SignedDuration::from_hours(90 * 24),
        };
        let numbers = KeeperNumbers::default();
        Keeper::new(Arc::new(client), options, numbers, clock)
    }

    async fn answer(self, request: Request<Body>) -> Response<Body> {
        let (head, body) = request.into_parts();
        if self.script().hangs {
            return pending().await;
        }
        let body = to_bytes(body, 1 << 20).await.unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let mut script = self.script();
        if head.uri.query().is_some_and(|it| it.contains("watch=")) {
            return script.watch(head.uri.path());
        }
        script.requests += 1;
        let answer = if head.uri.path().starts_with(SECRETS) {
            script.secret(&head.method, body)
        } else {
            Ok(script.webhooks(&head.method, &body))
        };
        let (code, body) = answer.map_or_else(|code| (code, json!({})), |body| (200, body));
        let date = Timestamp::now() + script.ahead;
        let date =
            jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&date).unwrap();
        Response::builder().status(code).header("date", date).body(body.to_string().into()).unwrap()
    }

    fn data(&self) -> BTreeMap<String, String> {
        let script = self.script();
        let data = script.secret.as_ref().unwrap()["data"].as_object().unwrap();
        data.iter().map(|(key, value)| (key.clone(), decoded(value))).collect()
    }

    fn damage(&self, key: &str, text: &str) {
        let mut script = self.script();
        script.secret.as_mut().unwrap()["data"][key] = json!(BASE64_STANDARD.encode(text));
    }
}

fn decoded(value: &Value) -> String {
    let bytes = BASE64_STANDARD.decode(value.as_str().unwrap()).unwrap();
    String::from_utf8(bytes).unwrap()
}

impl Script {
    fn secret(&mut self, method: &Method, mut body: Value) -> Result<Value, u16> {
        if *method == Method::GET {
            return self.secret.clone().ok_or(404);
        }
        if self.has_no_namespace {
            return Err(404);
        }
        if *method == Method::POST && self.may_not_create {
            return Err(403);
        }
        if *method == Method::PUT && std::mem::take(&mut self.is_deleted_first) {
            self.secret = None;
        }
        if *method == Method::PUT && self.secret.is_none() {
            return Err(404);
        }
        self.writes += 1;
        self.version += 1;
        body["metadata"]["resourceVersion"] = json!(self.version.to_string());
        self.secret = Some(body.clone());
        self.send(SECRETS, "MODIFIED", &body);
        Ok(body)
    }

    fn webhooks(&mut self, method: &Method, body: &Value) -> Value {
        if *method == Method::PATCH {
            self.bundle = Some(decoded(&body[1]["value"]));
            self.writes_of_bundles += 1;
            self.configurations_changed();
            if self.reverts > 0 {
                self.reverts -= 1;
                self.bundle = Some("foreign".to_owned());
                self.configurations_changed();
            }
        }
        self.configuration()
    }

    fn configuration(&self) -> Value {
        let bundle = self.bundle.as_ref().map(|it| BASE64_STANDARD.encode(it));
        let webhooks = json!([{"clientConfig": {"caBundle": bundle}}]);
        json!({"metadata": {"resourceVersion": "1"}, "webhooks": webhooks})
    }

    /// Starts a watch with the current object.
    fn watch(&mut self, path: &str) -> Response<Body> {
        let (sender, receiver) = unbounded_channel();
        self.watches.insert(path.to_owned(), sender);
        let object = if path == SECRETS { self.secret.clone() } else { Some(self.configuration()) };
        if let Some(object) = object {
            self.send(path, "ADDED", &object);
        }
        let lines = stream::unfold(receiver, |mut receiver: UnboundedReceiver<String>| async {
            let line = receiver.recv().await?;
            Some((Ok::<_, std::io::Error>(line), receiver))
        });
        Response::new(Body::from_stream(lines))
    }

    fn configurations_changed(&self) {
        for path in CONFIGURATIONS {
            self.send(path, "MODIFIED", &self.configuration());
        }
    }

    fn send(&self, path: &str, change: &str, object: &Value) {
        if let Some(watch) = self.watches.get(path) {
            let event = json!({"type": change, "object": object});
            let _ = watch.send(format!("{event}\n"));
        }
    }
}

async fn started(fake: &Fake) -> Keeper {
    let keeper = fake.keeper();
    keeper.obtain(|why| panic!("{why}")).await.unwrap();
    keeper
}

/// Starts a replica while another one runs.
async fn started_beside(running: &Keeper, fake: &Fake) -> Keeper {
    let new = fake.keeper();
    tokio::select! {
        obtained = new.obtain(|_| {}) => obtained.unwrap(),
        () = running.keep() => unreachable!(),
    }
    new
}

/// Returns the certificate in use.
fn served(keeper: &Keeper) -> Vec<u8> {
    keeper.identity().unwrap().unwrap().chain[0].to_vec()
}

#[tokio::test]
async fn replicas_share_what_the_first_one_makes() {
    let fake = Fake::default();
    let (first, second) = (started(&fake).await, started(&fake).await);
    assert_eq!(served(&first), served(&second));
    assert_eq!(fake.script().writes, 1);
    let bundle = fake.script().bundle.clone();
    assert_eq!(bundle.as_ref(), Some(&fake.data()["ca.crt"]));
    assert_eq!(names(), ["gate.garden.svc"]);
}

#[tokio::test(start_paused = true)]
async fn a_damaged_pair_is_replaced_by_running_and_by_new_replicas() {
    for (key, text) in [("tls.key", ""), ("tls.key", "x"), ("tls.crt", "x"), ("ca.crt", "x")] {
        for starts in [false, true] {
            let fake = Fake::default();
            let running = started(&fake).await;
            let before = (served(&running), fake.data(), running.fingerprint());
            fake.damage(key, text);
            if starts {
                let new = fake.keeper();
                new.obtain(|_| {}).await.unwrap();
                assert_ne!(served(&new), before.0, "{key}");
            }
            running.look_after().await.unwrap();
            assert!(running.fingerprint() != before.2 || (key == "ca.crt" && !starts));
            assert_eq!(started(&fake).await.fingerprint(), running.fingerprint());
            if key == "ca.crt" && !starts {
                assert_eq!(fake.data(), before.1, "nothing was left, so it got back what it had");
            } else if key != "ca.crt" {
                assert_eq!(fake.data()["ca.crt"], before.1["ca.crt"]);
            }
        }
    }
}

#[tokio::test]
async fn a_secret_that_is_deleted_comes_back_as_it_was() {
    let fake = Fake::default();
    let running = started(&fake).await;
    let (pair, data, bundle) = (served(&running), fake.data(), fake.script().bundle.clone());
    fake.script().secret = None;
    running.look_after().await.unwrap();
    assert_eq!(fake.data(), data);
    assert_eq!(fake.script().bundle, bundle);
    assert_eq!(served(&running), pair);
}

#[tokio::test(start_paused = true)]
async fn starting_replica_lets_a_running_one_restore_the_secret() {
    let fake = Fake::default();
    let running = started(&fake).await;
    let (data, bundle) = (fake.data(), fake.script().bundle.clone());
    fake.script().secret = None;
    let new = started_beside(&running, &fake).await;
    assert_eq!(fake.data(), data);
    assert_eq!(fake.script().bundle, bundle);
    assert_eq!(served(&new), served(&running));
}

#[tokio::test(start_paused = true)]
async fn starting_replica_without_another_one_creates_a_certificate_soon() {
    let fake = Fake::default();
    started(&fake).await;
    let data = fake.data();
    fake.script().secret = None;
    let (new, begun) = (fake.keeper(), Instant::now());
    let messages = Mutex::new(Vec::new());
    let waiting = |why: &str| messages.lock().unwrap().push(why.to_owned());
    new.obtain(waiting).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert_ne!(fake.data()["ca.crt"], data["ca.crt"]);
    let expected = "Secret `tls` has no usable CA, but webhook configurations have a CA bundle: waiting 20s for a running replica to restore it";
    assert_eq!(messages.lock().unwrap()[0], expected);
}

#[tokio::test]
async fn damaged_authority_is_restored_beside_the_next_one() {
    let fake = Fake::default();
    let running = started(&fake).await;
    let data = fake.data();
    fake.damage("ca.key", "");
    running.look_after().await.unwrap();
    let next = fake.data()["next-ca.crt"].clone();
    fake.damage("ca.crt", "x");
    running.look_after().await.unwrap();
    assert_eq!(fake.data()["ca.crt"], data["ca.crt"]);
    assert_eq!(fake.data()["next-ca.crt"], next);
    let bundle = fake.script().bundle.clone().unwrap();
    assert!(bundle.contains(&data["ca.crt"]) && bundle.contains(&next));
}

#[tokio::test(start_paused = true)]
async fn secret_deleted_before_its_update_is_created() {
    let fake = Fake::default();
    let running = started(&fake).await;
    fake.damage("tls.key", "x");
    fake.script().is_deleted_first = true;
    started_beside(&running, &fake).await;
    assert_eq!(fake.script().writes, 2);
}

#[tokio::test]
async fn a_deleted_secret_that_may_not_be_made_is_filled_once_somebody_makes_it() {
    let fake = Fake::default();
    let running = started(&fake).await;
    let (data, bundle) = (fake.data(), fake.script().bundle.take());
    fake.script().secret = None;
    fake.script().may_not_create = true;
    let why = running.look_after().await.unwrap_err().to_string();
    assert!(why.contains("create an empty Secret `tls`"), "{why}");
    assert_eq!(fake.script().bundle, bundle);
    let labels = json!({"app.kubernetes.io/managed-by": "garden-gate"});
    let empty = json!({"metadata": {"labels": labels, "resourceVersion": "7"}});
    fake.script().secret = Some(empty);
    running.look_after().await.unwrap();
    assert_eq!(fake.data(), data);
}

#[tokio::test]
async fn an_authority_whose_key_is_lost_gets_a_successor_and_goes_on_being_trusted() {
    let fake = Fake::default();
    let running = started(&fake).await;
    let (pair, data) = (served(&running), fake.data());
    fake.damage("ca.key", "");
    running.look_after().await.unwrap();
    assert_eq!(served(&running), pair);
    let bundle = fake.script().bundle.clone().unwrap();
    assert!(bundle.contains(&data["ca.crt"]) && bundle.contains(&fake.data()["next-ca.crt"]));
}

#[tokio::test]
async fn nobody_writes_whose_clock_is_wrong() {
    for ahead in [SignedDuration::from_hours(400 * 24), SignedDuration::from_hours(-1)] {
        let fake = Fake::default();
        fake.script().ahead = ahead;
        let keeper = fake.keeper();
        let why = keeper.look_after().await.unwrap_err().to_string();
        let direction = if ahead.is_positive() { "behind" } else { "ahead of" };
        assert!(why.contains(&format!("{direction} the API server's")), "{why}");
        let script = fake.script();
        assert_eq!((script.writes, script.bundle.clone()), (0, None));
    }
}

#[tokio::test]
async fn a_wrong_clock_uses_what_is_there() {
    let fake = Fake::default();
    let right = started(&fake).await;
    fake.script().ahead = SignedDuration::from_hours(-400 * 24);
    // By the API server's time nothing is due, and the certificates are premature.
    let wrong = fake.keeper();
    assert!(wrong.look_after().await.is_err());
    fake.script().ahead = SignedDuration::from_hours(24);
    let wrong = fake.keeper();
    wrong.look_after().await.unwrap();
    assert_eq!(served(&wrong), served(&right));
    assert_eq!(fake.script().writes, 1);
}

#[tokio::test(start_paused = true)]
async fn an_api_server_that_hangs_is_waited_for_and_said_to_hang() {
    let fake = Fake::default();
    fake.script().hangs = true;
    let keeper = fake.keeper();
    let messages = Mutex::new(Vec::new());
    let waiting = keeper.obtain(|why| messages.lock().unwrap().push(why.to_owned()));
    let waited = tokio::time::timeout(Duration::from_secs(31), waiting).await;
    assert!(waited.is_err());
    let expected =
        "failed to GET /api/v1/namespaces/garden/secrets/tls: it did not answer within 10s";
    assert_eq!(messages.lock().unwrap()[0], expected);
    fake.script().hangs = false;
    keeper.obtain(|why| panic!("{why}")).await.unwrap();
}

#[tokio::test]
async fn mistakes_are_not_waited_out() {
    let fake = Fake::default();
    fake.script().has_no_namespace = true;
    let why = fake.keeper().obtain(|_| {}).await.unwrap_err().to_string();
    assert_eq!(why, "namespace `garden` does not exist; create it first");
    fake.script().secret = Some(json!({"metadata": {"labels": {}}}));
    let trouble = fake.keeper().look_after().await.unwrap_err();
    assert!(
        matches!(&trouble, KeeperError::Mistake(why) if why.contains("is not managed by garden-gate")),
        "{trouble}"
    );
}

/// Yields until `condition` is true, without letting time pass: simulated time only passes while no task can run.
async fn at_once(condition: impl Fn() -> bool) {
    let begin = Instant::now();
    for _ in 0..10_000 {
        if condition() {
            return assert_eq!(begin.elapsed(), Duration::ZERO);
        }
        yield_now().await;
    }
    panic!("nothing happens while no time passes");
}

/// Starts a replica that runs until the result is dropped, and waits for its watches.
async fn watching(fake: &Fake) -> JoinSet<()> {
    let keeper = started(fake).await;
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { keeper.keep().await });
    at_once(|| fake.script().watches.len() == 3).await;
    // The first events are those of the current objects.
    sleep(Duration::from_secs(1)).await;
    let mut script = fake.script();
    (script.requests, script.writes_of_bundles) = (0, 0);
    tasks
}

#[tokio::test(start_paused = true)]
async fn changed_bundle_is_restored_by_its_event() {
    let fake = Fake::default();
    let _tasks = watching(&fake).await;
    for change in [None, Some("foreign".to_owned())] {
        let bundle = std::mem::replace(&mut fake.script().bundle, change);
        fake.script().configurations_changed();
        at_once(|| fake.script().bundle == bundle).await;
        sleep(Duration::from_secs(1)).await;
        let mut script = fake.script();
        // Both configurations share a bundle here, and each of their events may cause a check with three requests.
        assert!((4..=7).contains(&script.requests), "{}", script.requests);
        assert_eq!(std::mem::take(&mut script.writes_of_bundles), 1);
        script.requests = 0;
    }
}

#[tokio::test(start_paused = true)]
async fn deleted_secret_is_restored_by_its_event() {
    let fake = Fake::default();
    let _tasks = watching(&fake).await;
    let data = fake.data();
    let mut deleted = fake.script().secret.take().unwrap();
    deleted["metadata"]["resourceVersion"] = json!("77");
    fake.script().send(SECRETS, "DELETED", &deleted);
    at_once(|| fake.script().secret.is_some()).await;
    assert_eq!(fake.data(), data);
}

#[tokio::test(start_paused = true)]
async fn events_that_need_no_repair_cause_no_request() {
    let fake = Fake::default();
    let _tasks = watching(&fake).await;
    for _ in 0..1_000 {
        let script = fake.script();
        script.configurations_changed();
        script.send(SECRETS, "MODIFIED", script.secret.as_ref().unwrap());
    }
    sleep(Duration::from_secs(1)).await;
    assert_eq!(fake.script().requests, 0);
}

#[tokio::test(start_paused = true)]
async fn client_that_changes_the_bundle_back_is_answered_with_few_writes() {
    let fake = Fake::default();
    let _tasks = watching(&fake).await;
    {
        let mut script = fake.script();
        (script.writes_of_bundles, script.reverts) = (0, 10_000);
        script.bundle = None;
        script.configurations_changed();
    }
    sleep(Duration::from_mins(10)).await;
    // Two configurations are written once in ten seconds, and ten times a minute at once.
    let most = 2 * (60 + 11 * 10);
    let writes = fake.script().writes_of_bundles;
    assert!((2 * 60..=most).contains(&writes), "{writes}");
    fake.script().reverts = 0;
    sleep(Duration::from_secs(11)).await;
    assert_ne!(fake.script().bundle.as_deref(), Some("foreign"));
}
