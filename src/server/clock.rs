use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;

/// The wall clock of reviews, readiness and managed certificates.
///
/// A value instead of [`Timestamp::now`], so that the simulation controls the time of each replica.
#[derive(Clone)]
pub(super) struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// Creates a clock that reads the time with `now`.
    #[cfg(test)]
    pub(super) fn new(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Returns the current time.
    pub(super) fn now(&self) -> Timestamp {
        (self.0)()
    }
}

/// The clock of the machine.
impl Default for Clock {
    fn default() -> Self {
        Self(Arc::new(Timestamp::now))
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock").finish_non_exhaustive()
    }
}
