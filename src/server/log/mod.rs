// SPDX-License-Identifier: Apache-2.0
//! Protects the log from untrusted input: short values in one line, and rate limits.

mod review_line;

pub(super) use review_line::log;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Interval of rate-limited warnings, so that clients cannot flood the log.
pub(super) const WARNING_INTERVAL: Duration = Duration::from_mins(1);

/// Maximum length of a name in Kubernetes, in bytes.
pub(super) const NAME_LIMIT: usize = 253;
/// Maximum length of any other value, in bytes.
pub(super) const TEXT_LIMIT: usize = 200;

/// Rate limiter for log lines; suppressed lines are counted.
#[derive(Debug)]
pub(super) struct RateLimiter {
    most: u32,
    interval: Duration,
    now: Mutex<Now>,
}

#[derive(Debug)]
struct Now {
    since: Option<Instant>,
    logged: u32,
    left_out: u64,
}

impl RateLimiter {
    pub(super) fn new(most: u32, interval: Duration) -> Self {
        let now = Mutex::new(Now { since: None, logged: 0, left_out: 0 });
        Self { most, interval, now }
    }

    /// Returns the number of suppressed lines if the line may be logged now.
    pub(super) fn allows(&self) -> Option<u64> {
        self.allows_at(Instant::now())
    }

    fn allows_at(&self, at: Instant) -> Option<u64> {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if now.since.is_none_or(|since| at.duration_since(since) >= self.interval) {
            (now.since, now.logged) = (Some(at), 0);
        }
        if now.logged >= self.most {
            now.left_out += 1;
            return None;
        }
        now.logged += 1;
        Some(std::mem::take(&mut now.left_out))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::RateLimiter;

    #[test]
    fn what_is_not_said_is_counted() {
        let rarely = RateLimiter::new(2, Duration::from_secs(1));
        let start = Instant::now();
        let logged: Vec<_> = (0..5).map(|_| rarely.allows_at(start)).collect();
        assert_eq!(logged, [Some(0), Some(0), None, None, None]);
        let later = start + Duration::from_secs(1);
        assert_eq!(rarely.allows_at(later), Some(3));
        assert_eq!(rarely.allows_at(later), Some(0));
        assert_eq!(rarely.allows_at(later), None);
    }
}
