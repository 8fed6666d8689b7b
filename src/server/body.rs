// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt as _;
use tokio::time::{Instant, timeout, timeout_at};

use super::memory::{BODY_LIMIT, Budget, Permit, as_text};
use super::refusal::Refusal;

/// Time for reading the rest of a refused body.
///
/// Some clients write a whole body before they read the response.
/// A connection can be reused only if the body was read.
const LINGER: Duration = Duration::from_secs(1);
/// Base timeout for a body, regardless of its size and of the client's timeout …
const GRACE: Duration = Duration::from_secs(1);
/// … plus the time at this minimum rate, in bytes per second.
/// Networks between API servers and webhooks are far faster.
const RATE: u32 = 1 << 20;
/// Maximum time for a body.
const LONGEST: Duration = Duration::from_secs(10);
/// Maximum initial allocation for an announced length, in bytes.
const FIRST: usize = 64 << 10;

/// A complete body with its memory permit.
#[derive(Debug)]
pub(super) struct ReservedBody {
    pub(super) bytes: Bytes,
    /// The allocated capacity in bytes.
    pub(super) capacity: usize,
    pub(super) permit: Permit,
}

/// The part of a body that was received so far.
#[derive(Debug)]
struct PartialBody {
    /// The body without copying, if it arrived as one chunk.
    whole: Bytes,
    /// Otherwise the chunks so far.
    bytes: Vec<u8>,
    permit: Permit,
    /// The announced length in bytes; 0 if unknown.
    announced: usize,
}

/// Reads a body until the deadline; enforces [`BODY_LIMIT`] and [`RATE`].
pub(super) async fn read(
    headers: &HeaderMap,
    mut body: Body,
    budget: &Arc<Budget>,
    (start, deadline): (Instant, Instant),
) -> Result<ReservedBody, Refusal> {
    let result = collect(&mut body, budget, start, deadline.min(start + LONGEST)).await;
    if let Err(refusal) = &result
        && refusal.is_about_size()
    {
        discard_rest(headers, body);
    }
    result
}

async fn collect(
    body: &mut Body,
    budget: &Arc<Budget>,
    start: Instant,
    deadline: Instant,
) -> Result<ReservedBody, Refusal> {
    let announced = body.size_hint().lower();
    if announced > BODY_LIMIT as u64 {
        return Err(Refusal::BodyTooLarge);
    }
    let mut gathered = PartialBody {
        whole: Bytes::new(),
        bytes: Vec::new(),
        permit: budget.permit(),
        announced: usize::try_from(announced).unwrap_or(BODY_LIMIT),
    };
    gathered.permit.hold(as_text(0))?;
    loop {
        let limit = deadline.min(start + GRACE + time_for(gathered.length()));
        let Some(frame) = timeout_at(limit, body.frame())
            .await
            .map_err(|_| Refusal::BodyTooSlow(limit - start))?
        else {
            return Ok(gathered.into_held());
        };
        let frame = frame.map_err(|error| Refusal::BodyBroken(error.to_string()))?;
        if let Ok(data) = frame.into_data()
            && !data.is_empty()
        {
            gathered.add(data)?;
        }
    }
}

/// Returns the maximum time for this number of bytes.
fn time_for(bytes: usize) -> Duration {
    Duration::from_secs(1) * u32::try_from(bytes >> 10).unwrap_or(u32::MAX) / (RATE >> 10)
}

impl PartialBody {
    fn length(&self) -> usize {
        self.whole.len() + self.bytes.len()
    }

    fn add(&mut self, data: Bytes) -> Result<(), Refusal> {
        let length = self.length() + data.len();
        if length > BODY_LIMIT {
            return Err(Refusal::BodyTooLarge);
        }
        if !self.whole.is_empty() {
            return Err(Refusal::BodyBroken("it is longer than its Content-Length".to_owned()));
        }
        if data.len() == self.announced {
            self.whole = data;
            return Ok(self.permit.hold(as_text(length))?);
        }
        let old = self.bytes.capacity();
        if length > old {
            let new = self.next_capacity(length);
            // During reallocation, the old and the new buffer exist.
            self.permit.hold(as_text(old + new))?;
            self.bytes.reserve_exact(new - self.bytes.len());
        }
        self.bytes.extend_from_slice(&data);
        let capacity = self.bytes.capacity();
        Ok(self.permit.hold(as_text(capacity))?)
    }

    /// Returns the next capacity for at least `length` bytes.
    /// The announced length is trusted only up to a limit.
    fn next_capacity(&self, length: usize) -> usize {
        let trusted = (self.bytes.capacity() * 2).max(FIRST);
        match self.announced {
            0 => length.max(self.bytes.capacity() * 2),
            announced => length.max(announced.min(trusted)),
        }
    }

    fn into_held(self) -> ReservedBody {
        let capacity = self.whole.len() + self.bytes.capacity();
        let bytes = if self.whole.is_empty() { self.bytes.into() } else { self.whole };
        ReservedBody { bytes, capacity, permit: self.permit }
    }
}

/// Reads and discards the rest of the body for a short time, so that the client receives the refusal.
pub(super) fn discard_rest(headers: &HeaderMap, mut body: Body) {
    // Clients with `Expect: 100-continue` read the refusal instead of sending the body.
    if headers.contains_key(header::EXPECT) {
        return;
    }
    tokio::spawn(timeout(LINGER, async move { while let Some(Ok(_)) = body.frame().await {} }));
}
