// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

use super::finding::{CountedFinding, counted};
use super::naming::Naming;
use super::object::object;
use super::playground::Playground;
use super::shoot;
use super::text::Text;
use crate::forecast::{
    Outlook, Owner, Profile, Retirement, ShootForecast, UnknownForecast, deletion,
};
use crate::report::Reviewed;
use garden_gate_core::config::JudgedVersion;
use garden_gate_core::garden::ObjectKey;
use garden_gate_model::api::{ProfileKey, Shoot};
use garden_gate_text::escape;
use garden_gate_text::json::decode;

/// The known Shoots and other objects of a landscape.
#[derive(Debug)]
pub struct Landscape {
    /// The time of the audit, and the start of the forecast.
    pub(in crate::report) at: Timestamp,
    /// The end of the forecast.
    pub(super) until: Timestamp,
    /// The version of Gardener by which objects are judged.
    pub(super) judged: JudgedVersion,
    /// Notes, such as files that could not be read; one sentence each.
    pub(super) notes: Vec<String>,
    pub(in crate::report) shoots: Vec<SiteShoot>,
    pub(in crate::report) objects: Vec<SiteObject>,
    pub(super) profiles: BTreeMap<ProfileKey, Arc<Result<Profile, String>>>,
    /// The playground next to the site.
    pub(super) playground: Option<Playground>,
}

/// A Shoot of a landscape.
#[derive(Debug)]
pub(in crate::report) struct SiteShoot {
    pub(in crate::report) forecast: Result<ShootForecast, UnknownForecast>,
    pub(super) kubernetes: String,
    pub(super) region: String,
    pub(super) purpose: String,
    /// The time at which Gardener deletes it, since its Quota limits its lifetime.
    pub(super) deletion: Option<Timestamp>,
    pub(super) findings: Vec<CountedFinding>,
    pub(super) retirements: Vec<Retirement>,
    /// The document about it.
    pub(super) document: Text,
}

/// Another object of a landscape.
#[derive(Debug)]
pub(in crate::report) struct SiteObject {
    pub(in crate::report) key: ObjectKey,
    /// The namespace of its Project.
    pub(super) namespace: String,
    pub(in crate::report) owner: Owner,
    pub(in crate::report) findings: Vec<CountedFinding>,
    /// Its findings as a document; `None` if there are none.
    pub(super) document: Option<Box<str>>,
}

impl SiteShoot {
    /// Creates a Shoot from its stored object, which is `None` if it could not be read.
    ///
    /// # Errors
    /// Fails if `serde_json` fails, which does not happen for strings.
    pub(super) fn new(
        stored: Option<&RawValue>,
        forecast: Result<ShootForecast, UnknownForecast>,
        reviewed: Option<&Reviewed>,
    ) -> serde_json::Result<Self> {
        let shoot = stored.and_then(|it| decode::<Shoot>(it.get()).ok());
        let document = json(&shoot::document(shoot.as_ref(), &forecast, reviewed))?;
        let deletion = shoot.as_ref().and_then(deletion);
        let spec = shoot.map(|it| it.spec).unwrap_or_default();
        Ok(Self {
            deletion,
            forecast,
            kubernetes: spec.kubernetes.version,
            region: spec.region,
            purpose: spec.purpose.unwrap_or_default(),
            findings: reviewed.map(counted).unwrap_or_default(),
            retirements: Vec::new(),
            document: Text::Plain(document.into()),
        })
    }

    /// Creates a Shoot of which only the name is known.
    ///
    /// # Errors
    /// Fails if `serde_json` fails, which does not happen for strings.
    pub(super) fn unknown(key: &ObjectKey, owner: Owner, why: String) -> serde_json::Result<Self> {
        let (namespace, name) = (key.namespace.clone(), key.name.clone());
        Self::new(None, Err(UnknownForecast { owner, namespace, name, why }), None)
    }

    /// Compresses its document.
    pub(super) fn pack(&mut self) {
        if let Text::Plain(text) = &mut self.document {
            self.document = Text::packed(mem::take(text).into());
        }
    }

    /// Returns the estimated memory in bytes.
    pub(super) fn memory(&self) -> usize {
        let forecast = match &self.forecast {
            Ok(shoot) => shoot.memory(),
            Err(it) => it.owner.memory() + it.namespace.len() + it.name.len() + it.why.len(),
        };
        let strings = [&self.kubernetes, &self.region, &self.purpose].map(String::len);
        let retirements = self.retirements.iter().map(|it| {
            let optional = it.image.iter().chain(&it.target).map(String::len).sum::<usize>();
            size_of::<Retirement>() + it.version.len() + optional
        });
        size_of::<Self>()
            + forecast
            + strings.iter().sum::<usize>()
            + retirements.sum::<usize>()
            + self.findings.iter().map(CountedFinding::memory).sum::<usize>()
            + self.document.memory()
    }

    pub(in crate::report) fn owner(&self) -> &Owner {
        match &self.forecast {
            Ok(it) => &it.owner,
            Err(it) => &it.owner,
        }
    }

    /// Returns the namespace and name.
    pub(in crate::report) fn key(&self) -> (&str, &str) {
        match &self.forecast {
            Ok(it) => (&it.forecast.namespace, &it.forecast.name),
            Err(it) => (&it.namespace, &it.name),
        }
    }

    pub(super) fn is_refused(&self) -> bool {
        self.findings.iter().any(CountedFinding::is_urgent)
    }
}

