// SPDX-License-Identifier: Apache-2.0
//! A garden in a directory of manifests: applies its changes, and reports its unknown parts.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use jiff::Timestamp;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::state::State;
use crate::garden::directory::{GardenDirectory, Listed, LoadedGarden, Vanished};

/// Minimum interval between scans.
///
/// Polling also detects changes without notifications: swapped links in mounted volumes, and network file systems.
const PAUSE: Duration = Duration::from_secs(1);
/// Ratio of pause to scan time, which limits the processor time for many files.
const PAUSE_FACTOR: u32 = 20;

/// Publishes the garden of a directory whenever it changes.
/// Returns only if reading panics.
pub(super) async fn follow(mut directory: GardenDirectory, state: Arc<State>) {
    loop {
        let begin = Instant::now();
        let look = spawn_blocking(move || {
            let found = directory.look(SystemTime::now());
            (directory, found)
        });
        let Ok((looked, found)) = look.await else {
            return;
        };
        directory = looked;
        if let Some(found) = found {
            let taken = found.map(|garden| take(&state, directory.path(), garden));
            report_stale(&state, &directory, taken.is_err());
            state.metrics.garden_reloads.record("garden", &taken);
        }
        sleep(PAUSE.max(begin.elapsed() * PAUSE_FACTOR)).await;
    }
}

fn take(state: &State, directory: &Path, garden: LoadedGarden) {
    tracing::info!("loaded the changed garden");
    report_loaded(state, directory, &garden);
    state.garden.store(Arc::new(garden.snapshot));
    state.metrics.garden_loaded();
}

/// Reports vanished objects and load failures in the log, in readiness and in metrics.
fn report_stale(state: &State, directory: &GardenDirectory, is_failed: bool) {
    let vanished = directory.vanished();
    let path = directory.path().display();
    let mut reasons = Vec::new();
    if is_failed {
        reasons.push(format!(
            "the changed garden `{path}` cannot be loaded, so the last valid one is used"
        ));
    }
    if !vanished.is_empty() {
        let kinds: Vec<String> = vanished
            .iter()
            .map(|(kind, Vanished { count, since })| {
                let since = Timestamp::try_from(*since).unwrap_or_default();
                format!("{kind} ({count}, since {since:.0})")
            })
            .collect();
        reasons.push(format!(
            "objects vanished from the files of the garden `{path}` and count as existing until their files have been unchanged for {}s: {}",
            directory.removal_delay().as_secs_f64(),
            kinds.join(", ")
        ));
    }
    let reasons = (!reasons.is_empty()).then(|| reasons.join("; "));
    if let Some(reasons) = &reasons {
        tracing::warn!("{reasons}");
    }
    state.ready.set_stale_garden(reasons);
    state.vanished.store(Arc::new(vanished));
}

/// Reports the unknown parts of a garden in the log and in readiness, and takes its version of Gardener.
pub(super) fn report_loaded(state: &State, directory: &Path, garden: &LoadedGarden) {
    let published = garden.snapshot.published_version();
    state.set_garden_version(published, &garden.place_of_gardener_info());
    let directory = directory.display();
    for (kind, count) in &garden.skipped {
        tracing::debug!("left out {count} of kind `{kind}`");
    }
    if garden.files == 0 {
        tracing::warn!("no manifests found below `{directory}`");
    }
    let mut unknown = Vec::new();
    if !garden.problems.is_empty() {
        let problems = Listed(&garden.problems);
        tracing::warn!("the garden directory `{directory}` has {problems}");
        tracing::warn!("objects that cannot be read are unknown to every rule, never absent");
        let count = garden.problems.len();
        unknown.push(format!("{count} of its entries cannot be read"));
    }
    if !garden.lacking.is_empty() {
        let kinds =
            garden.lacking.iter().map(|kind| kind.as_str()).collect::<Vec<&str>>().join(", ");
        tracing::warn!(
            "the garden directory `{directory}` has no {kinds}, so these are unknown; set --whole-garden if there are none"
        );
        unknown.push(format!("objects of {kinds} are unknown"));
    }
    let reasons = (!unknown.is_empty()).then(|| unknown.join(" and "));
    let unknown = reasons.map(|it| format!("the garden `{directory}` is incomplete: {it}"));
    state.ready.set_unknown_garden(unknown);
}
