// SPDX-License-Identifier: Apache-2.0
//! A month: versions pass through their lifecycle, Shoots are maintained as was forecast at its start, and memory does not grow.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use allocation_counter::measure;
use jiff::{SignedDuration, Timestamp};
use rustls::pki_types::CertificateDer;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::api_server::ApiServer;
use super::certificates;
use super::garden_of_month::{self, Churn};
use super::random::Random;
use super::replica::Replica;
use super::results::Summary;
use super::run::{runtime, send};
use garden_gate_core::admission::World;
use garden_gate_core::config::Config;
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::{CloudProfile, Kind, ObjectKey, Shoot};
use garden_gate_model::gardener::defaults;
use garden_gate_model::gardener::version::maintenance::{self, Window};
use garden_gate_products::forecast::{self, Event, Forecast, Part, Profile};

/// The user of Gardener's maintenance.
const GARDENER: &str = "system:serviceaccount:garden:gardener-controller-manager";
/// The numbers of the replicas with certificates.
const KEEPERS: RangeInclusive<u32> = 2..=3;
/// The number of parts of a run, between which memory is compared.
const PARTS: u64 = 4;
/// The maximum growth of the memory in use during a part after the first, in bytes.
const GROWTH: i64 = 512 << 10;

/// The length of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Length {
    pub(super) days: u64,
    /// The number of events of Shoots, without those of maintenance.
    pub(super) events: u64,
    /// The lifetime of serving certificates; `None` without replicas that manage them.
    pub(super) certificates: Option<SignedDuration>,
}

struct Month {
    server: ApiServer,
    replica: Replica,
    /// Replicas that share the CA in a Secret, and the certificates that they served last.
    keepers: Vec<certificates::Replica>,
    served: Vec<Option<CertificateDer<'static>>>,
    random: Random,
    length: Length,
    churn: Churn,
    maintained: BTreeMap<ObjectKey, Maintained>,
    summary: Summary,
    reviews: u64,
}

/// A Shoot with its forecast, and the next time at which Gardener maintains it.
struct Maintained {
    forecast: Forecast,
    next: Timestamp,
    is_blocked: bool,
}

/// Runs a month.
///
/// # Panics
/// Panics if a forecast does not come true, or if memory grows.
pub(super) fn run(seed: u64, length: Length) -> Summary {
    fastrand::seed(seed);
    let runtime = runtime();
    let mut month = runtime.block_on(Month::start(seed, length));
    for part in 0..PARTS {
        let used = measure(|| runtime.block_on(month.part()));
        let growth = used.bytes_current;
        eprintln!("part {part}: {growth} more bytes in use");
        assert!(part == 0 || growth < GROWTH, "{growth} more bytes in part {part}");
    }
    runtime.block_on(async { month.check_forecasts() });
    month.summary
}

impl Month {
    async fn start(seed: u64, length: Length) -> Self {
        let server = ApiServer::new(seed);
        let mut maintained = BTreeMap::new();
        let objects = garden_of_month::objects();
        for (key, object) in objects {
            server.lock().store.put(key, object);
        }
        let replica = Replica::start(&server, 1, Duration::from_mins(10), 0);
        certificates::register(&server);
        let keeper =
            |number| Some(certificates::Replica::start(&server, number, length.certificates?));
        let keepers = KEEPERS.filter_map(keeper).collect();
        sleep(Duration::from_secs(5)).await;
        let now = server.lock().now();
        let end = now + SignedDuration::from_hours(24 * i64::try_from(length.days).unwrap());
        for (key, stored) in shoots(&server) {
            let forecast =
                forecast(&server, &replica.settings.load().config, stored.clone(), now, end);
            let next = Window::of(&typed(&stored)).next_begin(now).unwrap();
            let is_blocked = false;
            maintained.insert(key, Maintained { forecast, next, is_blocked });
        }
        Self {
            server,
            replica,
            keepers,
            served: Vec::new(),
            random: Random::of_case(seed),
            length,
            churn: Churn::default(),
            maintained,
            summary: Summary::default(),
            reviews: 0,
        }
    }

