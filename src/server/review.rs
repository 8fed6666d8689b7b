use std::collections::BTreeSet;
use std::time::Duration;

use axum::Json;
use axum::extract::{Query, Request as HttpRequest};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::time::{Instant, timeout_at};
use tracing::{Level, event_enabled};

use super::body;
use super::metrics;
use super::refusal::Refusal;
use super::state::State;
use crate::compat::parse_duration;
use crate::engine::{
    Answers, Door, Judgement, Question, Request, Review, Undetermined, Verdict, World, judge,
};
use crate::report::admission_review;

/// Kubernetes' own default for webhooks.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest that Kubernetes lets a webhook take.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(30);
/// A question can only lead to one about another object that the request names.
const ROUNDS: usize = 3;

/// Answers one request.
pub(super) async fn answer(door: Door, state: &State, request: HttpRequest) -> Response {
    match review(door, state, request).await {
        Ok(response) => response,
        Err(refusal) => {
            state.metrics.bad_request(refusal.label());
            tracing::info!(door = metrics::label(door), "no verdict: {refusal}");
            refusal.into_response()
        }
    }
}

async fn review(door: Door, state: &State, request: HttpRequest) -> Result<Response, Refusal> {
    let start = Instant::now();
    let (head, body) = request.into_parts();
    let deadline = match admit(state, &head) {
        Ok(allowance) => start + allowance,
        Err(refusal) => {
            body::linger(&head.headers, body);
            return Err(refusal);
        }
    };
    let held = body::read(&head.headers, body, &state.bodies, (start, deadline)).await?;
    let request = Request::from_review(&held.bytes)?;
    let review = decide(door, state, &request, deadline).await;
    let took = start.elapsed();
    state.metrics.reviewed(door, &request, &review, took);
    log(door, &request, &review, took);
    Ok(Json(admission_review(door, &request, &review)).into_response())
}

/// What can be said before the body is read: how long the answer may take, or that there is none.
fn admit(state: &State, head: &Parts) -> Result<Duration, Refusal> {
    check_content_type(&head.headers)?;
    let allowance = allowance(&head.uri)?;
    match state.ready.is_complete() {
        true => Ok(allowance),
        false => Err(Refusal::NotReady(
            state.ready.complaint().unwrap_or_default(),
        )),
    }
}

fn check_content_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        return Err(Refusal::ContentType("missing".to_owned()));
    };
    let value = String::from_utf8_lossy(value.as_bytes());
    let essence = value.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Refusal::ContentType(format!("`{value}`")))
}

#[derive(Deserialize)]
struct Parameters {
    timeout: Option<String>,
}

/// How long the answer may take: what the client allows, less what the way back may cost.
fn allowance(uri: &Uri) -> Result<Duration, Refusal> {
    let Query(parameters) = Query::<Parameters>::try_from_uri(uri)
        .map_err(|error| Refusal::Timeout(error.body_text()))?;
    let timeout = match parameters.timeout {
        None => TIMEOUT,
        Some(text) => {
            let parsed = parse_duration(&text).map_err(Refusal::Timeout)?;
            let positive = Duration::try_from(parsed).ok().filter(|it| !it.is_zero());
            positive.ok_or_else(|| Refusal::Timeout(format!("`{text}` is not positive")))?
        }
    };
    Ok(timeout.min(LONGEST_TIMEOUT) / 10 * 9)
}

/// Judges, asks what the garden cannot tell, and judges again; always against the same garden, configuration and instant.
async fn decide(door: Door, state: &State, request: &Request<'_>, deadline: Instant) -> Review {
    let (garden, config) = (state.garden.load_full(), state.config.load_full());
    let world = World {
        rules: state.rules,
        garden: &garden,
        config: &config,
        now: jiff::Timestamp::now(),
    };
    let mut answers = Answers::new();
    for _ in 0..=ROUNDS {
        match judge(door, request, &world, &answers) {
            Judgement::Review(review) => return review,
            Judgement::Questions(questions) => {
                answers.extend(ask(state, request, questions, deadline).await);
            }
        }
    }
    Review {
        undetermined: vec![Undetermined {
            rule: "server/questions",
            field: String::new(),
            message: format!("after {ROUNDS} rounds there were still questions to the API server"),
        }],
        ..Review::default()
    }
}

/// The answers to all `questions`; whatever goes wrong is an answer too.
async fn ask(
    state: &State,
    request: &Request<'_>,
    questions: BTreeSet<Question>,
    deadline: Instant,
) -> Answers {
    let (mut answers, why) = match &state.answerer {
        None => (Answers::new(), "there is no API server to ask"),
        Some(answerer) => {
            match timeout_at(deadline, answerer.answer(&request.user_info, &questions)).await {
                Ok(answers) => (answers, "the API server was not asked"),
                Err(_) => (Answers::new(), "the API server did not answer in time"),
            }
        }
    };
    for question in questions {
        let unanswered = question.unanswered(why);
        answers.entry(question).or_insert(unanswered);
    }
    answers
}

/// Says who was told what, never what was in the object. What passes is only told at level debug: it is nearly everything.
fn log(door: Door, request: &Request<'_>, review: &Review, took: Duration) {
    let allowed = review.verdict() == Verdict::Allowed;
    let wanted = if allowed {
        event_enabled!(Level::DEBUG)
    } else {
        event_enabled!(Level::INFO)
    };
    if !wanted {
        return;
    }
    macro_rules! reviewed {
        ($level:expr) => {
            tracing::event!(
                $level,
                door = metrics::label(door),
                uid = request.uid,
                kind = request.resource.resource,
                namespace = request.namespace,
                name = request.name,
                operation = request.operation.as_str(),
                decision = review.verdict().as_str(),
                rules = rules(review),
                duration_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
                "reviewed"
            )
        };
    }
    if allowed {
        reviewed!(Level::DEBUG);
    } else {
        reviewed!(Level::INFO);
    }
}

fn rules(review: &Review) -> String {
    let found = review.findings.iter().map(|finding| finding.rule);
    let ids: BTreeSet<&str> = found
        .chain(review.undetermined.iter().map(|it| it.rule))
        .collect();
    ids.into_iter().collect::<Vec<_>>().join(",")
}

#[cfg(test)]
#[path = "review_tests.rs"]
mod tests;
