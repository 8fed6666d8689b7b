//! The objects of a garden with forecast and audit.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::cli::audit::{Source, StoredObject};
use crate::cli::project_filter::ProjectFilter;
use crate::review::progress::Progress;
use garden_gate_core::admission::World;
use garden_gate_core::config::JudgedVersion;
use garden_gate_core::garden::ObjectKey;
use garden_gate_core::rules;
use garden_gate_model::api::{Kind, ProfileKey, Project};
use garden_gate_products::audit::Auditor;
use garden_gate_products::forecast::{
    Owner, Profiles, RetiredVersions, StoredShoot, UnknownForecast,
};
use garden_gate_products::report::{Landscape, SiteObject, SiteShoot};
use garden_gate_text::json::Json;

/// Forecasts and audits every object of a garden once.
pub(super) struct Collector<'a> {
    auditor: &'a Auditor<'a>,
    whose: &'a ProjectFilter,
    at: Timestamp,
    until: Timestamp,
    profiles: Arc<Profiles>,
    retired: RetiredVersions,
    /// Shoots that could not be parsed, with the reasons.
    unreadable: BTreeMap<ObjectKey, String>,
}

/// A part of the landscape.
enum Part {
    Shoot(Box<SiteShoot>, Option<ProfileKey>),
    Other(SiteObject),
}

impl<'a> Collector<'a> {
    pub(super) fn new(
        auditor: &'a Auditor<'a>,
        whose: &'a ProjectFilter,
        (at, until): (Timestamp, Timestamp),
        profiles: Arc<Profiles>,
    ) -> Self {
        let unreadable = auditor.garden().unreadable().filter(|(key, _)| key.kind == Kind::Shoot);
        let unreadable = unreadable.map(|(key, why)| (key.clone(), why.to_owned())).collect();
        let retired = RetiredVersions::default();
        Self { auditor, whose, at, until, profiles, retired, unreadable }
    }

    /// Returns the selected objects.
    ///
    /// # Errors
    /// Fails if objects cannot be read from the API server.
    pub(super) fn landscape(
        &self,
        source: &Source<'_>,
        judged: JudgedVersion,
    ) -> anyhow::Result<Landscape> {
        let mut landscape = Landscape::new(self.at, self.until, judged);
        let (mut seen, mut used) = (HashSet::new(), BTreeSet::new());
        let progress = Progress::counting("collecting");
        let refused = source.each(
            self.auditor,
            &self.whose.namespaces(),
            |object| self.part(object),
            |parts| {
                for (key, part) in parts {
                    progress.add(1);
                    // Files may have duplicates, and lists may restart.
                    if !seen.insert(key) {
                        continue;
                    }
                    match part.transpose()? {
                        None => {}
                        Some(Part::Shoot(shoot, profile)) => {
                            used.extend(profile);
                            landscape.add_shoot(*shoot);
                        }
                        Some(Part::Other(object)) => landscape.add_object(object),
                    }
                }
                Ok(())
            },
        )?;
        landscape.notes.extend(refused);
        for (key, why) in self.unreadable.iter().filter(|(key, _)| !seen.contains(*key)) {
            let owner = self.owner(key);
            if self.whose.is_all() || self.whose.takes(&key.namespace, &owner) {
                landscape.add_shoot(unreadable(key, owner, why)?);
            }
        }
        let garden = self.auditor.garden();
        let profiles = garden.names_of(Kind::CloudProfile, "").map(ProfileKey::cluster);
        for key in profiles.chain(used) {
            let profile = self.profiles.get(&key, garden);
            landscape.add_profile(key, (*profile).clone());
        }
        landscape.sort();
        Ok(landscape)
    }

    /// Returns an object with its forecast and findings; `None` if it is not selected.
    fn part(&self, object: StoredObject<'_>) -> (ObjectKey, Option<serde_json::Result<Part>>) {
        let StoredObject { key, stored, reviewed } = object;
        let owner = self.owner(&key);
        if !self.whose.is_all() && !self.whose.takes(&key.namespace, &owner) {
            return (key, None);
        }
        if key.kind != Kind::Shoot {
            let namespace = self.namespace(&key);
            let object = SiteObject::new(key.clone(), namespace, owner, &reviewed);
            return (key, Some(object.map(Part::Other)));
        }
        let value = Json::text(stored.get()).to_value();
        let readable = match self.unreadable.get(&key) {
            Some(why) => Err(why.clone()),
            None => Ok(value.clone()),
        };
        let name = (key.namespace.clone(), key.name.clone());
        let shoot = StoredShoot::new(name, owner, readable);
        let profile = shoot.profile.clone();
        let garden = self.auditor.garden();
        let config = self.auditor.config();
        let world = World { rules: rules::ALL.into(), garden, config, now: self.at };
        let forecast = shoot.forecast(&self.profiles, &world, self.until);
        let retirements = profile.as_ref().filter(|_| forecast.is_ok()).and_then(|key| {
            let profile = self.profiles.get(key, garden);
            let profile = Result::as_ref(&profile).ok()?;
            self.retired.consequences(&value, profile, self.at).ok()
        });
        let retirements = retirements.unwrap_or_default();
        let shoot = SiteShoot::new(Some(stored), forecast, Some(&reviewed), retirements);
        (key, Some(shoot.map(|it| Part::Shoot(Box::new(it), profile))))
    }

    /// Returns the namespace of an object; that of a Project is the one that it has.
    fn namespace(&self, key: &ObjectKey) -> String {
        let project = match key.kind {
            Kind::Project => self.auditor.garden().get::<Project>(key.name.as_str()),
            _ => return key.namespace.clone(),
        };
        project.ok().flatten().and_then(|it| it.spec.namespace.clone()).unwrap_or_default()
    }

    /// Returns the owner of an object; cluster-scoped objects other than Projects have none.
    fn owner(&self, key: &ObjectKey) -> Owner {
        let garden = self.auditor.garden();
        match (key.kind, key.namespace.as_str()) {
            (Kind::Project, _) => Owner::of_project_named(&key.name, garden),
            (_, "") => Owner::default(),
            (_, namespace) => Owner::of_namespace(namespace, garden),
        }
    }
}

fn unreadable(key: &ObjectKey, owner: Owner, why: &str) -> serde_json::Result<SiteShoot> {
    let (namespace, name) = (key.namespace.clone(), key.name.clone());
    let unknown = UnknownForecast { owner, namespace, name, why: why.to_owned() };
    SiteShoot::new(None, Err(unknown), None, Vec::new())
}
