// SPDX-License-Identifier: Apache-2.0
//! Liveness: whether the threads that process reviews make progress.
//!
//! Probes run on a separate thread, which responds even if no review makes progress.
//! Therefore a task runs on the threads of reviews, and `/healthz` fails once it has not run for [`LIMIT`].

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use super::log::{RateLimiter, WARNING_INTERVAL};

/// Interval between beats.
const INTERVAL: Duration = Duration::from_secs(1);
/// Maximum time without a beat.
///
/// Exceeds the 30-second limit of a review, so that a busy server is not restarted.
const LIMIT: Duration = Duration::from_secs(45);

/// The times of the last progress of the threads that process reviews.
#[derive(Debug)]
pub(super) struct Heartbeat {
    /// The threads of connections.
    requests: Last,
    /// The threads that review large requests.
    large_requests: Last,
    errors: RateLimiter,
}

/// The time of the last beat; `None` before the first.
#[derive(Debug, Default)]
struct Last(Mutex<Option<Instant>>);

impl Default for Heartbeat {
    fn default() -> Self {
        Self {
            requests: Last::default(),
            large_requests: Last::default(),
            errors: RateLimiter::new(1, WARNING_INTERVAL),
        }
    }
}

impl Heartbeat {
    /// Beats periodically on the runtime that serves connections.
    /// Never returns.
    pub(super) async fn beat(&self) {
        tokio::join!(self.beat_requests(), self.beat_large_requests());
    }

    async fn beat_requests(&self) {
        loop {
            self.requests.beat();
            sleep(INTERVAL).await;
        }
    }

    /// Beats on the thread pool of large requests.
    ///
    /// It waits for no request: the work of a request depends on its client, who must not decide about a restart.
    async fn beat_large_requests(&self) {
        loop {
            // Only fails when the process ends.
            if spawn_blocking(|| ()).await.is_ok() {
                self.large_requests.beat();
            }
            sleep(INTERVAL).await;
        }
    }

    /// Returns the reason why the process should be restarted, if any.
    pub(super) fn complaint(&self) -> Option<String> {
        self.complaint_at(Instant::now())
    }

    fn complaint_at(&self, now: Instant) -> Option<String> {
        let threads = [(&self.requests, "connections"), (&self.large_requests, "large requests")];
        threads.into_iter().find_map(|(last, of)| {
            let seconds = last.silence(now)?;
            Some(format!("the threads of {of} have made no progress for {seconds} seconds"))
        })
    }

    /// Logs a complaint, at most once a minute.
    pub(super) fn log(&self, complaint: &str) {
        if self.errors.allows().is_some() {
            tracing::error!("not alive: {complaint}");
        }
    }
}

impl Last {
    fn beat(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Returns the seconds without a beat, if they are too many.
    fn silence(&self, now: Instant) -> Option<u64> {
        let silence = now.saturating_duration_since(self.time()?);
        (silence > LIMIT).then_some(silence.as_secs())
    }

    fn time(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::Arc;
    use std::sync::mpsc::channel;

    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use tokio::runtime::Builder;
    use tokio::time::{Duration, sleep, timeout};
    use tower::ServiceExt as _;

    use super::{INTERVAL, LIMIT};
    use crate::garden::live::Asker;
    use crate::server::endpoints;
    use crate::server::memory::Memory;
    use crate::server::state::{State, processors};
    use garden_gate_core::config::Config;
    use garden_gate_core::garden::Snapshot;

    fn state() -> Arc<State> {
        let state = State::new(Snapshot::default(), Config::default(), Memory::new(None));
        Arc::new(state)
    }

    async fn healthz(state: &Arc<State>) -> (u16, String) {
        let request = Request::get("/healthz").body(Body::empty()).unwrap();
        let response = endpoints::metrics(state).oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let text = to_bytes(response.into_body(), 1 << 10).await.unwrap();
        (status, String::from_utf8(text.to_vec()).unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn alive_before_the_first_beat() {
        sleep(2 * LIMIT).await;
        assert_eq!(healthz(&state()).await, (200, "ok\n".to_owned()));
    }

    #[test]
    fn stalled_threads_of_connections_are_reported() {
        let (state, runtime) = (state(), Builder::new_current_thread().enable_all().build());
        let (own, runtime) = (Arc::clone(&state), runtime.unwrap());
        runtime.spawn(async move { own.heartbeat.beat().await });
        runtime.block_on(async { sleep(Duration::from_millis(1)).await });
        assert_eq!(state.heartbeat.complaint(), None);
        // The runtime makes no progress after this.
        let last = state.heartbeat.requests.time().unwrap();
        assert_eq!(state.heartbeat.complaint_at(last + LIMIT), None);
        let complaint = state.heartbeat.complaint_at(last + LIMIT + INTERVAL);
        let expected = "the threads of connections have made no progress for 46 seconds";
        assert_eq!(complaint.as_deref(), Some(expected));
    }

    #[tokio::test(start_paused = true)]
    async fn alive_while_clients_have_all_processors() {
        let state = state();
        let own = Arc::clone(&state);
        let beating = tokio::spawn(async move { own.heartbeat.beat().await });
        let mut busy = Vec::new();
        for client in 0..=255 {
            let client = Asker::of_peer(Some(IpAddr::from([10, 0, 0, client])));
            let slot = timeout(Duration::ZERO, state.processors.permit(&client)).await;
            busy.extend(slot.ok().flatten());
        }
        assert!(busy.len() > processors() && busy.len() < 255);
        sleep(3 * LIMIT).await;
        assert_eq!(healthz(&state).await, (200, "ok\n".to_owned()));
        beating.abort();
    }

    #[test]
    fn stalled_threads_of_large_requests_are_reported_until_they_go_on() {
        let state = state();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let (release, released) = channel::<()>();
        let stalled = runtime.spawn_blocking(move || released.recv());
        let own = Arc::clone(&state);
        // The first beat is missing, so that a former one counts.
        own.heartbeat.large_requests.beat();
        let last = own.heartbeat.large_requests.time().unwrap();
        runtime.spawn(async move { own.heartbeat.beat().await });
        let silence = |last| state.heartbeat.large_requests.silence(last + LIMIT + INTERVAL);
        assert_eq!(silence(last), Some(46));
        release.send(()).unwrap();
        runtime.block_on(async {
            stalled.await.unwrap().unwrap();
            while silence(last) == Some(46) {
                sleep(Duration::from_millis(1)).await;
            }
        });
    }
}
