use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::forecast::Profile;
use crate::forecast::run::read;
use garden_gate_model::api::{CloudProfileSpec, Lifecycle};
use garden_gate_model::gardener::version::is_expired;
use garden_gate_model::gardener::version::maintenance::{Outcome, Targets};

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

/// Maximum number of versions of all profiles, which bounds memory; there are no consequences of further ones.
const MOST: usize = 500;

/// The profiles of a garden, each with one version that expires now.
#[derive(Debug, Default)]
pub struct RetiredVersions(Mutex<BTreeMap<Retired, Arc<CloudProfileSpec>>>);

/// The title of a profile, the name of the machine image, and the version.
type Retired = (String, Option<String>, String);

impl RetiredVersions {
    /// Returns the consequences for a stored Shoot with this profile, one for each version that it uses and that has not expired.
    ///
    /// # Errors
    /// Fails if the Shoot cannot be parsed.
    pub fn consequences(
        &self,
        stored: &Value,
        profile: &Profile,
        at: Timestamp,
    ) -> Result<Vec<Retirement>, serde_json::Error> {
        let shoot = read(stored)?;
        let mut consequences = Vec::new();
        let mut add = |image: Option<&str>,
                       version: &str,
                       outcome: &dyn Fn(&Targets<'_>) -> Option<Outcome>| {
            let Some(spec) = self.spec(profile, (image, version), at) else { return };
            let outcome = outcome(&Targets::of(&shoot, &spec));
            let Some(outcome) = outcome.filter(Outcome::is_forced) else { return };
            consequences.push(Retirement {
                image: image.map(ToOwned::to_owned),
                version: version.to_owned(),
                target: outcome.is_updated().then(|| outcome.after().to_owned()),
            });
        };
        add(None, &shoot.spec.kubernetes.version, &|targets| Some(targets.control_plane(at)));
        for (index, pool) in shoot.spec.provider.workers.iter().enumerate() {
            if let Some(version) = pool.own_version() {
                add(None, version, &|targets| targets.pool(index, at));
            }
            if let Some(image) = &pool.machine.image {
                add(Some(&image.name), &image.version, &|targets| targets.image(index, at));
            }
        }
        Ok(consequences)
    }

    /// Returns the profile with a version that expires now; `None` if the profile does not list it, or it has expired.
    fn spec(
        &self,
        profile: &Profile,
        (image, version): (Option<&str>, &str),
        at: Timestamp,
    ) -> Option<Arc<CloudProfileSpec>> {
        let key = (profile.title.clone(), image.map(ToOwned::to_owned), version.to_owned());
        let mut specs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(spec) = specs.get(&key) {
            return Some(Arc::clone(spec));
        }
        if specs.len() >= MOST {
            return None;
        }
        let mut spec = profile.spec.clone();
        retire(&mut spec, image, version, at)?;
        Some(Arc::clone(specs.entry(key).or_insert(Arc::new(spec))))
    }
}

/// Makes a version expire just before `at`; `None` if it is not listed, or has expired.
fn retire(
    spec: &mut CloudProfileSpec,
    image: Option<&str>,
    version: &str,
    at: Timestamp,
) -> Option<()> {
    let date = Some(at.checked_sub(SignedDuration::from_nanos(1)).ok()?);
    match image {
        None => {
            let mut versions = spec.kubernetes.versions.iter_mut();
            let listed = versions.find(|it| it.version == version && !is_expired(&**it, at))?;
            (listed.expiration_date, listed.lifecycle) = (date, Lifecycle::default());
        }
        Some(name) => {
            let image = spec.machine_images.iter_mut().find(|it| it.name == name)?;
            let mut versions = image.versions.iter_mut();
            let listed = versions.find(|it| it.version == version && !is_expired(&**it, at))?;
            (listed.expiration_date, listed.lifecycle) = (date, Lifecycle::default());
        }
    }
    Some(())
}
