//! Background work on all whole objects of the garden, limited to a tenth of a processor.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::Sender;
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::sleep;

use super::state::State;
use crate::api::Kind;
use crate::garden::directory;
use crate::garden::live::{LiveGarden, Page};

/// Ratio of pause to work: background work uses a tenth of a processor.
const PATIENCE: u32 = 9;
/// Polling interval while the garden is not ready.
const WAIT: Duration = Duration::from_secs(1);

/// The source of all whole objects.
#[derive(Clone, Debug)]
pub(super) enum Objects {
    Directory(PathBuf),
    Live(Arc<LiveGarden>),
}

impl Objects {
    /// Sends all whole objects of some kinds, and returns the reasons why others are missing.
    ///
    /// An object may be sent more than once.
    ///
    /// # Errors
    /// Fails if a thread panics.
    pub(super) async fn send(
        &self,
        kinds: Arc<[Kind]>,
        pages: Sender<Page>,
    ) -> Result<Vec<String>, String> {
        let mut missing = Vec::new();
        match self {
            Self::Directory(directory) => {
                for file in directory::files(directory) {
                    let kinds = Arc::clone(&kinds);
                    let read = paced(move || directory::objects(&file, &kinds)).await;
                    let page = read.map_err(|error| error.to_string())?;
                    // The receiver lives as long as this future.
                    let _ = pages.send(page).await;
                }
            }
            Self::Live(live) => {
                for kind in kinds.iter().copied() {
                    missing.extend(live.each(kind, &pages).await.err());
                }
            }
        }
        Ok(missing)
    }
}

/// Returns once the garden is ready.
pub(super) async fn wait_until_ready(state: &State) {
    while state.ready.complaint().is_some() {
        sleep(WAIT).await;
    }
}

/// Runs `work` on a blocking thread, and then pauses for nine times its duration.
pub(super) async fn paced<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    let begin = Instant::now();
    let result = spawn_blocking(work).await;
    sleep(begin.elapsed() * PATIENCE).await;
    result
}
