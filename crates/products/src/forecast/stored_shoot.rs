// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use rayon::prelude::*;
use serde_json::Value;

use super::simulate::simulated;
use super::{Outlook, Owner, Profile, ShootForecast, UnknownForecast};
use garden_gate_core::admission::World;
use garden_gate_core::garden::{ObjectKey, Snapshot};
use garden_gate_model::api::{CloudProfileReference, Kind, ProfileKey};

/// A stored Shoot with its owner.
#[derive(Clone, Debug)]
pub struct StoredShoot {
    /// The namespace.
    pub namespace: String,
    /// The name.
    pub name: String,
    /// The owner.
    pub owner: Owner,
    /// The profile; `None` if the Shoot references none.
    pub profile: Option<ProfileKey>,
    /// The stored object, or the reason why it is unknown.
    pub stored: Result<Value, String>,
}

impl StoredShoot {
    /// Creates a Shoot with the profile that the object references.
    pub fn new(
        (namespace, name): (String, String),
        owner: Owner,
        stored: Result<Value, String>,
    ) -> Self {
        let object = stored.as_ref().ok();
        Self {
            profile: object.and_then(|object| profile(object, &namespace)),
            namespace,
            name,
            owner,
            stored,
        }
    }

    /// Returns the stored Shoots of a garden with their owners, sorted, including those that cannot be parsed.
    ///
    /// `kept` contains the objects that can be parsed.
    pub fn all(garden: &Snapshot, kept: HashMap<ObjectKey, Value>) -> Vec<Self> {
        let unreadable: Vec<(ObjectKey, Result<Value, String>)> = garden
            .unreadable()
            .filter(|(key, _)| key.kind == Kind::Shoot)
            .map(|(key, why)| (key.clone(), Err(why.to_owned())))
            .collect();
        let lost: BTreeSet<ObjectKey> = unreadable.iter().map(|(key, _)| key.clone()).collect();
        let mut shoots: Vec<_> = kept
            .into_iter()
            .filter(|(key, _)| !lost.contains(key))
            .map(|(key, value)| (key, Ok(value)))
            .collect();
        shoots.extend(unreadable);
        shoots.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut owners: HashMap<String, Owner> = HashMap::new();
        shoots
            .into_iter()
            .map(|(ObjectKey { namespace, name, .. }, stored)| {
                let owner = owners
                    .entry(namespace.clone())
                    .or_insert_with(|| Owner::of_namespace(&namespace, garden));
                Self::new((namespace, name), owner.clone(), stored)
            })
            .collect()
    }

    /// Forecasts the maintenance until `until`.
    ///
    /// # Errors
    /// Fails with the reason if no forecast is possible.
    pub fn forecast(
        self,
        profiles: &Profiles,
        world: &World<'_>,
        until: Timestamp,
    ) -> Result<ShootForecast, UnknownForecast> {
        self.simulated(profiles, (world, until), false)
    }

    fn simulated(
        self,
        profiles: &Profiles,
        (world, until): (&World<'_>, Timestamp),
        has_machines: bool,
    ) -> Result<ShootForecast, UnknownForecast> {
        let Self { namespace, name, owner, profile, stored } = self;
        let foreseen = stored.and_then(|stored| {
            let key = profile.ok_or("it references no profile")?;
            let profile = profiles.get(&key, world.garden);
            let profile = Result::as_ref(&profile).map_err(String::clone)?;
            simulated(stored, profile, (world, until), has_machines)
                .map_err(|error| error.to_string())
        });
        match foreseen {
            Ok(forecast) => Ok(ShootForecast { owner, forecast }),
            Err(why) => Err(UnknownForecast { owner, namespace, name, why }),
        }
    }
}

impl Outlook {
    /// Predicts the maintenance of Shoots until `until`, on all cores; `seen` is called after each Shoot.
    pub fn of(
        shoots: Vec<StoredShoot>,
        world: &World<'_>,
        until: Timestamp,
        seen: impl Fn() + Sync,
    ) -> Self {
        Self::simulated(shoots, (world, until), false, seen)
    }

    /// Predicts the same, with plans of the machines.
    pub fn with_machines(
        shoots: Vec<StoredShoot>,
        world: &World<'_>,
        until: Timestamp,
        seen: impl Fn() + Sync,
    ) -> Self {
        Self::simulated(shoots, (world, until), true, seen)
    }

    fn simulated(
        shoots: Vec<StoredShoot>,
        (world, until): (&World<'_>, Timestamp),
        has_machines: bool,
        seen: impl Fn() + Sync,
    ) -> Self {
        let profiles = Profiles::default();
        let forecasts: Vec<Result<ShootForecast, UnknownForecast>> = shoots
            .into_par_iter()
            .map(|shoot| {
                let forecast = shoot.simulated(&profiles, (world, until), has_machines);
                seen();
                forecast
            })
            .collect();
        let mut outlook = Self {
            at: world.now,
            until,
            judged: world.config.judged_as(),
            shoots: Vec::with_capacity(forecasts.len()),
            unforeseen: Vec::new(),
        };
        for forecast in forecasts {
            match forecast {
                Ok(shoot) => outlook.shoots.push(shoot),
                Err(shoot) => outlook.unforeseen.push(shoot),
            }
        }
        outlook
    }
}

/// The profiles of one garden, each looked up once.
#[derive(Debug, Default)]
pub struct Profiles(Mutex<BTreeMap<ProfileKey, Arc<Result<Profile, String>>>>);

impl Profiles {
    /// Returns a profile, or the reason why it is unknown.
    ///
    /// `garden` must be the same for all calls.
    pub fn get(&self, key: &ProfileKey, garden: &Snapshot) -> Arc<Result<Profile, String>> {
        let mut profiles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let find = || Arc::new(Profile::find(key, garden));
        Arc::clone(profiles.entry(key.clone()).or_insert_with(find))
    }
}

fn profile(stored: &Value, namespace: &str) -> Option<ProfileKey> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let spec = &stored["spec"];
    let reference = spec
        .get("cloudProfile")
        .filter(|it| it.is_object())
        .map(|it| CloudProfileReference { kind: text(&it["kind"]), name: text(&it["name"]) });
    ProfileKey::effective(reference.as_ref(), &text(&spec["cloudProfileName"]), namespace)
}
