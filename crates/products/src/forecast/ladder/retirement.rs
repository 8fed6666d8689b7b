// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::forecast::Profile;
use crate::forecast::run::read;
use garden_gate_model::api::{CloudProfileSpec, Lifecycle};
use garden_gate_model::gardener::version::is_expired;
use garden_gate_model::gardener::version::maintenance::{Outcome, Targets};

/// Maximum number of worker pools of a Shoot that are considered.
const POOLS: usize = 50;

/// The consequence for a Shoot if a version that it uses expired now.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Retirement {
    /// The name of the machine image; `None` for a version of Kubernetes.
    pub image: Option<String>,
    /// The version.
    pub version: String,
    /// The version after the forced update; `None` if there is no target version.
    pub target: Option<String>,
}

/// Determines the consequences of retirements for many Shoots.
///
/// It keeps copies of profiles, at most one for each thread.
#[derive(Debug, Default)]
pub struct Retirements(Mutex<BTreeMap<String, Vec<CloudProfileSpec>>>);

/// An expiration date and stages of a version.
type Validity = (Option<Timestamp>, Lifecycle);

impl Retirements {
    /// Returns the consequences for a stored Shoot with this profile, for each version that it uses and that has not expired.
    ///
    /// Rules that could refuse the updates are not evaluated, and Shoots that are being deleted have no consequences.
    /// Versions that several pools use occur several times. Of Shoots with many pools, only the first 50 count.
    ///
    /// # Errors
    /// Fails if the Shoot cannot be parsed.
    pub fn of(
        &self,
        stored: &Value,
        profile: &Profile,
        at: Timestamp,
    ) -> Result<Vec<Retirement>, serde_json::Error> {
        let shoot = read(stored)?;
        if shoot.metadata.deletion_timestamp.is_some() {
            return Ok(Vec::new());
        }
        let mut spec = self.take(profile);
        let mut retirements = Vec::new();
        let mut add = |image: Option<&str>,
                       version: &str,
                       outcome: &dyn Fn(&Targets<'_>) -> Option<Outcome>| {
            let Some(validity) = expire(&mut spec, (image, version), at) else { return };
            let outcome = outcome(&Targets::of(&shoot, &spec)).filter(Outcome::is_forced);
            if let Some(is_valid) = validity_of(&mut spec, (image, version)) {
                (*is_valid.0, *is_valid.1) = validity;
            }
            retirements.extend(outcome.map(|outcome| Retirement {
                image: image.map(ToOwned::to_owned),
                version: version.to_owned(),
                target: outcome.is_updated().then(|| outcome.after().to_owned()),
            }));
        };
        add(None, &shoot.spec.kubernetes.version, &|targets| Some(targets.control_plane(at)));
        for (index, pool) in shoot.spec.provider.workers.iter().take(POOLS).enumerate() {
            if let Some(version) = pool.own_version() {
                add(None, version, &|targets| targets.pool(index, at));
            }
            if let Some(image) = &pool.machine.image {
                add(Some(&image.name), &image.version, &|targets| targets.image(index, at));
            }
        }
        self.put(profile, spec);
        Ok(retirements)
    }

    fn take(&self, profile: &Profile) -> CloudProfileSpec {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let spec = kept.get_mut(&profile.title).and_then(Vec::pop);
        drop(kept);
        spec.unwrap_or_else(|| profile.spec.clone())
    }

    fn put(&self, profile: &Profile, spec: CloudProfileSpec) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entry(profile.title.clone()).or_default().push(spec);
    }
}

/// Makes a version expire just before `at`, and returns its validity before; `None` if it is not listed, or has expired.
fn expire(
    spec: &mut CloudProfileSpec,
    of: (Option<&str>, &str),
    at: Timestamp,
) -> Option<Validity> {
    let (image, version) = of;
    let has_expired = match image {
        None => {
            let mut versions = spec.kubernetes.versions.iter();
            is_expired(versions.find(|it| it.version == version)?, at)
        }
        Some(name) => {
            let image = spec.machine_images.iter().find(|it| it.name == name)?;
            is_expired(image.versions.iter().find(|it| it.version == version)?, at)
        }
    };
    let date = at.checked_sub(SignedDuration::from_nanos(1)).ok().filter(|_| !has_expired)?;
    let (expiration_date, lifecycle) = validity_of(spec, of)?;
    Some((expiration_date.replace(date), std::mem::take(lifecycle)))
}

/// Returns the expiration date and the stages of the first version with this name.
fn validity_of<'a>(
    spec: &'a mut CloudProfileSpec,
    (image, version): (Option<&str>, &str),
) -> Option<(&'a mut Option<Timestamp>, &'a mut Lifecycle)> {
    match image {
        None => {
            let mut versions = spec.kubernetes.versions.iter_mut();
            let listed = versions.find(|it| it.version == version)?;
            Some((&mut listed.expiration_date, &mut listed.lifecycle))
        }
        Some(name) => {
            let image = spec.machine_images.iter_mut().find(|it| it.name == name)?;
            let listed = image.versions.iter_mut().find(|it| it.version == version)?;
            Some((&mut listed.expiration_date, &mut listed.lifecycle))
        }
    }
}
