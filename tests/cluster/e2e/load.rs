// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;

/// A repeated attempt, until it is stopped.
pub(crate) struct Load {
    stop: Arc<AtomicBool>,
    done: Arc<AtomicUsize>,
    tasks: JoinSet<Vec<String>>,
}

/// Pause between two attempts of one task, so that the test does not overload a small machine.
const PAUSE: Duration = Duration::from_millis(10);

impl Load {
    /// Repeats `attempt` in `tasks` parallel tasks; it returns an error message.
    pub(crate) fn start<A, F>(tasks: usize, attempt: A) -> Load
    where
        A: Fn() -> F + Clone + Send + 'static,
        F: Future<Output = Result<(), String>> + Send,
    {
        let mut load = Load { stop: Arc::default(), done: Arc::default(), tasks: JoinSet::new() };
        for _ in 0..tasks {
            let (stop, done, attempt) =
                (Arc::clone(&load.stop), Arc::clone(&load.done), attempt.clone());
            load.tasks.spawn(async move {
                let mut failures = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    if let Err(failure) = attempt().await {
                        failures.push(failure);
                    }
                    done.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(PAUSE).await;
                }
                failures
            });
        }
        load
    }

    /// Returns the number of completed attempts.
    pub(crate) fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Stops the load; panics if any attempt failed, or if there were too few.
    pub(crate) async fn must_not_have_failed(self, at_least: usize) {
        self.stop.store(true, Ordering::Relaxed);
        let (done, failures) = (self.done(), self.tasks.join_all().await.concat());
        assert!(failures.is_empty(), "{} of {done} failed: {:?}", failures.len(), failures.first());
        assert!(done >= at_least, "only {done} attempts");
    }
}
