// SPDX-License-Identifier: Apache-2.0
//! Changes by other clients of the Secret and the webhook configurations.

use std::time::Duration;

use tokio::sync::Notify;

use crate::server::log::RateLimiter;

/// Maximum number of repairs per [`INTERVAL`] that do not wait for the next periodic check.
///
/// Exceeds those of a rollout, and limits the writes while another client changes an object back again and again.
const MOST_REPAIRS: u32 = 10;
const INTERVAL: Duration = Duration::from_mins(1);

/// Changes by other clients that are not repaired yet.
#[derive(Debug)]
pub(super) struct Changes {
    changed: Notify,
    repairs: RateLimiter,
}

impl Default for Changes {
    fn default() -> Self {
        Self { changed: Notify::new(), repairs: RateLimiter::new(MOST_REPAIRS, INTERVAL) }
    }
}

impl Changes {
    /// Adds a change that needs a repair.
    pub(super) fn add(&self) {
        self.changed.notify_one();
    }

    /// Waits for a change that may be repaired now.
    pub(super) async fn next(&self) {
        loop {
            self.changed.notified().await;
            if self.repairs.allows().is_some() {
                return;
            }
        }
    }
}
