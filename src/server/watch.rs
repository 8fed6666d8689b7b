// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

use super::source::{Read, Source, read};

/// Polling interval.
///
/// Polling also detects swapped links in mounted volumes, and changes in network file systems.
const INTERVAL: Duration = Duration::from_secs(1);

/// Reloads `source` whenever its files differ from `seen`, and passes on the result.
///
/// Invalid files are not retried before they change again. Returns only if reading panics.
pub(super) async fn watch<S: Source>(
    source: Arc<S>,
    seen: S::Fingerprint,
    mut take: impl FnMut(Result<S::Output, S::Error>),
) {
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut seen = Some(seen);
    loop {
        ticks.tick().await;
        let (source, last) = (Arc::clone(&source), seen.take());
        let Ok((fingerprint, changed)) = spawn_blocking(move || look(&*source, last)).await else {
            return;
        };
        seen = fingerprint;
        if let Some(result) = changed {
            take(result);
        }
    }
}

type Look<S> = (
    Option<<S as Source>::Fingerprint>,
    Option<Result<<S as Source>::Output, <S as Source>::Error>>,
);

fn look<S: Source>(source: &S, last: Option<S::Fingerprint>) -> Look<S> {
    if last.as_ref() == Some(&source.fingerprint()) {
        return (last, None);
    }
    let (fingerprint, result): Read<S> = read(source);
    (Some(fingerprint), Some(result))
}