    /// Runs a part of the month.
    async fn part(&mut self) {
        let Length { days, events, .. } = self.length;
        let pause = Duration::from_secs(days * 86_400) / u32::try_from(events).unwrap();
        for _ in 0..events / PARTS {
            sleep(pause).await;
            let (key, object) = self.churn.next(&mut self.random);
            match object {
                Some(object) => drop(self.server.lock().store.put(key, object)),
                None => drop(self.server.lock().store.delete(&key)),
            }
            self.summary.events += 1;
            self.server.changed();
            self.maintain().await;
            self.check_certificates();
        }
        let mut inner = self.server.lock();
        inner.store.compact();
        inner.store.drop_compacted();
        inner.forget_requests();
    }

    /// Checks that clients trust all served certificates, and counts replaced ones.
    fn check_certificates(&mut self) {
        certificates::check_trust(&self.server, &self.keepers).unwrap();
        let served: Vec<_> = self.keepers.iter().map(certificates::Replica::served).collect();
        let pairs = served.iter().zip(&self.served);
        self.summary.rotations += pairs.filter(|(new, old)| new != old).count() as u64;
        self.served = served;
    }

    /// Maintains all Shoots whose window has begun.
    async fn maintain(&mut self) {
        let now = self.server.lock().now();
        let due = self.maintained.iter().filter(|(_, it)| it.next <= now);
        let due: Vec<ObjectKey> = due.map(|(key, _)| key.clone()).collect();
        for key in due {
            let stored = self.server.lock().store.get(&key).unwrap().value.clone();
            let shoot = typed(&stored);
            let begin = self.maintained[&key].next;
            let profile = profile(&self.server, &stored);
            let run = maintenance::run(&shoot, &profile.spec, now);
            let world = World {
                rules: rules::ALL.into(),
                garden: &Snapshot::new(Knowledge::Everything),
                config: &Config::default(),
                now,
            };
            let after = run.changes();
            let after = after.then(|| forecast::after(&stored, &run, &world).shoot);
            let allowed = match &after {
                Some(after) => self.update(&key, &stored, after).await,
                None => true,
            };
            let changes = match &after {
                Some(after) => changes(&shoot, &typed(after)),
                None => Vec::new(),
            };
            self.compare(&key, begin, &changes, allowed);
            if let Some(after) = after.filter(|_| allowed) {
                self.server.lock().store.put(key.clone(), after);
                self.server.changed();
            }
            let maintained = self.maintained.get_mut(&key).unwrap();
            maintained.is_blocked = !allowed;
            maintained.next = Window::of(&shoot).next_begin(now).unwrap();
        }
    }

    /// Reports whether the replica allows an update by Gardener.
    async fn update(&mut self, key: &ObjectKey, old: &Value, new: &Value) -> bool {
        self.reviews += 1;
        let (group, version) = key.kind.api();
        let request = json!({
            "uid": self.reviews.to_string(),
            "resource": {"group": group, "version": version, "resource": key.kind.resource()},
            "operation": "UPDATE",
            "name": key.name,
            "namespace": key.namespace,
            "userInfo": {"username": GARDENER, "groups": ["system:serviceaccounts", "system:authenticated"]},
            "object": new,
            "oldObject": old,
        });
        let review = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
        let router = self.replica.router.clone();
        let (code, answer) = send(router, "/validate", review.to_string()).await;
        let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
        assert_eq!(code, 200, "{answer}");
        let decision = &answer["response"]["auditAnnotations"]["decision"];
        assert_ne!(decision, "undetermined", "{answer}");
        answer["response"]["allowed"] == true
    }

    /// Checks that a run changes exactly what was forecast for its window, and that it is allowed if that was forecast.
    fn compare(&mut self, key: &ObjectKey, begin: Timestamp, changes: &[Change], allowed: bool) {
        let maintained = &self.maintained[key];
        let windows = &maintained.forecast.windows;
        let window = windows.iter().find(|window| window.begin == begin);
        let foreseen = window.map_or_else(Vec::new, |window| versions(&window.events));
        // A run that was denied before is repeated in each window, but forecast once.
        if maintained.is_blocked && window.is_none() && !allowed {
            return;
        }
        assert_eq!(changes, foreseen, "{key} in the window at {begin}: {windows:#?}");
        let is_blocked = window.is_some_and(forecast::Maintenance::is_blocked);
        assert_eq!(allowed, !is_blocked, "{key} in the window at {begin}");
        self.summary.maintained += u64::from(!changes.is_empty());
        self.summary.denied += u64::from(!allowed);
    }

