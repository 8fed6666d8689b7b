//! How long a connection may do nothing.
//!
//! hyper's own limit on reading a request's head also ends connections that are merely idle. API servers keep theirs open
//! for minutes and fail requests on one that is closed under them, so the two cases have different limits here.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use std::{cmp, io};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, sleep};

/// For the head of a request, once its first byte has come. A head fits into one packet or two.
const HEAD_LIMIT: Duration = Duration::from_secs(10);
/// Twice what Go clients (API servers) keep an idle connection for, so that they are the ones who close it.
const IDLE_LIMIT: Duration = Duration::from_secs(180);
/// How late a limit may be noticed.
const TICK: Duration = Duration::from_secs(5);

/// What a connection is doing.
#[derive(Debug)]
pub(super) struct Activity {
    /// HTTP/2 peers talk between requests too, so that bytes do not mean a head.
    bytes_are_heads: bool,
    now: Mutex<Now>,
}

#[derive(Debug)]
struct Now {
    requests: usize,
    in_head: bool,
    since: Instant,
}

/// A request that is being answered; ends when dropped.
#[derive(Debug)]
pub(super) struct Answering(Arc<Activity>);

impl Activity {
    pub(super) fn new(bytes_are_heads: bool) -> Arc<Self> {
        let now = Mutex::new(Now {
            requests: 0,
            in_head: false,
            since: Instant::now(),
        });
        Arc::new(Self {
            bytes_are_heads,
            now,
        })
    }

    pub(super) fn begin(self: &Arc<Self>) -> Answering {
        self.change(|now| {
            now.requests += 1;
            now.in_head = false;
        });
        Answering(Arc::clone(self))
    }

    /// Returns when the connection has been idle, or in the head of a request, for too long.
    pub(super) async fn ended(&self) {
        loop {
            let left = self.left(Instant::now());
            if left == Some(Duration::ZERO) {
                return;
            }
            sleep(cmp::min(left.unwrap_or(TICK), TICK)).await;
        }
    }

    /// The time until the limit that applies, if one does.
    fn left(&self, at: Instant) -> Option<Duration> {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let limit = match (now.requests, now.in_head) {
            (0, true) => HEAD_LIMIT,
            (0, false) => IDLE_LIMIT,
            _ => return None,
        };
        Some((now.since + limit).saturating_duration_since(at))
    }

    fn received(&self) {
        if self.bytes_are_heads {
            self.change(|now| {
                if now.requests == 0 && !now.in_head {
                    now.in_head = true;
                    now.since = Instant::now();
                }
            });
        }
    }

    fn change(&self, change: impl FnOnce(&mut Now)) {
        change(&mut self.now.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.change(|now| {
            now.requests -= 1;
            now.since = Instant::now();
        });
    }
}

/// A stream that tells when bytes arrive.
#[derive(Debug)]
pub(super) struct Watched<S> {
    pub(super) stream: S,
    pub(super) activity: Arc<Activity>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(cx, buf);
        if buf.filled().len() > before {
            self.activity.received();
        }
        result
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Activity, HEAD_LIMIT, IDLE_LIMIT};

    fn left(activity: &Activity) -> Option<Duration> {
        // A clock that has not moved since, so that the limits come out whole.
        let since = activity.now.lock().unwrap().since;
        activity.left(since)
    }

    #[test]
    fn an_idle_connection_has_longer_than_a_head() {
        let activity = Activity::new(true);
        assert_eq!(left(&activity), Some(IDLE_LIMIT));
        activity.received();
        assert_eq!(left(&activity), Some(HEAD_LIMIT));
        let answering = activity.begin();
        assert_eq!(left(&activity), None);
        activity.received();
        drop(answering);
        assert_eq!(left(&activity), Some(IDLE_LIMIT));
    }

    #[test]
    fn more_bytes_of_a_head_do_not_buy_time() {
        let activity = Activity::new(true);
        activity.received();
        let began = activity.now.lock().unwrap().since;
        activity.received();
        let late = began + HEAD_LIMIT;
        assert_eq!(activity.left(late), Some(Duration::ZERO));
    }

    #[test]
    fn http2_frames_between_requests_are_no_heads() {
        let activity = Activity::new(false);
        activity.received();
        assert_eq!(left(&activity), Some(IDLE_LIMIT));
        assert_eq!(
            activity.left(Instant::now() + IDLE_LIMIT * 2),
            Some(Duration::ZERO)
        );
    }
}
