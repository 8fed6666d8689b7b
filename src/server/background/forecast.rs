// SPDX-License-Identifier: Apache-2.0
//! Periodic forecast of maintenance and audit of Shoots, in the background while requests are reviewed.
//! Its results are exported as metrics, and published as pages if that is enabled.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::value::RawValue;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::garden::live::Page;
use crate::server::background::notify::{News, notify};
use crate::server::background::{self, Objects};
use crate::server::metrics::Totals;
use crate::server::published::{Collecting, Published};
use crate::server::state::{Configured, State};
use garden_gate_core::admission::World;
use garden_gate_core::garden::{ObjectKey, Snapshot};
use garden_gate_core::policies::OwnPolicy;
use garden_gate_core::rules;
use garden_gate_model::api::Kind;
use garden_gate_products::audit::Auditor;
use garden_gate_products::forecast::{Owner, PERIOD, ShootForecast, StoredShoot, UnknownForecast};
use garden_gate_products::report::{LandscapeBuilder, Lookups, Reviewed, SitePart};

/// Number of objects that are judged in one batch.
const AT_ONCE: usize = 4;

type Forecast = Result<ShootForecast, UnknownForecast>;

/// Forecasts the maintenance of all Shoots once the garden is ready, then at the interval `every`, measured between
/// starts.
/// Never returns.
pub(crate) async fn follow(every: Duration, objects: Objects, state: Arc<State>) {
    background::wait_until_ready(&state).await;
    loop {
        background::wait_for_clock(&state).await;
        let begin = Instant::now();
        match forecast(&objects, &state).await {
            Ok((totals, results)) => {
                let took = begin.elapsed();
                tracing::info!(
                    shoots = totals.shoots,
                    unknown = totals.unknown,
                    seconds = took.as_secs(),
                    "forecast the maintenance of Shoots"
                );
                state.metrics.forecast.record(totals, took);
                if let Some((published, news)) = results {
                    state.published.store(Some(Arc::new(published)));
                    // Pages are there while messages are sent.
                    let _ = state.first_forecast.set(());
                    if let Some(news) = news {
                        notify(news, every, Arc::clone(&state)).await;
                    }
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

/// What the objects of a run are judged by.
#[derive(Clone)]
struct Basis {
    garden: Arc<Snapshot>,
    config: Arc<Configured>,
    policies: Arc<[OwnPolicy]>,
    lookups: Lookups,
    at: Timestamp,
    until: Timestamp,
}

/// What is published, and the facts for the owners of Projects, if they are notified.
type Results = (Published, Option<News>);

/// A judged object.
enum Judged {
    /// A Shoot, for metrics.
    Shoot(Forecast),
    /// An object with its audit, for pages.
    Object(serde_json::Result<SitePart>, Box<Reviewed>),
}

impl Basis {
    fn auditor(&self) -> Auditor<'_> {
        Auditor::new(&self.garden, &self.config, self.at)
            .of_server()
            .foreseeing(self.until)
            .with_policies(Arc::clone(&self.policies))
            .with_profiles(Arc::clone(&self.lookups.profiles))
    }

    fn builder<'a>(&self, auditor: &'a Auditor<'a>) -> LandscapeBuilder<'a> {
        LandscapeBuilder::new(auditor, self.until, self.lookups.clone()).packed()
    }

    /// Judges objects for pages.
    fn objects(&self, objects: Page) -> Vec<Judged> {
        let auditor = self.auditor();
        let builder = self.builder(&auditor);
        let judged = objects.into_iter().map(|(key, stored)| {
            let mut reviewed = Reviewed::audited(&key, auditor.object(&key, &stored));
            Judged::Object(builder.part(&key, &stored, &mut reviewed), Box::new(reviewed))
        });
        judged.collect()
    }

    /// Forecasts Shoots for metrics.
    fn shoots(&self, shoots: Page) -> Vec<Judged> {
        let world = World {
            rules: (&*rules::WITHOUT_EXTENSIONS).into(),
            garden: &self.garden,
            config: &self.config,
            now: self.at,
        };
        let forecast = shoots.into_iter().map(|(key, stored)| {
            let shoot = stored_shoot(&key, &stored, &self.garden);
            Judged::Shoot(shoot.forecast(&self.lookups.profiles, &world, self.until))
        });
        forecast.collect()
    }
}

/// Forecasts all Shoots, with the garden and the configuration at its start, and audits all objects if that is published.
async fn forecast(objects: &Objects, state: &State) -> Result<(Totals, Option<Results>), String> {
    let now = state.clock.now();
    // Fractions of a second are not relevant.
    let at = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let basis = Basis {
        garden: objects.garden(state),
        config: state.config.load_full(),
        policies: Arc::clone(&state.policies.load()),
        lookups: Lookups::default(),
        at,
        until: at.checked_add(PERIOD).map_err(|error| error.to_string())?,
    };
    let mut totals = Totals::default();
    let collecting = |limit| Collecting::new(&basis.builder(&basis.auditor()), limit);
    let mut published = state.publishes.map(collecting);
    let (own, is_published) = (basis.clone(), published.is_some());
    let judge = move |page| if is_published { own.objects(page) } else { own.shoots(page) };
    let mut defect = Ok(());
    let mut take = |judged: Judged| match (judged, &mut published) {
        (Judged::Object(Ok(part), reviewed), Some(published)) => {
            part.forecast().into_iter().for_each(|it| totals.add(it));
            if let Err(error) = published.add(part, *reviewed) {
                defect = Err(error.to_string());
            }
        }
        (Judged::Object(Err(error), _), _) => defect = Err(error.to_string()),
        (Judged::Shoot(forecast), _) => totals.add(forecast.as_ref()),
        // There is nothing to publish.
        (Judged::Object(Ok(_), _), None) => {}
    };
    let shoots = [Kind::Shoot].into();
    let missing = objects.judge(shoots, AT_ONCE, judge.clone(), &mut take).await?;
    if let Some(why) = missing.first() {
        return Err(why.clone());
    }
    let mut missing = Vec::new();
    if is_published {
        let others = background::audited(objects).filter(|it| *it != Kind::Shoot).collect();
        missing = objects.judge(others, AT_ONCE, judge, &mut take).await?;
    }
    defect?;
    let Some(mut published) = published else { return Ok((totals, None)) };
    if let Some(why) = missing.first() {
        tracing::warn!("left out of the published findings: {why}");
        let note = "findings about objects other than Shoots are not known, since the API server does not list all of them";
        published.note(note.to_owned());
    }
    published.playground.clone_from(&state.playground);
    let omitted = published.omitted;
    if omitted > 0 {
        tracing::warn!(
            "the forecasts of {omitted} Shoots are not published for lack of memory, and nobody is notified; raise the memory limit"
        );
    }
    // The owners of Shoots that do not fit would get wrong messages.
    let notifies = state.notifier.get().is_some() && omitted == 0;
    let is_complete = missing.is_empty() && is_whole(&basis.garden);
    let publish = spawn_blocking(move || {
        let auditor = basis.auditor();
        published.publish(&basis.builder(&auditor), notifies).map_err(|error| error.to_string())
    });
    let (published, facts) = publish.await.map_err(|error| error.to_string())??;
    // A garden without Shoots may be one that is being written.
    let is_complete = is_complete && totals.shoots + totals.unknown > 0;
    Ok((totals, Some((published, facts.map(|facts| News { facts, is_complete })))))
}

/// Reports whether all objects of a garden about which people are notified are known.
fn is_whole(garden: &Snapshot) -> bool {
    let kinds = [Kind::Project, Kind::CloudProfile, Kind::Shoot];
    kinds.iter().all(|kind| garden.gap(*kind).is_none())
}

fn stored_shoot(key: &ObjectKey, stored: &RawValue, garden: &Snapshot) -> StoredShoot {
    let owner = Owner::of_namespace(&key.namespace, garden);
    let stored = serde_json::from_str(stored.get()).map_err(|error| error.to_string());
    StoredShoot::new((key.namespace.clone(), key.name.clone()), owner, stored)
}
