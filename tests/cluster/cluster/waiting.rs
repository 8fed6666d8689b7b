// SPDX-License-Identifier: Apache-2.0
use std::time::{Duration, Instant};

/// Time limit for state changes of a running cluster.
const DEADLINE: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Polls until `attempt` returns a value; panics with the name of the condition after a minute.
pub(crate) async fn eventually<T>(what: &str, mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + DEADLINE;
    loop {
        if let Some(answer) = attempt().await {
            return answer;
        }
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
