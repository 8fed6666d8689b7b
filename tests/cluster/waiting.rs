use std::time::{Duration, Instant};

/// Long enough for anything that a running cluster does by itself.
const DEADLINE: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Tries until there is an answer; panics, naming what was waited for, when there is none in a minute.
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
