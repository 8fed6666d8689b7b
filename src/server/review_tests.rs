//! The handler without a connection, in states that a server with a garden directory never has.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep};
use tower::ServiceExt as _;

use crate::config::Config;
use crate::engine::{Answer, Answers, Question};
use crate::garden::{Knowledge, Snapshot};
use crate::model::{Project, UserInfo};
use crate::server::state::State;
use crate::server::{Answerer, Answering, router};

/// An API server that answers, is slow, or takes the server down with it.
#[derive(Debug)]
enum Api {
    Whitelists,
    NeverAnswers,
    Panics,
}

impl Answerer for Api {
    fn answer<'a>(&'a self, _: &'a UserInfo, questions: &'a BTreeSet<Question>) -> Answering<'a> {
        Box::pin(async move {
            match self {
                Api::Whitelists => questions
                    .iter()
                    .map(|it| (it.clone(), whitelist()))
                    .collect(),
                Api::NeverAnswers => {
                    sleep(Duration::from_secs(3600)).await;
                    Answers::new()
                }
                Api::Panics => unreachable!("the test wants a panic"),
            }
        })
    }
}

fn whitelist() -> Answer {
    let project: Project = serde_json::from_value(json!({
        "metadata": {"name": "dev"},
        "spec": {"namespace": "garden-dev", "tolerations": {"whitelist": [{"key": "foo"}]}},
    }))
    .unwrap();
    Answer::Project(Ok(Some(Arc::new(project))))
}

/// A server that watches a garden of which nothing has been seen.
fn watching(api: Option<Api>) -> State {
    let mut state = State::new(Snapshot::new(Knowledge::Watched), Config::default());
    state.answerer = api.map(|api| Arc::new(api) as Arc<dyn Answerer>);
    state.ready.set_listening();
    state.ready.set_certificate(i64::MAX);
    state.ready.set_garden();
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
    let request = Request::post(format!("/validate{query}"))
        .header("content-type", "application/json")
        .body(Body::from(review.to_string()))
        .unwrap();
    let response = router::main(&Arc::new(state))
        .oneshot(request)
        .await
        .unwrap();
    let code = response.status().as_u16();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (code, serde_json::from_slice(&body).unwrap())
}

#[tokio::test]
async fn an_answered_question_decides() {
    let (code, answer) = post(watching(Some(Api::Whitelists)), "").await;
    assert_eq!(
        (code, &answer["response"]["allowed"]),
        (200, &json!(true)),
        "{answer}"
    );
}

#[tokio::test]
async fn an_unanswered_question_is_a_denial_that_says_so() {
    let (code, answer) = post(watching(None), "").await;
    assert_eq!(code, 200);
    let response = &answer["response"];
    assert_eq!(response["auditAnnotations"]["decision"], "undetermined");
    assert_eq!(response["status"]["code"], 403);
    let message = response["status"]["message"].as_str().unwrap();
    assert!(message.contains("could not be judged"), "{message}");
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
    assert!(
        took > Duration::from_millis(1700) && took < Duration::from_secs(2),
        "{took:?}"
    );
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
    let state = State::new(Snapshot::default(), Config::default());
    state.ready.set_listening();
    state.ready.set_certificate(i64::MAX);
    let (code, status) = post(state, "").await;
    assert_eq!(
        (code, &status["reason"]),
        (503, &json!("ServiceUnavailable"))
    );
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
    let all = u32::try_from(state.bodies.available_permits()).unwrap();
    let held = state
        .bodies
        .clone()
        .try_acquire_many_owned(all - 10)
        .unwrap();
    let (code, status) = post(state, "").await;
    drop(held);
    assert_eq!(
        (code, &status["reason"]),
        (503, &json!("ServiceUnavailable"))
    );
}
