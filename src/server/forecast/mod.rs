//! Periodic forecast of maintenance and audit of Shoots, in the background while requests are reviewed.
//! Its results are exported as metrics, and published as pages if that is enabled.

mod numbers;
mod published;
mod totals;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::time::sleep;

pub(super) use self::numbers::ForecastNumbers;
use self::published::{Collecting, Forecast};
pub(super) use self::published::{NamespaceForecast, Published};
use self::totals::Totals;

use super::background::{self, Objects, paced};
use super::state::State;
use crate::admission::World;
use crate::api::Kind;
use crate::audit::Auditor;
use crate::config::Config;
use crate::forecast::{Outlook, Owner, Profiles, StoredShoot};
use crate::garden::{ObjectKey, Snapshot};
use crate::report::Reviewed;
use crate::rules;

/// Number of Shoots that are forecast in one batch.
const AT_ONCE: usize = 4;
/// The length of a forecast, the default of `garden-gate forecast`.
const LENGTH: SignedDuration = SignedDuration::from_hours(90 * 24);

/// Forecasts the maintenance of all Shoots once the garden is ready, then at the interval `every`, measured between
/// starts.
/// Never returns.
pub(super) async fn follow(every: Duration, objects: Objects, state: Arc<State>) {
    background::wait_until_ready(&state).await;
    loop {
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
        sleep(every.saturating_sub(begin.elapsed())).await;
    }
}

/// One forecast of all Shoots, with the garden and the configuration at its start.
struct Run {
    basis: Arc<Basis>,
    seen: HashSet<ObjectKey>,
    totals: Totals,
    /// The forecasts for pages; `None` if they are not published.
    published: Option<Collecting>,
}

/// The inputs of a forecast.
struct Basis {
    garden: Arc<Snapshot>,
    config: Arc<Config>,
    profiles: Arc<Profiles>,
    at: Timestamp,
    until: Timestamp,
}

async fn forecast(
    objects: &Objects,
    state: &State,
) -> Result<(Totals, Option<Collecting>), String> {
    let garden = state.garden.load_full();
    let now = Timestamp::now();
    // Fractions of a second are not relevant.
    let at = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let until = at.checked_add(LENGTH).map_err(|error| error.to_string())?;
    let basis = Basis {
        garden: match objects {
            Objects::Directory(_) => garden,
            Objects::Live(_) => Arc::new(garden.as_whole()),
        },
        config: state.config.load_full(),
        profiles: Arc::default(),
        at,
        until,
    };
    let empty = Outlook {
        at,
        until,
        judged: basis.config.judged_as(),
        shoots: Vec::new(),
        unforeseen: Vec::new(),
    };
    let mut run = Run {
        basis: Arc::new(basis),
        seen: HashSet::new(),
        totals: Totals::default(),
        published: state.publishes.map(|limit| Collecting::new(empty, limit)),
    };
    let (pages, mut next) = mpsc::channel(1);
    let taking = async {
        while let Some(page) = next.recv().await {
            run.add(page).await;
        }
    };
    let (missing, ()) = tokio::join!(objects.send([Kind::Shoot].into(), pages), taking);
    match missing?.first() {
        Some(why) => Err(why.clone()),
        None => {
            let omitted = run.published.as_ref().map_or(0, |it| it.omitted);
            if omitted > 0 {
                tracing::warn!(
                    "the forecasts of {omitted} Shoots are not published for lack of memory; raise the memory limit"
                );
            }
            Ok((run.totals, run.published))
        }
    }
}

impl Run {
    /// Forecasts Shoots in small batches, so that requests are not delayed.
    async fn add(&mut self, objects: Vec<(ObjectKey, Box<RawValue>)>) {
        let mut objects = objects.into_iter().peekable();
        while objects.peek().is_some() {
            let next = objects.by_ref().take(AT_ONCE);
            let next: Vec<_> = next
                .filter(|(key, _)| self.seen.insert(key.clone()))
                .collect();
            let (basis, is_published) = (Arc::clone(&self.basis), self.published.is_some());
            let batch = paced(move || {
                let shoots = next.into_iter();
                let results = shoots.map(|(key, stored)| {
                    let audited = is_published.then(|| basis.audit(&key, &stored));
                    (key.clone(), basis.forecast(key, &stored), audited)
                });
                results.collect::<Vec<_>>()
            });
            // A panic is a defect and is logged. The Shoots of other batches still count.
            for (key, forecast, audited) in batch.await.unwrap_or_default() {
                self.totals.add(&forecast);
                if let (Some(published), Some(audited)) = (&mut self.published, audited) {
                    published.add_audited(&key, audited);
                    published.add(forecast);
                }
            }
        }
    }
}

impl Basis {
    fn audit(&self, key: &ObjectKey, stored: &RawValue) -> Reviewed {
        let auditor = Auditor::new(&self.garden, &self.config, self.at).of_server();
        let auditor = auditor.with_profiles(Arc::clone(&self.profiles));
        Reviewed::audited(key, auditor.object(key, stored))
    }

    fn forecast(&self, key: ObjectKey, stored: &RawValue) -> Forecast {
        let world = World {
            rules: rules::ALL,
            garden: &self.garden,
            config: &self.config,
            now: self.at,
        };
        let owner = Owner::of_namespace(&key.namespace, &self.garden);
        let stored = serde_json::from_str(stored.get()).map_err(|error| error.to_string());
        let shoot = StoredShoot::new((key.namespace, key.name), owner, stored);
        shoot.forecast(&self.profiles, &world, self.until)
    }
}
