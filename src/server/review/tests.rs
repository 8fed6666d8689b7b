// SPDX-License-Identifier: Apache-2.0
//! Tests of the handler without a connection, in states that a garden directory never causes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use axum::body::{Body, to_bytes};
use axum::http::Request;
use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep, timeout};
use tower::ServiceExt as _;

use crate::garden::live::Asker;
use crate::server::endpoints;
use crate::server::memory::Memory;
use crate::server::state::{State, processors};
use crate::server::{Answerer, Answering, Requester};
use garden_gate_core::admission::Question;
use garden_gate_core::config::{Config, ServerAdmission};
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_model::api::Project;

/// A fake API server that responds, hangs or panics.
#[derive(Debug)]
enum Api {
    Whitelists,
    /// Adds the numbers of questions to a list, and denies all access.
    Counts(Arc<Mutex<Vec<usize>>>),
    NeverAnswers,
    Panics,
}

impl Answerer for Api {
    fn answer<'a>(
        &'a self,
        mut garden: Snapshot,
        _: Requester<'a>,
        questions: &'a BTreeSet<Question>,
    ) -> Answering<'a> {
        Box::pin(async move {
            match self {
                Api::Whitelists => {
                    for question in questions {
                        let is_for_whitelist = matches!(question, Question::ProjectOfNamespace(_));
                        let found = is_for_whitelist.then(whitelist);
                        garden.answer_object(question.clone(), found);
                    }
                    garden
                }
                Api::Counts(counts) => {
                    counts.lock().unwrap().push(questions.len());
                    for question in questions {
                        match question {
                            Question::Access(asked) => {
                                garden.answer_access(asked.clone(), Ok(false));
                            }
                            _ => garden.answer_object(question.clone(), None),
                        }
                    }
                    garden
                }
                Api::NeverAnswers => {
                    sleep(Duration::from_hours(1)).await;
                    garden
                }
                Api::Panics => unreachable!("the test wants a panic"),
            }
        })
    }
}

fn whitelist() -> GardenObject {
    let project: Project = serde_json::from_value(json!({
        "metadata": {"name": "dev"},
        "spec": {"namespace": "garden-dev", "tolerations": {"whitelist": [{"key": "foo"}]}},
    }))
    .unwrap();
    GardenObject::from(project)
}

/// Returns a server with an empty watched garden.
fn watching(api: Option<Api>) -> State {
    let mut state =
        State::new(Snapshot::new(Knowledge::Watched), Config::default(), Memory::new(None));
    state.answerer = api.map(|api| Arc::new(api) as Arc<dyn Answerer>);
    state.ready.set_listening();
    state.ready.set_certificate(i64::MAX);
    state.ready.set_garden();
    state
}

/// Returns another such server with the same budget.
fn watching_with(other: &State) -> State {
    let mut state = watching(Some(Api::Whitelists));
    state.budget = Arc::clone(&other.budget);
    state
}

async fn post(state: State, query: &str) -> (u16, Value) {
    let review = json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "u-1", "namespace": "garden-dev", "operation": "CREATE",
            "resource": {"group": "core.gardener.cloud", "version": "v1beta1", "resource": "shoots"},
            "object": {"metadata": {"name": "s", "namespace": "garden-dev"}, "spec": {"kubernetes": {"version": "1.33.1"}, "tolerations": [{"key": "foo"}]}},
        },
    });
    send(state, query, review.to_string()).await
}

async fn send(state: State, query: &str, body: String) -> (u16, Value) {
    let request = Request::post(format!("/validate{query}"))
        .header("content-type", "application/json")
        .body(Body::from(body))
        .unwrap();
    let response = endpoints::main(&Arc::new(state)).oneshot(request).await.unwrap();
    let code = response.status().as_u16();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (code, serde_json::from_slice(&body).unwrap())
}

#[tokio::test]
async fn an_answered_question_decides() {
    let (code, answer) = post(watching(Some(Api::Whitelists)), "").await;
    assert_eq!((code, &answer["response"]["allowed"]), (200, &json!(true)), "{answer}");
}

