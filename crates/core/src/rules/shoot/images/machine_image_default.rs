// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;

use crate::admission::{Context, Findings, rule};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shared::lists::similar;
use crate::rules::shoot::workers::pool_pairs;
use garden_gate_model::api::{
    CloudProfileSpec, MachineImage, MachineImageVersion, MachineType, Shoot, ShootMachineImage,
    Versions, Worker,
};
use garden_gate_model::gardener::version::Prefix;
use garden_gate_model::gardener::version::{
    latest, supports_architecture, supports_capabilities, supports_in_place_update,
};
use garden_gate_model::some_pool;
use garden_gate_text::go::Version;

rule! {
    page: include_str!("machine_image_default.md"),
    id: "shoot/machine-image-default",
    summary: "sets an omitted or partial machine image to the highest suitable version",
    phase: Mutating,
    level: Deny,
    scopes: [Shoot [Create, Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    acts_on_unchanged: [OPEN_IMAGE],
    findings: {
        UNRESOLVED = "shoot/machine-image-unresolved": "no machine image of the profile matches the worker pool",
    },
    check: Fill(mutate),
}

/// CEL: some pool has no image, or a version that does not have three parts.
///
/// An existing pool keeps such a version, too, unless another pool has the same name.
pub(crate) const OPEN_IMAGE: &str = some_pool!(
    "type(pool.?machine.orValue(null)) != map",
    "type(pool.machine.?image.orValue(null)) != map",
    "type(pool.machine.image.?version.orValue(null)) != string",
    "!pool.machine.image.version.matches('^[^.]*[.][^.]*[.][^.]*$')",
);

/// Remedy for an image that is not listed, if no other has a similar name.
const OTHER_IMAGE: &str = "use an image and a version that the profile lists for such machines";

fn mutate(context: &Context<'_>, shoot: &mut Shoot, old: Option<&Shoot>, findings: &mut Findings) {
    if shoot.metadata.deletion_timestamp.is_some() || shoot.profile_name().is_none() {
        return;
    }
    let (old_pools, mut open) = (old.map(Shoot::pools), Vec::new());
    for (index, pool) in shoot.spec.provider.workers.iter_mut().enumerate() {
        let old_pool = old_pools.as_ref().and_then(|old| old.get(&pool.name));
        if !keep(pool, old_pool, context.runs(KEEPS_CONFIG)) {
            open.push(index);
        }
    }
    // A version with three parts needs no profile, whether it is listed or not, unless the image is missing.
    if open.is_empty() {
        return;
    }
    let Some(offer) = offer(context, shoot, findings) else {
        return;
    };
    let spec = offer.spec();
    for index in open {
        let pool = &mut shoot.spec.provider.workers[index];
        match choose(pool, spec, context.now) {
            Ok(None) => {}
            Ok(Some(image)) => pool.machine.image = Some(image),
            Err(problem) => {
                let path = pool_pairs::path(index);
                let named = pool.machine.image.as_ref().map_or("", |it| &it.name);
                let is_listed = spec.machine_images.iter().any(|it| it.name == named);
                let wrong = if is_listed { "version" } else { "name" };
                let real = path.child("machine").child("image").child(wrong);
                let known = spec.machine_images.iter().map(|it| it.name.as_str());
                let meant = similar(named, known).filter(|_| !is_listed);
                findings
                    .invalid(&UNRESOLVED, path, problem.message)
                    .at(&real)
                    .value(problem.value)
                    .help(meant.unwrap_or_else(|| OTHER_IMAGE.into()));
            }
        }
    }
}

/// The versions that keep the new `providerConfig` of an image with the stored version; before, the stored one replaced it.
const KEEPS_CONFIG: Versions = Versions::since(146);

/// Keeps the stored image of an existing pool if the new object does not set another one.
fn keep(pool: &mut Worker, old: Option<&Worker>, keeps_config: bool) -> bool {
    let Some(old) = old.and_then(|old| old.machine.image.as_ref()) else {
        return false;
    };
    if !keeps_config
        && let Some(image) = &mut pool.machine.image
        && image.name == old.name
        && (image.version.is_empty() || image.version == old.version)
    {
        image.clone_from(old);
        return true;
    }
    match &mut pool.machine.image {
        None => {
            pool.machine.image = Some(old.clone());
            true
        }
        Some(image) if image.name == old.name && image.version.is_empty() => {
            image.version.clone_from(&old.version);
            true
        }
        Some(image) => image.name == old.name && image.version == old.version,
    }
}

struct Problem {
    value: String,
    message: String,
}

/// Returns the image for a pool; `None` if its own image is used unchanged.
fn choose(
    pool: &Worker,
    spec: &CloudProfileSpec,
    now: Timestamp,
) -> Result<Option<ShootMachineImage>, Problem> {
    let selector = ImageSelector::of(pool, spec);
    let given = pool.machine.image.as_ref();
    let image = selector.image(given)?;
    let version = given.map_or("", |given| &given.version);
    let listed = || image.versions.iter().any(|it| it.version == version);
    if given.is_some_and(|given| !given.name.is_empty()) && listed() {
        return Ok(None);
    }
    let Some(prefix) = prefix(version)? else {
        return Ok(None);
    };
    let versions: Vec<&MachineImageVersion> = image
        .versions
        .iter()
        .filter(|it| Version::parse(&it.version).is_ok_and(|version| prefix.admits(&version)))
        .filter(|it| selector.fits(it))
        .collect();
    let Some(latest) =
        latest(&versions, now, true).map(|it| it.not_deprecated.unwrap_or(it.overall))
    else {
        return Err(selector.nothing_fits(image, given));
    };
    Ok(Some(ShootMachineImage {
        name: image.name.clone(),
        version: versions[latest].version.clone(),
        provider_config: given.and_then(|given| given.provider_config.clone()),
    }))
}

fn prefix(version: &str) -> Result<Option<Prefix>, Problem> {
    let bare = version.strip_prefix('v').unwrap_or(version);
    Prefix::of(bare).map_err(|error| {
        let (part, which) = (error.part, if error.is_minor { "minor" } else { "major" });
        Problem {
            value: version.to_owned(),
            message: format!(
                "`{part}` in machine image version `{version}` is not a {which} version number"
            ),
        }
    })
}

/// A pool and its profile.
struct ImageSelector<'a> {
    spec: &'a CloudProfileSpec,
    pool: &'a Worker,
    architecture: &'a str,
    machine_type: Option<&'a MachineType>,
}

impl<'a> ImageSelector<'a> {
    fn of(pool: &'a Worker, spec: &'a CloudProfileSpec) -> Self {
        let mut types = spec.machine_types.iter();
        Self {
            spec,
            pool,
            architecture: pool.machine.architecture.as_deref().unwrap_or("amd64"),
            machine_type: types.find(|it| it.name == pool.machine.machine_type),
        }
    }

    /// Returns the named image, or the first of the profile that has a suitable version for the pool.
    fn image(&self, given: Option<&ShootMachineImage>) -> Result<&'a MachineImage, Problem> {
        let images = &self.spec.machine_images;
        let name = given.map_or("", |given| &given.name);
        if images.is_empty() {
            return Err(Problem {
                value: name.to_owned(),
                message: "the profile has no machine images".to_owned(),
            });
        }
        if !name.is_empty() {
            let named = images.iter().find(|image| image.name == name);
            return named.ok_or_else(|| Problem {
                value: name.to_owned(),
                message: format!("the profile has no machine image `{name}`"),
            });
        }
        // As in Gardener: capabilities alone suffice, and a version without flavors has all of them.
        let any = |version: &MachineImageVersion| {
            let capable = |machine_type| supports_capabilities(version, self.spec, machine_type);
            supports_architecture(version, self.spec, self.architecture)
                || self.machine_type.is_some_and(capable)
        };
        let first = images.iter().find(|image| image.versions.iter().any(any));
        first.ok_or_else(|| Problem {
            value: String::new(),
            message: format!(
                "the profile has no machine image for architecture `{}`",
                self.architecture
            ),
        })
    }

    fn fits(&self, version: &MachineImageVersion) -> bool {
        let capable = |machine_type| supports_capabilities(version, self.spec, machine_type);
        supports_architecture(version, self.spec, self.architecture)
            && self.machine_type.is_none_or(capable)
            && (!self.pool.is_in_place() || supports_in_place_update(version, None))
    }

    fn nothing_fits(&self, image: &MachineImage, given: Option<&ShootMachineImage>) -> Problem {
        let name = &image.name;
        let (value, wanted) = match given {
            None => (String::new(), String::new()),
            Some(given) => {
                let value = format!("{}@{}", given.name, given.version);
                let wanted = if given.version.is_empty() {
                    String::new()
                } else {
                    format!(" that begins with `{}`", given.version)
                };
                (value, wanted)
            }
        };
        let in_place = if self.pool.is_in_place() { " and updates in place" } else { "" };
        Problem {
            value,
            message: format!(
                "machine image `{name}` has no version{wanted} for machines of type `{}` with architecture `{}`{in_place}; versions in preview are not chosen",
                self.pool.machine.machine_type, self.architecture
            ),
        }
    }
}
