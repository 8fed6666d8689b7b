// SPDX-License-Identifier: Apache-2.0
//! Periodic audit of the garden, in the background while requests are reviewed.
//! Its results are exported as metrics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::garden::live::Page;
use crate::server::background::{self, Objects};
use crate::server::state::State;
use garden_gate_core::garden::ObjectKey;
use garden_gate_model::api::Kind;
use garden_gate_products::audit::{Audited, Auditor, Tally};
use garden_gate_products::forecast::Owner;

/// Number of objects that are reviewed in one batch.
const AT_ONCE: usize = 8;

/// Audits the garden once it is ready, then at the interval `every`, measured between starts.
/// Never returns.
///
/// If forecasts are published, their audits count, unless they are older than the interval.
pub(crate) async fn follow(every: Duration, objects: Objects, state: Arc<State>) {
    background::wait_until_ready(&state).await;
    if state.publishes.is_some() && state.is_forecast {
        state.first_forecast.wait().await;
    }
    loop {
        background::wait_for_clock(&state).await;
        let begin = Instant::now();
        match audit(every, &objects, &state).await {
            Ok(tally) => {
                let took = begin.elapsed();
                tracing::info!(
                    objects = tally.all.objects,
                    denied = tally.all.denied,
                    warned = tally.all.warned,
                    undetermined = tally.all.undetermined,
                    seconds = took.as_secs(),
                    "audited the garden"
                );
                state.metrics.audit.record(&tally, took);
            }
            Err(why) => {
                tracing::warn!("failed to audit the garden, keeping the previous results: {why}");
                state.metrics.audit.failed();
            }
        }
        sleep(every.saturating_sub(begin.elapsed())).await;
    }
}

/// Audits all objects, with the garden and the configuration at its start.
async fn audit(every: Duration, objects: &Objects, state: &State) -> Result<Tally, String> {
    let (garden, config) = (objects.garden(state), state.config.load_full());
    let policies = Arc::clone(&state.policies.load());
    let now = state.clock.now();
    let published = state.published.load_full();
    if let Some(tally) = published.as_ref().and_then(|it| it.recent_tally(every, now)) {
        return Ok(tally.clone());
    }
    let kinds: Arc<[Kind]> = background::audited(objects).collect();
    let judge = move |objects: Page| {
        let auditor =
            Auditor::new(&garden, &config, now).of_server().with_policies(Arc::clone(&policies));
        let judged = objects.into_iter().map(|(key, stored)| {
            let audited = auditor.object(&key, &stored);
            (key, audited)
        });
        judged.collect()
    };
    let mut tally = Tally::default();
    let count = |(key, audited): (ObjectKey, Audited)| {
        let result = (&audited.review, audited.occasions.as_slice());
        tally.add(&key, &Owner::default(), result);
    };
    let missing = objects.judge(kinds, AT_ONCE, judge, count).await?;
    match missing.first() {
        Some(why) if tally.all.objects == 0 => return Err(why.clone()),
        Some(why) => tracing::warn!("left out of the audit: {why}"),
        None => {}
    }
    Ok(tally)
}
