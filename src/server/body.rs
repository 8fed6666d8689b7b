use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};

use super::refusal::Refusal;

/// Kubernetes stores objects of at most 1.5 MiB; a review holds two, and JSON may be wider than what is stored.
pub(super) const BODY_LIMIT: usize = 8 << 20;
/// Clients that write a whole body before they read get an answer only if somebody reads that body; those that have
/// written it already may only go on using a connection from which it was read.
const LINGER: Duration = Duration::from_secs(1);

/// A complete body, with its share of the bytes that all requests may hold together.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) bytes: Vec<u8>,
    _permits: Option<OwnedSemaphorePermit>,
}

/// Reads a body until the deadline, never more than [`BODY_LIMIT`].
pub(super) async fn read(
    headers: &HeaderMap,
    mut body: Body,
    budget: &Arc<Semaphore>,
    (start, deadline): (Instant, Instant),
) -> Result<Held, Refusal> {
    if body.size_hint().lower() > BODY_LIMIT as u64 {
        linger(headers, body);
        return Err(Refusal::BodyTooLarge);
    }
    match timeout_at(deadline, collect(&mut body, budget)).await {
        Ok(Err(Refusal::BodyTooLarge)) => {
            linger(headers, body);
            Err(Refusal::BodyTooLarge)
        }
        Ok(result) => result,
        Err(_) => Err(Refusal::BodyTooSlow(deadline - start)),
    }
}

async fn collect(body: &mut Body, budget: &Arc<Semaphore>) -> Result<Held, Refusal> {
    let (mut bytes, mut permits) = (Vec::new(), None::<OwnedSemaphorePermit>);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| Refusal::BodyBroken(error.to_string()))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        if bytes.len() + data.len() > BODY_LIMIT {
            return Err(Refusal::BodyTooLarge);
        }
        let size = u32::try_from(data.len()).unwrap_or(u32::MAX);
        let more = Arc::clone(budget)
            .try_acquire_many_owned(size)
            .map_err(|_| Refusal::Overloaded)?;
        match &mut permits {
            Some(permits) => permits.merge(more),
            None => permits = Some(more),
        }
        bytes.extend_from_slice(&data);
    }
    Ok(Held {
        bytes,
        _permits: permits,
    })
}

/// Reads on for a moment and throws away, while the refusal is on its way; the task ends by itself.
pub(super) fn linger(headers: &HeaderMap, mut body: Body) {
    // Who asks first whether to send the body reads the refusal instead of sending it.
    if headers.contains_key(header::EXPECT) {
        return;
    }
    tokio::spawn(timeout(LINGER, async move {
        while let Some(Ok(_)) = body.frame().await {}
    }));
}
