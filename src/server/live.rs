use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::state::State;
use crate::admission::{Reading, is_read};
use crate::garden::live::LiveGarden;
use crate::rules;

/// Polling interval for the initial sync, short compared with the first lists.
const INTERVAL: Duration = Duration::from_millis(50);

/// Watches the garden, and reports readiness once all kinds that the enabled rules read are synced.
/// Never returns.
pub(super) async fn follow(live: Arc<LiveGarden>, state: Arc<State>) {
    tokio::join!(live.watch(), wait_for_sync(&live, &state));
}

/// Waits for the initial sync.
///
/// Later disconnects do not end readiness, since stale data plus live lookups suffice.
async fn wait_for_sync(live: &LiveGarden, state: &State) {
    while let Some(missing) = missing(live, state) {
        state.ready.set_garden_wants(missing);
        sleep(INTERVAL).await;
    }
    state.ready.set_garden();
    state.metrics.garden_loaded();
    tracing::info!("every watch of the garden is in sync");
}

/// Returns the kinds that enabled rules need and that are not synced.
/// Unneeded kinds may be unserved.
fn missing(live: &LiveGarden, state: &State) -> Option<String> {
    let config = state.config.load();
    live.missing(|kind| is_read(Reading::Objects(kind), rules::ALL, &config))
}
