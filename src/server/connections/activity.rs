// SPDX-License-Identifier: Apache-2.0
//! Idle limits of a connection, and time limits for its peer to read.
//!
//! hyper's own header read timeout also ends connections that are merely idle.
//! API servers keep theirs open for minutes and fail requests on a connection that is closed under them.
//! Thus the two cases have different limits here.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use std::{cmp, io};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::task::coop;
use tokio::time::{Instant, sleep};

/// Time for the first request to begin.
/// Clients open a connection only to send a request.
const FIRST_LIMIT: Duration = Duration::from_secs(5);
/// Time for the headers of a request after its first byte.
/// Headers fit into one or two packets.
const HEAD_LIMIT: Duration = Duration::from_secs(10);
/// Idle timeout, twice that of Go clients such as API servers, so that the client closes the connection.
const IDLE_LIMIT: Duration = Duration::from_mins(3);
/// Time for a peer to accept written bytes, plus …
const WRITE_LIMIT: Duration = Duration::from_secs(10);
/// … one second for this number of response bytes.
const READING_RATE: u64 = 1 << 20;
/// Received bytes per unit of tokio's coop budget, which has 128 units per task poll.
///
/// The bytes may contain thousands of HTTP/2 frames, each of which takes time. Other tasks run when the budget is used
/// up.
const PART: usize = 1 << 10;
/// Maximum delay until a limit is enforced.
const TICK: Duration = Duration::from_secs(2);

/// The state of a connection.
#[derive(Debug)]
pub(crate) struct Activity {
    now: Mutex<Now>,
    evicted: Notify,
}

#[derive(Debug)]
struct Now {
    /// Whether received bytes begin a request.
    /// HTTP/2 peers also send other frames between requests.
    bytes_are_heads: bool,
    /// Whether the TLS handshake is done, which has a separate limit.
    greeted: bool,
    /// Whether no request has been received yet.
    fresh: bool,
    requests: usize,
    in_head: bool,
    since: Instant,
    /// The start of the period in which the peer does not accept written bytes.
    stuck: Option<Instant>,
    /// The responses that the peer has not read yet; few at a time.
    unread: Vec<Unread>,
    next: u64,
}

/// A response that the peer has not read yet.
#[derive(Clone, Copy, Debug)]
struct Unread {
    id: u64,
    since: Instant,
    /// The deadline for the peer to read it.
    limit: Instant,
}

/// A request in progress; ends on drop.
#[derive(Debug)]
pub(crate) struct Answering {
    activity: Arc<Activity>,
    id: u64,
}

impl Activity {
    pub(crate) fn new() -> Arc<Self> {
        let now = Mutex::new(Now {
            bytes_are_heads: false,
            greeted: false,
            fresh: true,
            requests: 0,
            in_head: false,
            since: Instant::now(),
            stuck: None,
            unread: Vec::new(),
            next: 0,
        });
        let evicted = Notify::new();
        Arc::new(Self { now, evicted })
    }

    /// Records that the handshake is done, with this HTTP version.
    pub(crate) fn greeted(&self, http2: bool) {
        let mut now = self.now();
        (now.greeted, now.bytes_are_heads) = (true, !http2);
        now.since = Instant::now();
    }

    pub(crate) fn begin(self: &Arc<Self>) -> Answering {
        let mut now = self.now();
        now.requests += 1;
        (now.fresh, now.in_head) = (false, false);
        now.next += 1;
        let (id, activity) = (now.next, Arc::clone(self));
        drop(now);
        Answering { activity, id }
    }

    /// Ends the connection.
    pub(crate) fn end(&self) {
        self.evicted.notify_one();
    }

    /// Returns when the connection exceeds a limit (idle, headers, or reading) or is evicted.
    pub(crate) async fn ended(&self) {
        // Dropping an arm loses nothing: `Notify` stores a notification without waiters.
        tokio::select! {
            () = self.evicted.notified() => {}
            () = self.timed_out() => {}
        }
    }

    async fn timed_out(&self) {
        loop {
            let left = self.left(Instant::now());
            if left == Some(Duration::ZERO) {
                return;
            }
            sleep(cmp::min(left.unwrap_or(TICK), TICK)).await;
        }
    }

    /// Returns the idle time and whether no request has been received; `None` while a request is processed.
    ///
    /// A connection whose peer does not read the responses is idle since the first of them.
    pub(crate) fn idle(&self, at: Instant) -> Option<(bool, Duration)> {
        let now = self.now();
        let since = match now.requests {
            0 => Some(now.since),
            requests if requests == now.unread.len() => {
                now.unread.iter().map(|unread| unread.since).min()
            }
            _ => now.stuck,
        };
        since.map(|since| (now.fresh, at.saturating_duration_since(since)))
    }

    /// Returns the time until the next applicable limit, if any.
    fn left(&self, at: Instant) -> Option<Duration> {
        let now = self.now();
        let idle = match now.requests {
            0 if now.in_head => Some(now.since + HEAD_LIMIT),
            0 if !now.greeted => None,
            0 if now.fresh => Some(now.since + FIRST_LIMIT),
            0 => Some(now.since + IDLE_LIMIT),
            _ => None,
        };
        let stuck = now.stuck.map(|since| since + WRITE_LIMIT);
        let unread = now.unread.iter().map(|unread| unread.limit).min();
        let limit = [idle, stuck, unread].into_iter().flatten().min()?;
        Some(limit.saturating_duration_since(at))
    }