    /// Checks that every forecast run took place.
    fn check_forecasts(&self) {
        let now = self.server.lock().now();
        let windows = self.maintained.values().flat_map(|it| &it.forecast.windows);
        let due = windows.filter(|it| it.begin < now && !versions(&it.events).is_empty());
        assert_eq!(due.count() as u64, self.summary.maintained);
    }
}

/// A changed version: the part, and the version before and after.
type Change = (Part, String, String);

/// Returns the version updates among the events of a run.
fn versions(events: &[Event]) -> Vec<Change> {
    let updates = events.iter().filter_map(|event| {
        let to = event.to.clone()?;
        let is_version = !matches!(event.part, Part::Field { .. } | Part::Operation);
        is_version.then(|| (event.part.clone(), event.from.clone(), to))
    });
    let mut updates: Vec<Change> = updates.collect();
    updates.sort();
    updates
}

/// Returns the versions that differ between two states of a Shoot.
fn changes(before: &Shoot, after: &Shoot) -> Vec<Change> {
    let mut changes = Vec::new();
    let (old, new) = (&before.spec.kubernetes.version, &after.spec.kubernetes.version);
    changes.push((Part::ControlPlane, old.clone(), new.clone()));
    let pools = before.spec.provider.workers.iter();
    for (old, new) in pools.zip(&after.spec.provider.workers) {
        let (pool, version) =
            (old.name.clone(), |own: Option<&str>| own.unwrap_or_default().to_owned());
        let versions = (version(old.own_version()), version(new.own_version()));
        changes.push((Part::Pool { pool: pool.clone() }, versions.0, versions.1));
        if let (Some(old), Some(new)) = (&old.machine.image, &new.machine.image) {
            let image = old.name.clone();
            changes.push((Part::Image { pool, image }, old.version.clone(), new.version.clone()));
        }
    }
    changes.retain(|(_, old, new)| old != new);
    changes.sort();
    changes
}

/// Returns the Shoots that Gardener maintains.
fn shoots(server: &ApiServer) -> Vec<(ObjectKey, Value)> {
    let inner = server.lock();
    let shoots = inner.store.list(Kind::Shoot, garden_of_month::MAINTAINED, u64::MAX);
    shoots.map(|(key, it)| (key.clone(), it.value.clone())).collect()
}

fn typed(stored: &Value) -> Shoot {
    let mut shoot: Shoot = serde_json::from_value(stored.clone()).unwrap();
    let namespace = shoot.metadata.namespace.clone();
    defaults::shoot(&mut shoot, &namespace);
    shoot
}

fn profile(server: &ApiServer, shoot: &Value) -> Profile {
    let name = shoot["spec"]["cloudProfile"]["name"].as_str().unwrap();
    let key = ObjectKey::new(Kind::CloudProfile, "", name);
    let stored = server.lock().store.get(&key).unwrap().value.clone();
    let mut profile: CloudProfile = serde_json::from_value(stored).unwrap();
    defaults::cloud_profile(&mut profile);
    Profile::new(name.to_owned(), profile.spec)
}

/// Forecasts the maintenance of a Shoot until `end`, in a garden with all objects of the API server.
fn forecast(
    server: &ApiServer,
    config: &Config,
    stored: Value,
    now: Timestamp,
    end: Timestamp,
) -> Forecast {
    let mut garden = Snapshot::new(Knowledge::Everything);
    for kind in Kind::watched() {
        let inner = server.lock();
        let objects = inner.store.list(kind, "", u64::MAX);
        let objects: Vec<GardenObject> = objects.map(|(key, it)| it.object(key)).collect();
        for object in objects {
            garden.apply(object);
        }
    }
    let world = World { rules: rules::ALL.into(), garden: &garden, config, now };
    let profile = profile(server, &stored);
    forecast::forecast(stored, &profile, &world, end).unwrap()
}