#[tokio::test]
async fn an_unanswered_question_is_a_denial_that_says_so() {
    let (code, answer) = post(watching(None), "").await;
    assert_eq!(code, 200);
    let response = &answer["response"];
    assert_eq!(response["auditAnnotations"]["decision"], "undetermined");
    assert_eq!(response["status"]["code"], 403);
    let message = response["status"]["message"].as_str().unwrap();
    assert!(message.contains("undetermined: "), "{message}");
    assert!(message.contains("no API server to ask"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn a_verdict_comes_before_the_client_gives_up() {
    let start = Instant::now();
    let (code, answer) = post(watching(Some(Api::NeverAnswers)), "?timeout=2s").await;
    assert_eq!((code, &answer["response"]["allowed"]), (200, &json!(false)));
    let message = answer["response"]["status"]["message"].as_str().unwrap();
    assert!(message.contains("did not answer in time"), "{message}");
    let took = start.elapsed();
    assert!(took > Duration::from_millis(1700) && took < Duration::from_secs(2), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn no_client_may_wait_longer_than_half_a_minute() {
    let start = Instant::now();
    post(watching(Some(Api::NeverAnswers)), "?timeout=1h").await;
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[tokio::test]
async fn a_panic_is_an_internal_error() {
    let state = watching(Some(Api::Panics));
    let panics = state.metrics.panics.clone();
    let (code, status) = post(state, "").await;
    assert_eq!((code, &status["reason"]), (500, &json!("InternalError")));
    assert_eq!(panics.get(), 1);
}

#[tokio::test]
async fn what_is_missing_is_told_instead_of_a_verdict() {
    let state = State::new(Snapshot::default(), Config::default(), Memory::new(None));
    state.ready.set_listening();
    state.ready.set_certificate(i64::MAX);
    let (code, status) = post(state, "").await;
    assert_eq!((code, &status["reason"]), (503, &json!("ServiceUnavailable")));
    assert_eq!(status["message"], "not ready: still waiting for the garden");
}

#[tokio::test]
async fn requests_are_still_answered_while_stopping() {
    let state = watching(Some(Api::Whitelists));
    state.ready.set_stopping();
    assert_eq!(post(state, "").await.0, 200);
}

#[tokio::test]
async fn what_would_take_too_much_memory_is_turned_away() {
    let state = watching(None);
    let mut others: Vec<_> = (0..100).map(|_| state.budget.permit()).collect();
    let filled = others.iter_mut().filter_map(|permit| permit.hold(4 << 20).ok());
    assert!(filled.count() > 10);
    let mut small: Vec<_> = (0..10_000).map(|_| state.budget.permit()).collect();
    assert!(small.iter_mut().any(|permit| permit.hold(4096).is_err()));
    let (code, status) = post(state, "").await;
    drop((others, small));
    assert_eq!((code, &status["reason"]), (503, &json!("ServiceUnavailable")));
}

/// Returns a review of a Shoot with `count` empty worker pools.
fn pools(count: usize) -> String {
    let pools = vec!["{}"; count].join(",");
    format!(
        r#"{{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{{"uid":"u-1","namespace":"garden-dev","operation":"CREATE",
        "resource":{{"group":"core.gardener.cloud","version":"v1beta1","resource":"shoots"}},
        "object":{{"metadata":{{"name":"s","namespace":"garden-dev"}},"spec":{{"provider":{{"workers":[{pools}]}}}}}}}}}}"#
    )
}

#[tokio::test]
async fn few_bytes_that_become_many_structs_are_refused() {
    let (code, status) = send(watching(None), "", pools(300_000)).await;
    assert_eq!((code, &status["reason"]), (413, &json!("RequestEntityTooLarge")));
    let message = status["message"].as_str().unwrap();
    assert!(message.contains("fewer list elements"), "{message}");
}

#[tokio::test]
async fn all_memory_is_given_back() {
    let state = watching(Some(Api::Whitelists));
    let budget = Arc::clone(&state.budget);
    for (body, code) in [(pools(2_500), 200), (pools(300_000), 413), ("[".into(), 400)] {
        let state = watching_with(&state);
        assert_eq!(send(state, "", body).await.0, code);
        assert_eq!(budget.held(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_processor_is_told_at_the_deadline() {
    let state = watching(None);
    let client = Asker::of_peer(None);
    let mut busy = Vec::new();
    for _ in 0..processors() {
        busy.extend(state.processors.permit(&client).await);
    }
    let start = Instant::now();
    let (code, status) = send(state, "?timeout=2s", pools(2_500)).await;
    assert_eq!(code, 503);
    let message = status["message"].as_str().unwrap();
    assert!(message.contains("no verdict after 1.8s"), "{message}");
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[tokio::test(start_paused = true)]
async fn other_addresses_get_a_processor_however_many_one_has() {
    let network = |address: &str| Asker::of_peer(Some(address.parse().unwrap()));
    for address in ["10.0.0.1", "2001:db8::1"] {
        let state = watching(None);
        let mut busy = Vec::new();
        let own = network(address);
        for _ in 0..1000 {
            let slot = state.processors.permit(&own);
            busy.extend(timeout(Duration::ZERO, slot).await.ok().flatten());
        }
        assert_eq!(busy.len(), processors(), "{address}");
        // The same network of IPv6 has many addresses.
        let neighbour = network("2001:db8::2");
        let slot = timeout(Duration::ZERO, state.processors.permit(&neighbour)).await;
        assert_eq!(slot.is_ok(), address.starts_with("10."));
        let (code, answer) = send(state, "?timeout=2s", pools(2_500)).await;
        assert_eq!(code, 200, "{answer}");
    }
}

#[tokio::test]
async fn users_and_uids_that_no_api_server_sends_are_refused() {
    for (change, says) in [
        (("/request/uid", json!("u".repeat(257))), "`request.uid` has 257"),
        (
            ("/request/userInfo", json!({"groups": vec!["g".repeat(100); 1_000]})),
            "`request.userInfo` is larger than 64 KiB",
        ),
    ] {
        let mut review: Value = serde_json::from_str(&pools(1)).unwrap();
        review["request"]["userInfo"] = json!({});
        *review.pointer_mut(change.0).unwrap() = change.1;
        let (code, status) = send(watching(None), "", review.to_string()).await;
        assert_eq!(code, 400);
        let message = status["message"].as_str().unwrap();
        assert!(message.contains(says), "{message}");
    }
}

/// An object that references many others causes no lookup of each.
#[tokio::test]
async fn request_with_many_references_is_undetermined_without_lookups() {
    for (references, is_asked) in [(200, true), (20_000, false)] {
        let counts = Arc::new(Mutex::new(Vec::new()));
        let state = watching(Some(Api::Counts(Arc::clone(&counts))));
        let config = Config { admission: ServerAdmission::Complete, ..Config::default() };
        state.config.store(Arc::new(config.into()));
        let reference = |number| json!({"name": format!("r{number}"), "resourceRef": {"apiVersion": "v1", "kind": "Secret", "name": format!("s{number}")}});
        let resources: Vec<Value> = (0..references).map(reference).collect();
        let review = json!({
            "apiVersion": "admission.k8s.io/v1",
            "kind": "AdmissionReview",
            "request": {
                "uid": "u-1", "namespace": "garden-dev", "operation": "CREATE",
                "resource": {"group": "core.gardener.cloud", "version": "v1beta1", "resource": "shoots"},
                "object": {"metadata": {"name": "s", "namespace": "garden-dev"}, "spec": {"kubernetes": {"version": "1.33.1"}, "resources": resources}},
            },
        });
        let (code, answer) = send(state, "", review.to_string()).await;
        assert_eq!((code, &answer["response"]["allowed"]), (200, &json!(false)));
        let counts = counts.lock().unwrap();
        assert_eq!(counts.iter().any(|count| *count >= 200), is_asked, "{counts:?}");
        assert!(counts.iter().all(|count| *count <= 256), "{counts:?}");
        let too_many = answer.to_string().contains("the request needs too many lookups");
        assert_eq!(too_many, !is_asked, "{answer}");
    }
}