    fn received(&self) {
        let mut now = self.now();
        if now.bytes_are_heads && now.requests == 0 && !now.in_head {
            now.in_head = true;
            now.since = Instant::now();
        }
    }

    fn is_stuck(&self, stuck: bool) {
        self.now().stuck = stuck.then(Instant::now);
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answering {
    /// Starts the time limit for the peer to read a response of `bytes` bytes.
    pub(crate) fn answered(&self, bytes: u64) {
        let time = WRITE_LIMIT + Duration::from_secs(bytes / READING_RATE);
        let since = Instant::now();
        self.activity.now().unread.push(Unread { id: self.id, since, limit: since + time });
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let mut now = self.activity.now();
        now.unread.retain(|unread| unread.id != self.id);
        now.requests -= 1;
        now.since = Instant::now();
    }
}

/// A stream that records received bytes and blocked writes.
#[derive(Debug)]
pub(crate) struct Watched<S> {
    stream: S,
    activity: Arc<Activity>,
    stuck: bool,
}

impl<S> Watched<S> {
    pub(crate) fn new(stream: S, activity: &Arc<Activity>) -> Self {
        Self { stream, activity: Arc::clone(activity), stuck: false }
    }

    /// Records whether a write is blocked, and returns its result.
    fn wrote<T>(&mut self, result: Poll<T>) -> Poll<T> {
        if self.stuck != result.is_pending() {
            self.stuck = result.is_pending();
            self.activity.is_stuck(self.stuck);
        }
        result
    }
}

/// Consumes `parts` units of tokio's coop budget.
fn take_time(cx: &mut Context<'_>, parts: usize) {
    for _ in 0..parts {
        match coop::poll_proceed(cx) {
            Poll::Ready(part) => part.made_progress(),
            Poll::Pending => return,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let turn = ready!(coop::poll_proceed(cx));
        let before = buf.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(cx, buf);
        let read = buf.filled().len() - before;
        if read > 0 {
            self.activity.received();
            turn.made_progress();
            take_time(cx, read / PART);
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
        let result = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.wrote(result)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_flush(cx);
        self.wrote(result)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.wrote(result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.wrote(result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::Pin;
    use std::sync::Arc;
    use std::task::Poll;
    use std::time::Duration;

    use tokio::io::{AsyncRead as _, AsyncWriteExt as _, ReadBuf};
    use tokio::time::Instant;

    use super::{Activity, FIRST_LIMIT, HEAD_LIMIT, IDLE_LIMIT, WRITE_LIMIT, Watched};

    #[tokio::test]
    async fn who_sends_without_end_gives_way() {
        let mut stream = Watched::new(tokio::io::repeat(b'x'), &activity(true));
        let read = poll_fn(|cx| {
            let mut read = 0;
            let mut bytes = [0; 4 << 10];
            loop {
                let mut part = ReadBuf::new(&mut bytes);
                match Pin::new(&mut stream).poll_read(cx, &mut part) {
                    Poll::Ready(result) => result.unwrap(),
                    Poll::Pending => return Poll::Ready(read),
                }
                read += part.filled().len();
            }
        });
        let read: usize = read.await;
        assert!((1..=128 << 10).contains(&read), "{read}");
    }

    fn activity(http2: bool) -> Arc<Activity> {
        let activity = Activity::new();
        activity.greeted(http2);
        activity
    }

    fn left(activity: &Activity) -> Option<Duration> {
        // A fixed time, so that the limits are exact.
        let since = activity.now().since;
        activity.left(since)
    }

    #[test]
    fn an_idle_connection_has_longer_than_a_head_and_longest_after_a_request() {
        let activity = activity(false);
        assert_eq!(left(&activity), Some(FIRST_LIMIT));
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
        let activity = activity(false);
        activity.received();
        let began = activity.now().since;
        activity.received();
        let late = began + HEAD_LIMIT;
        assert_eq!(activity.left(late), Some(Duration::ZERO));
    }

    #[test]
    fn http2_frames_between_requests_are_no_heads() {
        let activity = activity(true);
        drop(activity.begin());
        activity.received();
        assert_eq!(left(&activity), Some(IDLE_LIMIT));
        assert_eq!(activity.left(Instant::now() + IDLE_LIMIT * 2), Some(Duration::ZERO));
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_is_not_read_ends_the_connection() {
        let activity = activity(true);
        let (read, unread) = (activity.begin(), activity.begin());
        read.answered(100);
        let start = Instant::now();
        assert_eq!(activity.idle(start), None);
        unread.answered(5 << 20);
        drop(read);
        assert_eq!(activity.idle(start + WRITE_LIMIT), Some((false, WRITE_LIMIT)));
        activity.ended().await;
        assert_eq!(start.elapsed(), WRITE_LIMIT + Duration::from_secs(5));
        drop(unread);
        assert_eq!(left(&activity), Some(IDLE_LIMIT));
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_nothing_ends_the_connection() {
        let activity = activity(false);
        let _answering = activity.begin();
        let (near, _far) = tokio::io::duplex(1000);
        let mut watched = Watched::new(near, &activity);
        let start = Instant::now();
        watched.write_all(&[0; 1000]).await.unwrap();
        assert_eq!(activity.left(start), None);
        // Either arm may be dropped; written bytes remain written.
        tokio::select! {
            _ = watched.write_all(&[0; 1000]) => unreachable!("nobody reads"),
            () = activity.ended() => {}
        }
        assert_eq!(start.elapsed(), WRITE_LIMIT);
        assert_eq!(activity.idle(Instant::now()), Some((false, WRITE_LIMIT)));
    }
}
