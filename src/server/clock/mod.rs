// SPDX-License-Identifier: Apache-2.0
//! The wall clock, and its skew relative to the API server.

mod skew;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use tokio::time::sleep;

pub(super) use skew::LIMIT;
use skew::{Reading, Reference, Skew};

/// Interval at which a wrong clock is looked for, to log it.
const INTERVAL: Duration = Duration::from_secs(1);

/// The wall clock of reviews, readiness and certificates, shared by all its clones.
///
/// A value instead of [`Timestamp::now`], so that the simulation controls the time of each replica.
#[derive(Clone)]
pub(super) struct Clock {
    read: Arc<dyn Fn() -> Reading + Send + Sync>,
    skew: Arc<Mutex<Skew>>,
}

impl Clock {
    /// Creates a clock that reads the time with `now`, and the monotonic clock of tokio.
    #[cfg(test)]
    pub(super) fn new(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        let start = tokio::time::Instant::now();
        Self::of(move || Reading { wall: now(), monotonic: start.elapsed() })
    }

    /// Creates a clock that always shows `now`.
    pub(super) fn stopped(now: Timestamp) -> Self {
        Self::of(move || Reading { wall: now, monotonic: Duration::ZERO })
    }

    fn of(read: impl Fn() -> Reading + Send + Sync + 'static) -> Self {
        let skew = Skew::new(read());
        Self { read: Arc::new(read), skew: Arc::new(Mutex::new(skew)) }
    }

    /// Returns the current time.
    pub(super) fn now(&self) -> Timestamp {
        (self.read)().wall
    }

    /// Returns the time of the API server's clock, which all replicas share.
    pub(super) fn api_server_time(&self) -> Timestamp {
        let now = self.now().saturating_sub(self.ahead());
        now.unwrap_or(Timestamp::MAX)
    }

    /// Returns by how much the clock is ahead of the API server's, or of itself at the start before the first response.
    pub(super) fn ahead(&self) -> SignedDuration {
        self.skew().ahead((self.read)())
    }

    /// Compares the clock with the `Date` header of a response that arrived now, `latency` after its request.
    pub(super) fn compare(&self, date: Timestamp, latency: Duration) {
        self.skew().compare(date, latency, (self.read)());
    }

    /// Returns the reason why the clock is wrong, if an API server disagrees with it by more than [`LIMIT`].
    pub(super) fn complaint(&self) -> Option<String> {
        let (reference, ahead) = self.wrong()?;
        (reference == Reference::ApiServer).then(|| {
            let direction = if ahead.is_positive() { "ahead of" } else { "behind" };
            let by = seconds(ahead);
            format!(
                "the clock of this machine is {by:#} {direction} the API server's; correct it (NTP)"
            )
        })
    }

    /// Returns a note that the clock has jumped by more than [`LIMIT`], if no API server has answered since the start.
    ///
    /// It may be right: a jump also corrects a wrong clock, or follows the suspension of a virtual machine.
    pub(super) fn reservation(&self) -> Option<String> {
        let (reference, ahead) = self.wrong()?;
        (reference == Reference::Start).then(|| {
            let direction = if ahead.is_positive() { "forward" } else { "back" };
            let by = seconds(ahead);
            format!(
                "the clock of this machine has jumped {by:#} {direction} since the start; correct it (NTP), or restart the server if it is right now"
            )
        })
    }

    /// Returns the skew if it exceeds [`LIMIT`], and the clock that it is relative to.
    fn wrong(&self) -> Option<(Reference, SignedDuration)> {
        let skew = self.skew();
        let ahead = skew.ahead((self.read)());
        (ahead.abs() > LIMIT).then_some((skew.reference, ahead))
    }

    fn skew(&self) -> MutexGuard<'_, Skew> {
        self.skew.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Logs once when the clock becomes wrong, and once when it is right again.
/// Never returns.
pub(super) async fn follow(clock: Clock) {
    let mut logged = None;
    loop {
        let wrong = clock.wrong().map(|(reference, _)| reference);
        if wrong != logged {
            match clock.complaint().or_else(|| clock.reservation()) {
                Some(why) => tracing::error!("{why}"),
                None => tracing::info!("the clock of this machine is right again"),
            }
            logged = wrong;
        }
        sleep(INTERVAL).await;
    }
}

/// Returns the absolute value in whole seconds.
fn seconds(duration: SignedDuration) -> SignedDuration {
    SignedDuration::from_secs(duration.as_secs()).abs()
}

/// The clocks of the machine.
impl Default for Clock {
    fn default() -> Self {
        let start = Instant::now();
        Self::of(move || Reading { wall: Timestamp::now(), monotonic: start.elapsed() })
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock").finish_non_exhaustive()
    }
}
