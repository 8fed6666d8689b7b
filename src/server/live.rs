// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::sleep;

use super::state::State;
use crate::garden::live::LiveGarden;
use garden_gate_core::admission::{Reading, is_read};
use garden_gate_core::garden::ObjectKey;
use garden_gate_core::rules;
use garden_gate_model::api::Kind;

/// Polling interval for the initial sync, short compared with the first lists.
const INTERVAL: Duration = Duration::from_millis(50);

/// Interval between requests for the version that the garden publishes, which an upgrade changes.
const VERSION_INTERVAL: Duration = Duration::from_secs(10);
/// Interval while the API server does not answer such a request.
const VERSION_RETRY: Duration = Duration::from_secs(1);

/// Watches the garden, and reports readiness once all kinds that the enabled rules read are synced.
/// Never returns.
pub(super) async fn follow(live: Arc<LiveGarden>, state: Arc<State>) {
    let has_version = AtomicBool::new(false);
    tokio::join!(
        live.watch(|kind| until_needed(&state, kind)),
        follow_version(&live, &state, &has_version),
        wait_for_sync(&live, &state, &has_version)
    );
}

/// Follows the version that the garden publishes, while the configuration has none.
async fn follow_version(live: &LiveGarden, state: &State, has_version: &AtomicBool) {
    let place = ObjectKey::gardener_info().to_string();
    let mut last = None;
    loop {
        let published = if state.config.load().follows_garden() {
            live.published_version().await
        } else {
            Some(Ok(None))
        };
        let Some(published) = published else {
            sleep(VERSION_RETRY).await;
            continue;
        };
        if last.as_ref() != Some(&published) {
            state.set_garden_version(published.clone(), &place);
            last = Some(published);
        }
        has_version.store(true, Ordering::Relaxed);
        sleep(VERSION_INTERVAL).await;
    }
}

/// Waits for the initial sync, and for the version of Gardener.
///
/// Later disconnects do not end readiness, since stale data plus live lookups suffice.
async fn wait_for_sync(live: &LiveGarden, state: &State, has_version: &AtomicBool) {
    let missing_version = || {
        if has_version.load(Ordering::Relaxed) {
            None
        } else {
            Some(ObjectKey::gardener_info().to_string())
        }
    };
    while let Some(missing) = missing(live, state).or_else(missing_version) {
        state.ready.set_garden_wants(missing);
        sleep(INTERVAL).await;
    }
    state.ready.set_garden();
    state.metrics.garden_loaded();
    tracing::info!("every watch of the garden is in sync");
}

/// Returns the kinds that enabled rules or policies need and that are not synced.
/// Unneeded kinds may be unserved.
fn missing(live: &LiveGarden, state: &State) -> Option<String> {
    live.missing(|kind| is_needed(state, kind))
}

/// Waits until the configuration or the policies need the objects of a kind.
async fn until_needed(state: &State, kind: Kind) {
    loop {
        let changed = state.needs_changed.notified();
        if is_needed(state, kind) {
            return;
        }
        changed.await;
    }
}

/// Reports whether enabled rules or policies need the objects of a kind.
fn is_needed(state: &State, kind: Kind) -> bool {
    let policies = state.policies.load();
    is_read(Reading::Objects(kind), rules::ALL, &state.config.load())
        || policies.iter().any(|it| it.reads().any(|read| read == kind))
}
