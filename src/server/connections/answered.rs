// SPDX-License-Identifier: Apache-2.0
//! Response bodies that hold their memory permit and request slot until they are written.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::Error;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, Response, header};
use http_body::{Frame, SizeHint};

use super::activity::Answering;
use crate::server::memory::{Permit, ReserveError};

/// Maximum bytes per chunk, which bounds the buffers for a peer that does not read.
const CHUNK: usize = 16 << 10;

/// Builds a JSON response that holds its memory permit until it is written or the connection ends.
pub(crate) fn json(answer: Vec<u8>, permit: Permit) -> Result<Response<Body>, ReserveError> {
    with_permit(answer, permit, "application/json")
}

/// Builds a response like [`json`], with another content type.
pub(crate) fn with_permit(
    answer: Vec<u8>,
    mut permit: Permit,
    content_type: &'static str,
) -> Result<Response<Body>, ReserveError> {
    permit.hold(answer.capacity() as u64)?;
    let bytes = Bytes::from_owner(GuardedBytes { bytes: answer, _held: permit });
    let mut response = Response::new(Body::new(Chunks(bytes)));
    let kind = HeaderValue::from_static(content_type);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}

/// Bytes that hold a resource until the last buffer with them is dropped.
struct GuardedBytes<B, H> {
    bytes: B,
    _held: H,
}

impl<B: AsRef<[u8]>, H> AsRef<[u8]> for GuardedBytes<B, H> {
    fn as_ref(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

/// Bytes that are sent in chunks.
struct Chunks(Bytes);

impl HttpBody for Chunks {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let length = self.0.len().min(CHUNK);
        let chunk = self.0.split_to(length);
        Poll::Ready((length > 0).then(|| Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}

/// A response body that holds [`Answering`] until it is received or the connection ends.
pub(crate) struct Answered {
    body: Body,
    answering: Arc<Answering>,
}

impl Answered {
    pub(crate) fn new(body: Body, answering: Answering) -> Self {
        answering.answered(body.size_hint().lower());
        let answering = Arc::new(answering);
        Self { body, answering }
    }
}

impl HttpBody for Answered {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        let held = |bytes| {
            let held = Arc::clone(&self.answering);
            Bytes::from_owner(GuardedBytes { bytes, _held: held })
        };
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(held))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::{CHUNK, json};
    use crate::server::memory::{Budget, ReserveError};

    #[tokio::test]
    async fn an_answer_counts_until_its_last_part_is_gone() {
        let budget = Budget::new(1 << 20);
        let mut permit = budget.permit();
        permit.hold(500_000).unwrap();
        let answer = vec![b'x'; 3 * CHUNK];
        let mut body = json(answer, permit).unwrap().into_body();
        assert_eq!(budget.held(), 3 * CHUNK as u64);
        let mut parts = Vec::new();
        while let Some(part) = body.frame().await {
            parts.push(part.unwrap().into_data().unwrap());
        }
        drop(body);
        assert_eq!(parts.iter().map(|it| it.len()).max(), Some(CHUNK));
        parts.truncate(1);
        assert_eq!(budget.held(), 3 * CHUNK as u64);
        parts.clear();
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn an_answer_that_does_not_fit_is_given_up() {
        let budget = Budget::new(1 << 20);
        let answer = vec![b'x'; 1 << 20];
        assert!(matches!(json(answer, budget.permit()), Err(ReserveError::ExceedsCapacity(_))));
        assert_eq!(budget.held(), 0);
    }
}
