// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::value::RawValue;

use super::landscape::{Landscape, SiteObject, SiteShoot};
use crate::audit::Auditor;
use crate::forecast::{Owner, Profiles, Retirements, ShootForecast, StoredShoot, UnknownForecast};
use crate::report::Reviewed;
use garden_gate_core::admission::World;
use garden_gate_core::garden::ObjectKey;
use garden_gate_model::api::{Kind, ProfileKey, Project};
use garden_gate_text::json::Json;

/// Builds the landscape of a garden: forecasts every Shoot that an auditor has audited.
#[derive(Debug)]
pub struct LandscapeBuilder<'a> {
    auditor: &'a Auditor<'a>,
    until: Timestamp,
    lookups: Lookups,
    is_packed: bool,
}

/// What builders of the same garden share: profiles that were looked up.
#[derive(Clone, Debug, Default)]
pub struct Lookups {
    /// The profiles, which auditors can share, too.
    pub profiles: Arc<Profiles>,
    retirements: Arc<Retirements>,
}

/// An object of a landscape.
#[derive(Debug)]
pub struct SitePart {
    key: ObjectKey,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Shoot(Box<SiteShoot>, Option<ProfileKey>),
    Other(SiteObject),
}

/// A landscape to which objects are added.
#[derive(Debug)]
pub struct Collecting {
    landscape: Landscape,
    /// The objects so far, since files may have duplicates and lists may restart.
    seen: HashSet<ObjectKey>,
    profiles: BTreeSet<ProfileKey>,
}

impl<'a> LandscapeBuilder<'a> {
    /// Creates a builder for the garden of an auditor.
    pub fn new(auditor: &'a Auditor<'a>, until: Timestamp, lookups: Lookups) -> Self {
        Self { auditor, until, lookups, is_packed: false }
    }

    /// Keeps the documents of Shoots compressed, for landscapes that stay in memory.
    #[must_use]
    pub fn packed(self) -> Self {
        Self { is_packed: true, ..self }
    }

    /// Returns a landscape without objects.
    pub fn begin(&self) -> Collecting {
        let judged = self.auditor.config().judged_as();
        Collecting {
            landscape: Landscape::new(self.auditor.now(), self.until, judged),
            seen: HashSet::new(),
            profiles: BTreeSet::new(),
        }
    }

    /// Returns a stored object with its findings, and its forecast if it is a Shoot.
    ///
    /// It takes the forecast of `reviewed`, if the auditor [foresees](Auditor::foreseeing) maintenance until the same time.
    ///
    /// # Errors
    /// Fails if `serde_json` fails, which does not happen for strings.
    pub fn part(
        &self,
        key: &ObjectKey,
        stored: &RawValue,
        reviewed: &mut Reviewed,
    ) -> serde_json::Result<SitePart> {
        let owner = self.owner(key);
        let content = if key.kind == Kind::Shoot {
            let (shoot, profile) = self.shoot(key, owner, stored, reviewed)?;
            Content::Shoot(Box::new(shoot), profile)
        } else {
            let namespace = self.namespace(key);
            // Several Projects may name a namespace, which belongs to one.
            let owner = match namespace.as_str() {
                "" => owner,
                namespace => Owner::of_namespace(namespace, self.auditor.garden()),
            };
            Content::Other(SiteObject::new(key.clone(), namespace, owner, reviewed)?)
        };
        Ok(SitePart { key: key.clone(), content })
    }

    fn shoot(
        &self,
        key: &ObjectKey,
        owner: Owner,
        stored: &RawValue,
        reviewed: &mut Reviewed,
    ) -> serde_json::Result<(SiteShoot, Option<ProfileKey>)> {
        let (garden, now) = (self.auditor.garden(), self.auditor.now());
        let Lookups { profiles, retirements } = &self.lookups;
        let readable = match garden.unreadable_reason(key) {
            Some(why) => Err(why.to_owned()),
            None => Ok(Json::text(stored.get()).to_value()),
        };
        let shoot = StoredShoot::new((key.namespace.clone(), key.name.clone()), owner, readable);
        let profile = shoot.profile.clone();
        let retirements = profile.as_ref().and_then(|key| {
            let profile = profiles.get(key, garden);
            let profile = Result::as_ref(&profile).ok()?;
            retirements.of(shoot.stored.as_ref().ok()?, profile, now).ok()
        });
        let forecast = match reviewed.forecast.take() {
            Some(forecast) => Ok(ShootForecast { owner: shoot.owner, forecast: *forecast }),
            None => {
                let (rules, config) = (self.auditor.rules().into(), self.auditor.config());
                shoot.forecast(profiles, &World { rules, garden, config, now }, self.until)
            }
        };
        let mut shoot = SiteShoot::new(Some(stored), forecast, Some(reviewed))?;
        shoot.retirements = retirements.unwrap_or_default();
        if self.is_packed {
            shoot.pack();
        }
        Ok((shoot, profile))
    }