impl SiteObject {
    /// Creates an object other than a Shoot; `namespace` is that of the Project to which it belongs, or empty.
    ///
    /// # Errors
    /// Fails if `serde_json` fails, which does not happen for strings.
    pub(super) fn new(
        key: ObjectKey,
        namespace: String,
        owner: Owner,
        reviewed: &Reviewed,
    ) -> serde_json::Result<Self> {
        let document = object(&key, reviewed).map(|it| json(&it)).transpose()?;
        let findings = counted(reviewed);
        Ok(Self { key, namespace, owner, findings, document: document.map(Into::into) })
    }

    /// Returns the estimated memory in bytes.
    pub(super) fn memory(&self) -> usize {
        let names = [&self.key.namespace, &self.key.name, &self.namespace].map(String::len);
        let document = self.document.as_ref().map_or(0, |it| it.len());
        size_of::<Self>()
            + names.iter().sum::<usize>()
            + self.owner.memory()
            + self.findings.iter().map(CountedFinding::memory).sum::<usize>()
            + document
    }
}

impl Landscape {
    /// Creates a landscape without objects.
    pub(super) fn new(at: Timestamp, until: Timestamp, judged: JudgedVersion) -> Self {
        Self {
            at,
            until,
            judged,
            notes: Vec::new(),
            shoots: Vec::new(),
            objects: Vec::new(),
            profiles: BTreeMap::new(),
            playground: None,
        }
    }

    /// Returns the landscape with links to a playground, which is next to its site.
    #[must_use]
    pub fn with_playground(self, playground: Option<Playground>) -> Self {
        Self { playground, ..self }
    }

    /// Returns the number of Shoots.
    pub fn shoots(&self) -> usize {
        self.shoots.len()
    }

    /// Returns a landscape of the same time, without objects.
    #[must_use]
    pub fn without_objects(&self) -> Self {
        let playground = self.playground.clone();
        Self { playground, ..Self::new(self.at, self.until, self.judged) }
    }

    /// Returns the estimated memory in bytes.
    pub fn memory(&self) -> usize {
        let objects = self.objects.iter().map(SiteObject::memory).sum::<usize>();
        self.shoots.iter().map(SiteShoot::memory).sum::<usize>() + objects
    }

    /// Returns the version of Gardener by which objects are judged.
    pub fn judged(&self) -> JudgedVersion {
        self.judged
    }

    /// Returns the start of the forecast.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// Returns the forecasts of Shoots that have one.
    pub fn forecasts(&self) -> impl Iterator<Item = &ShootForecast> + Clone {
        self.shoots.iter().filter_map(|it| it.forecast.as_ref().ok())
    }

    /// Returns the forecast of all Shoots.
    pub fn outlook(&self) -> Outlook {
        let Self { at, until, judged, .. } = *self;
        let (mut known, mut unforeseen) = (Vec::new(), Vec::new());
        for shoot in &self.shoots {
            match &shoot.forecast {
                Ok(forecast) => known.push(forecast.clone()),
                Err(unknown) => unforeseen.push(unknown.clone()),
            }
        }
        Outlook { at, until, judged, shoots: known, unforeseen }
    }

    /// Returns the name of the Project, if the Shoots are those of one namespace; empty if it is unknown.
    pub fn project(&self) -> &str {
        self.shoots.first().map(|it| &*it.owner().project).unwrap_or_default()
    }

    /// Divides the landscape by namespace.
    ///
    /// Each part has the profiles that its Shoots use. Cluster-scoped objects are left out.
    pub fn by_namespace(self) -> BTreeMap<String, Self> {
        let Self { at, until, judged, notes, shoots, objects, profiles, playground } = self;
        let empty = || {
            let (notes, playground) = (notes.clone(), playground.clone());
            Self { notes, playground, ..Self::new(at, until, judged) }
        };
        let mut parts: BTreeMap<String, Self> = BTreeMap::new();
        for shoot in shoots {
            let namespace = shoot.key().0.to_owned();
            parts.entry(namespace).or_insert_with(empty).shoots.push(shoot);
        }
        for object in objects.into_iter().filter(|it| !it.namespace.is_empty()) {
            let namespace = object.namespace.clone();
            parts.entry(namespace).or_insert_with(empty).objects.push(object);
        }
        for part in parts.values_mut() {
            let used: BTreeSet<&str> = part
                .shoots
                .iter()
                .filter_map(|it| it.forecast.as_ref().ok())
                .map(|it| it.forecast.profile.as_str())
                .collect();
            let is_used = |key: &ProfileKey| used.contains(&*key.to_string());
            let used = profiles.iter().filter(|(key, _)| is_used(key));
            part.profiles = used.map(|(key, it)| (key.clone(), Arc::clone(it))).collect();
        }
        parts
    }

    /// Returns the document about a Shoot under its name among [`Naming::Names`], as JSON in one line.
    pub fn shoot_document(&self, document: &str) -> Option<String> {
        let mut shoots = self.shoots.iter();
        let shoot = shoots.find(|it| Naming::Names.shoot(0, it.key()) == document)?;
        Some(format!("{{\"shoots\":[{}]}}", shoot.document.text()))
    }

    /// Sorts the objects, by Project, namespace and name.
    pub(super) fn sort(&mut self) {
        let project = |owner: &Owner| (owner.project.is_empty(), owner.project.clone());
        self.shoots.sort_by_cached_key(|it| {
            let (namespace, name) = it.key();
            (project(it.owner()), namespace.to_owned(), name.to_owned())
        });
        self.objects.sort_by_cached_key(|it| (project(&it.owner), it.key.clone()));
    }
}

/// Formats a value as JSON in one line, without characters that change the direction of text or are invisible.
pub(super) fn json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escape::json_shown(&serde_json::to_string(value)?).into_owned())
}
