// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::{Query, Request as HttpRequest};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::task::{JoinError, spawn, spawn_blocking};
use tokio::time::{Instant, timeout_at};

use super::answer::Requester;
use super::case::{Case, Step};
use super::connections::{Peer, answered};
use super::log::TEXT_LIMIT;
use super::memory::Permit;
use super::refusal::Refusal;
use super::state::State;
use super::{body, metrics};
use crate::garden::live::Asker;
use garden_gate_core::admission::{EntryPoint, Question};
use garden_gate_core::garden::Snapshot;
use garden_gate_core::policies::Deadline;
use garden_gate_text::escape::value_within;
use garden_gate_text::go::parse_duration;

/// Kubernetes' default timeout for webhooks.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Kubernetes' maximum timeout for webhooks.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Answers one request.
pub(super) async fn answer(
    entry_point: EntryPoint,
    state: &Arc<State>,
    request: HttpRequest,
) -> Response {
    match review(entry_point, state, request).await {
        Ok(response) => response,
        Err(refusal) => {
            state.metrics.bad_request(refusal.label());
            log(entry_point, state, &refusal);
            refusal.into_response()
        }
    }
}

fn log(entry_point: EntryPoint, state: &State, refusal: &Refusal) {
    let endpoint = metrics::label(entry_point);
    if let Some(left_out) = state.refusal_lines.allows() {
        if left_out > 0 {
            tracing::info!("{left_out} more requests got no verdict and are not logged");
        }
        let why = value_within(refusal.to_string(), TEXT_LIMIT);
        tracing::info!(endpoint, "no verdict: {why}");
    }
}

async fn review(
    entry_point: EntryPoint,
    state: &Arc<State>,
    request: HttpRequest,
) -> Result<Response, Refusal> {
    let start = Instant::now();
    let (head, body) = request.into_parts();
    let deadline = match admit(state, &head) {
        Ok(allowance) => start + allowance,
        Err(refusal) => {
            body::discard_rest(&head.headers, body);
            return Err(refusal);
        }
    };
    let held = body::read(&head.headers, body, &state.budget, (start, deadline)).await?;
    let peer = head.extensions.get().map(|Peer(address)| *address);
    drop(head);
    let (policies_deadline, _client) = policies_deadline(policies_end(start, deadline));
    let case = Case::new(entry_point, state, held, (start, policies_deadline));
    let (answer, permit) = decide(case, state, peer, (start, deadline)).await?;
    Ok(answered::json(answer, permit)?)
}

/// Checks the headers before the body is read.
/// Returns the time for the response.
fn admit(state: &State, head: &Parts) -> Result<Duration, Refusal> {
    check_content_type(&head.headers)?;
    let allowance = allowance(&head.uri)?;
    if state.ready.is_complete() {
        Ok(allowance)
    } else {
        Err(Refusal::NotReady(state.ready.complaint(&state.clock).unwrap_or_default()))
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

/// Returns the time for the response: the client's timeout, minus a reserve for the network.
fn allowance(uri: &Uri) -> Result<Duration, Refusal> {
    let Query(Parameters { timeout }) =
        Query::try_from_uri(uri).map_err(|error| Refusal::Timeout(error.body_text()))?;
    let timeout = match timeout {
        None => TIMEOUT,
        Some(text) => {
            let parsed = parse_duration(&text).map_err(Refusal::Timeout)?;
            let positive = Duration::try_from(parsed).ok().filter(|it| !it.is_zero());
            positive.ok_or_else(|| Refusal::Timeout(format!("`{text}` is not positive")))?
        }
    };
    Ok(timeout.min(LONGEST_TIMEOUT) / 10 * 9)
}

/// Evaluates the request, performs live lookups, and repeats.
/// Returns the response as JSON with its memory permit.
async fn decide(
    mut case: Case,
    state: &Arc<State>,
    peer: Option<IpAddr>,
    time: (Instant, Instant),
) -> Result<(Vec<u8>, Permit), Refusal> {
    // Leaves time to judge without the missing answers.
    let lookups_end = time.1 - (time.1 - time.0) / 20;
    loop {
        let step = match case.quick_step()? {
            Some(step) => step,
            None => {
                let step;
                // Boxed: the future is large, rarely used, and would be moved with the others.
                (case, step) = Box::pin(judge_apart(case, state, (peer, time))).await?;
                step
            }
        };
        match step {
            Step::Answer(answer) => return Ok((answer, case.into_permit())),
            Step::Questions(user, questions) => {
                let requester = Requester { peer, user: &user };
                let asking = ask(state, case.garden(), requester, questions, lookups_end);
                let garden = Box::pin(asking).await;
                case.take_answers(garden);
            }
        }
    }
}

/// Returns the end of policies: after that of lookups, since they are also evaluated without the missing answers.
fn policies_end(start: Instant, deadline: Instant) -> Instant {
    deadline - (deadline - start) / 40
}

/// Ends the evaluations of a request when it is dropped, since its client has its answer or has gone.
struct Client(Arc<AtomicBool>);

impl Drop for Client {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Returns the deadline of policies: a time, or the moment when the client has gone.
fn policies_deadline(end: Instant) -> (Deadline, Client) {
    let has_gone = Arc::new(AtomicBool::new(false));
    let client = Client(Arc::clone(&has_gone));
    let is_over = move || has_gone.load(Ordering::Relaxed) || Instant::now() >= end;
    (Deadline::new(is_over), client)
}

/// Evaluates a large request on the blocking thread pool, of which each client gets a fair share.
async fn judge_apart(
    mut case: Case,
    state: &State,
    (peer, (start, deadline)): (Option<IpAddr>, (Instant, Instant)),
) -> Result<(Case, Step), Refusal> {
    let too_late = |_| Refusal::TooLate(deadline - start);
    let client = Asker::of_peer(peer);
    let processor = timeout_at(deadline, state.processors.permit(&client))
        .await
        .map_err(too_late)?
        .ok_or(Refusal::Overloaded)?;
    // The blocking task cannot be cancelled, and holds its resources until it ends.
    let judge = move || {
        let step = case.step();
        drop(processor);
        step.map(|step| (case, step))
    };
    let judging = if state.has_threads { spawn_blocking(judge) } else { spawn(async { judge() }) };
    let judged = timeout_at(deadline, judging).await.map_err(too_late)?;
    judged.unwrap_or_else(panicked)
}

/// Maximum lookups of one request in a round, each of which takes memory while it waits.
///
/// An object may reference thousands of others; above the limit, the rules that need lookups are undetermined.
const MOST_LOOKUPS: usize = 256;

/// Resumes the panic so that the panic layer answers 500.
fn panicked<T>(error: JoinError) -> Result<T, Refusal> {
    match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(_) => Err(Refusal::Overloaded),
    }
}

/// Returns the garden with the answers to all `questions`; failures are added as unknown.
async fn ask(
    state: &State,
    garden: Snapshot,
    requester: Requester<'_>,
    questions: BTreeSet<Question>,
    deadline: Instant,
) -> Snapshot {
    let (mut garden, why) = match &state.answerer {
        None => (garden, "there is no API server to ask"),
        Some(_) if questions.len() > MOST_LOOKUPS => {
            (garden, "the request needs too many lookups; divide the change")
        }
        Some(answerer) => {
            let answering = answerer.answer(garden.clone(), requester, &questions);
            match timeout_at(deadline, answering).await {
                Ok(answered) => (answered, "the API server was not asked"),
                Err(_) => (garden, "the API server did not answer in time"),
            }
        }
    };
    for question in questions {
        garden.answer_unknown(question, why);
    }
    garden
}

#[cfg(test)]
mod tests;