    /// Returns the owner of an object; cluster-scoped objects other than Projects have none.
    pub fn owner(&self, key: &ObjectKey) -> Owner {
        let garden = self.auditor.garden();
        match (key.kind, key.namespace.as_str()) {
            (Kind::Project, _) => Owner::of_project_named(&key.name, garden),
            (_, "") => Owner::default(),
            (_, namespace) => Owner::of_namespace(namespace, garden),
        }
    }

    /// Returns the namespace of an object; that of a Project is the one that it has.
    fn namespace(&self, key: &ObjectKey) -> String {
        let project = match key.kind {
            Kind::Project => self.auditor.garden().get::<Project>(key.name.as_str()),
            _ => return key.namespace.clone(),
        };
        project.ok().flatten().and_then(|it| it.spec.namespace.clone()).unwrap_or_default()
    }

    /// Adds Shoots that could not be read, if `is_wanted`, and all profiles, and sorts the objects.
    ///
    /// # Errors
    /// Fails if `serde_json` fails, which does not happen for strings.
    pub fn end(
        &self,
        collecting: Collecting,
        is_wanted: impl Fn(&ObjectKey, &Owner) -> bool,
    ) -> serde_json::Result<Landscape> {
        let Collecting { mut landscape, seen, profiles } = collecting;
        let garden = self.auditor.garden();
        let is_shoot = |key: &ObjectKey| key.kind == Kind::Shoot && !seen.contains(key);
        for (key, why) in garden.unreadable().filter(|(key, _)| is_shoot(key)) {
            let owner = self.owner(key);
            if is_wanted(key, &owner) {
                landscape.shoots.push(SiteShoot::unknown(key, owner, why.to_owned())?);
            }
        }
        let all = garden.names_of(Kind::CloudProfile, "").map(ProfileKey::cluster);
        for key in all.chain(profiles) {
            let profile = self.lookups.profiles.get(&key, garden);
            landscape.profiles.insert(key, profile);
        }
        landscape.sort();
        Ok(landscape)
    }
}

impl SitePart {
    /// Returns the key of the object.
    pub fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// Returns the forecast, if it is a Shoot.
    pub fn forecast(&self) -> Option<Result<&ShootForecast, &UnknownForecast>> {
        match &self.content {
            Content::Shoot(shoot, _) => Some(shoot.forecast.as_ref()),
            Content::Other(_) => None,
        }
    }

    /// Returns the estimated memory in bytes.
    pub fn memory(&self) -> usize {
        match &self.content {
            Content::Shoot(shoot, _) => shoot.memory(),
            Content::Other(object) => object.memory(),
        }
    }

    /// Leaves all out but the name, for this reason; `None` if it is not a Shoot.
    ///
    /// # Errors
    /// Fails if `serde_json` fails, which does not happen for strings.
    pub fn omitted(self, why: String) -> serde_json::Result<Option<Self>> {
        let Self { key, content: Content::Shoot(shoot, _) } = self else { return Ok(None) };
        let shoot = SiteShoot::unknown(&key, shoot.owner().clone(), why)?;
        Ok(Some(Self { key, content: Content::Shoot(Box::new(shoot), None) }))
    }
}

impl Collecting {
    /// Adds an object, unless there is one with the same name.
    pub fn add(&mut self, part: SitePart) {
        if !self.seen.insert(part.key) {
            return;
        }
        match part.content {
            Content::Shoot(shoot, profile) => {
                self.profiles.extend(profile);
                self.landscape.shoots.push(*shoot);
            }
            Content::Other(object) => self.landscape.objects.push(object),
        }
    }

    /// Adds notes, such as files that could not be read.
    pub fn note(&mut self, notes: impl IntoIterator<Item = String>) {
        self.landscape.notes.extend(notes);
    }
}
