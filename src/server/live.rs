use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::state::State;
use crate::engine::{Reading, is_read};
use crate::garden::live::LiveGarden;
use crate::rules;

/// How often it is looked whether the watches are in sync; short against what the first lists take.
const INTERVAL: Duration = Duration::from_millis(50);

/// Watches the garden for ever, and says when everything of it is there that the rules in force need.
pub(super) async fn follow(live: Arc<LiveGarden>, state: Arc<State>) {
    tokio::join!(live.watch(), wait_for_sync(&live, &state));
}

/// Readiness does not end when a connection does: an older view is still a view, and what it lacks is asked for.
async fn wait_for_sync(live: &LiveGarden, state: &State) {
    while let Some(missing) = missing(live, state) {
        state.ready.set_garden_wants(missing);
        sleep(INTERVAL).await;
    }
    state.ready.set_garden();
    state.metrics.garden_loaded();
    tracing::info!("every watch of the garden is in sync");
}

/// What one of the rules in force asks for. That the API server does not serve a kind keeps nobody waiting who does not need it.
fn missing(live: &LiveGarden, state: &State) -> Option<String> {
    let config = state.config.load();
    live.missing(|kind| is_read(Reading::Objects(kind), rules::ALL, &config))
}
