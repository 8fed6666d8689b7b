use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

use super::finding::{CountedFinding, counted};
use super::object::object;
use super::shoot;
use crate::forecast::{Owner, Profile, Retirement, ShootForecast, UnknownForecast, deletion};
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
    pub(super) profiles: BTreeMap<ProfileKey, Result<Profile, String>>,
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
    pub(super) document: Box<str>,
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
        retirements: Vec<Retirement>,
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
            retirements,
            document: document.into(),
        })
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
        }
    }

    /// Returns the number of Shoots.
    pub fn shoots(&self) -> usize {
        self.shoots.len()
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
