//! Periodic forecast of maintenance and audit of Shoots, in the background while requests are reviewed.
//! Its results are exported as metrics, and published as pages if that is enabled.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::value::RawValue;
use tokio::time::sleep;

use crate::garden::live::Page;
use crate::server::background::{self, Objects};
use crate::server::metrics::Totals;
use crate::server::published::{Collecting, Forecast};
use crate::server::state::State;
use garden_gate_core::admission::World;
use garden_gate_core::garden::{ObjectKey, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::Kind;
use garden_gate_products::audit::Auditor;
use garden_gate_products::forecast::{Outlook, Owner, PERIOD, Profiles, StoredShoot};
use garden_gate_products::report::Reviewed;

/// Number of Shoots that are forecast in one batch.
const AT_ONCE: usize = 4;

/// Forecasts the maintenance of all Shoots once the garden is ready, then at the interval `every`, measured between
/// starts.
/// Never returns.
pub(crate) async fn follow(every: Duration, objects: Objects, state: Arc<State>) {
    background::wait_until_ready(&state).await;
    loop {
        background::wait_for_clock(&state).await;
        let begin = Instant::now();
        match forecast(&objects, &state).await {
            Ok((totals, published)) => {
                let took = begin.elapsed();
                tracing::info!(
                    shoots = totals.shoots,
                    unknown = totals.unknown,
                    seconds = took.as_secs(),
                    "forecast the maintenance of Shoots"
                );
                state.metrics.forecast.record(totals, took);
                if let Some(published) = published {
                    state.published.store(Some(Arc::new(published.publish())));
                }
            }
            Err(why) => {
                tracing::warn!("failed to forecast, keeping the previous results: {why}");
                state.metrics.forecast.failed();
            }
        }
        // It fails for all later forecasts.
        let _ = state.first_forecast.set(());
        sleep(every.saturating_sub(begin.elapsed())).await;
    }
}

/// Forecasts all Shoots, with the garden and the configuration at its start.
async fn forecast(
    objects: &Objects,
    state: &State,
) -> Result<(Totals, Option<Collecting>), String> {
    let (garden, config) = (objects.garden(state), state.config.load_full());
    let policies = Arc::clone(&state.policies.load());
    let now = state.clock.now();
    // Fractions of a second are not relevant.
    let at = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let until = at.checked_add(PERIOD).map_err(|error| error.to_string())?;
    let empty = Outlook {
        at,
        until,
        judged: config.judged_as(),
        shoots: Vec::new(),
        unforeseen: Vec::new(),
    };
    let mut totals = Totals::default();
    let mut published = state.publishes.map(|limit| Collecting::new(empty, limit));
    let (is_published, profiles) = (published.is_some(), Arc::<Profiles>::default());
    let judge = move |shoots: Page| {
        let auditor = Auditor::new(&garden, &config, at)
            .of_server()
            .with_policies(Arc::clone(&policies))
            .with_profiles(Arc::clone(&profiles));
        let world = World {
            rules: (&*rules::WITHOUT_EXTENSIONS).into(),
            garden: &garden,
            config: &config,
            now: at,
        };
        let judged = shoots.into_iter().map(|(key, stored)| {
            let audit = || Reviewed::audited(&key, auditor.object(&key, &stored));
            let audited = is_published.then(audit);
            let shoot = stored_shoot(&key, &stored, &garden);
            (key, shoot.forecast(&profiles, &world, until), audited)
        });
        judged.collect()
    };
    let take = |(key, forecast, audited): (ObjectKey, Forecast, Option<Reviewed>)| {
        totals.add(&forecast);
        if let Some((published, audited)) = published.as_mut().zip(audited) {
            published.add_audited(&key, audited);
            published.add(forecast);
        }
    };
    let shoots = [Kind::Shoot].into();
    let missing = objects.judge(shoots, AT_ONCE, judge, take).await?;
    if let Some(why) = missing.first() {
        return Err(why.clone());
    }
    let omitted = published.as_ref().map_or(0, |it| it.omitted);
    if omitted > 0 {
        tracing::warn!(
            "the forecasts of {omitted} Shoots are not published for lack of memory; raise the memory limit"
        );
    }
    Ok((totals, published))
}

fn stored_shoot(key: &ObjectKey, stored: &RawValue, garden: &Snapshot) -> StoredShoot {
    let owner = Owner::of_namespace(&key.namespace, garden);
    let stored = serde_json::from_str(stored.get()).map_err(|error| error.to_string());
    StoredShoot::new((key.namespace.clone(), key.name.clone()), owner, stored)
}
