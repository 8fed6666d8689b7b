// SPDX-License-Identifier: Apache-2.0
//! Values that a field can have, from the API, the garden and the CloudProfile of a Shoot.

use std::cmp::Reverse;

use jiff::Timestamp;
use serde_json::Value;

use super::field::{FieldAt, fits, followed};
use super::outline::{Step, pointer};
use crate::forecast::Profile;
use garden_gate_core::garden::Snapshot;
use garden_gate_model::api::extensions::{ConfigurationPlace, described_configurations};
use garden_gate_model::api::{
    CloudProfileReference, CloudProfileSpec, Described, GARDEN_NAMESPACE, GardenerVersion, KINDS,
    Kind, MachineImage, ProfileKey, Region, Shape, ShootSpec, UpdateStrategy,
};
use garden_gate_model::gardener::version::{Classified, current_classification, expiry};
use garden_gate_text::go::{Quantity, Version};

/// A manifest with the state that its verdicts depend on.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The kind of the manifest.
    pub kind: &'static Described,
    /// The manifest as JSON.
    pub object: &'a Value,
    /// The garden with the changes of the workspace applied.
    pub garden: &'a Snapshot,
    /// The time of the verdicts.
    pub now: Timestamp,
    /// The version of Gardener whose fields count.
    pub version: GardenerVersion,
    /// The namespace of manifests without one.
    pub namespace: &'a str,
}

/// A possible value of a field.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidate {
    pub(super) value: String,
    /// A few words, such as the classification of a version.
    pub(super) detail: String,
    /// Whether it should not be used in new manifests.
    pub(super) is_deprecated: bool,
}

impl Candidate {
    fn new(value: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { value: value.into(), detail: detail.into(), is_deprecated: false }
    }
}

/// The path of the worker pools of a Shoot.
const POOLS: &str = "spec.provider.workers.[].";

impl<'a> View<'a> {
    /// Returns a string of the manifest.
    pub fn text(&self, pointer: &str) -> Option<&'a str> {
        self.object.pointer(pointer)?.as_str()
    }

    /// Returns the namespace of the manifest.
    pub fn own_namespace(&self) -> &'a str {
        let own = self.text("/metadata/namespace");
        own.filter(|it| !it.is_empty()).unwrap_or(self.namespace)
    }

    /// Returns the profile that the manifest references or is.
    pub fn profile_key(&self) -> Option<ProfileKey> {
        let name = || self.text("/metadata/name").unwrap_or_default();
        match self.kind.kind {
            "CloudProfile" => Some(ProfileKey::cluster(name())),
            "NamespacedCloudProfile" => Some(ProfileKey::namespaced(self.own_namespace(), name())),
            "Shoot" => {
                let text = |pointer: &str| self.text(pointer).unwrap_or_default().to_owned();
                let reference = CloudProfileReference {
                    kind: text("/spec/cloudProfile/kind"),
                    name: text("/spec/cloudProfile/name"),
                };
                let reference = Some(reference).filter(|it| !it.name.is_empty());
                let old_name = text("/spec/cloudProfileName");
                ProfileKey::effective(reference.as_ref(), &old_name, self.own_namespace())
            }
            _ => None,
        }
    }

    fn profile(&self) -> Option<CloudProfileSpec> {
        let found = Profile::find(&self.profile_key()?, self.garden).ok()?;
        Some(found.spec)
    }

    fn region(&self, profile: &CloudProfileSpec) -> Option<Region> {
        let name = self.text("/spec/region")?;
        let mut regions = profile.regions.iter();
        regions.find(|it| it.name == name).cloned()
    }

    fn names(&self, kind: Kind, detail: &str) -> Vec<Candidate> {
        let namespace = if kind.is_namespaced() { self.own_namespace() } else { "" };
        let names = self.garden.names_of(kind, namespace);
        names.map(|name| Candidate::new(name, detail)).collect()
    }

    /// Returns the possible values of a field, the best first.
    pub(super) fn candidates(&self, path: &[Step], at: &FieldAt) -> Vec<Candidate> {
        let is = |pattern: &str| fits(path, pattern);
        if is("metadata.namespace") {
            let mut namespaces: Vec<&str> = self.garden.project_namespaces().collect();
            namespaces.sort_unstable();
            let owner = |it: &str| {
                let owner = self.garden.projects_of_namespace(it).next();
                owner.map_or(String::new(), |it| format!("Project {}", it.metadata.name))
            };
            return namespaces.into_iter().map(|it| Candidate::new(it, owner(it))).collect();
        }
        let own = match self.kind.kind {
            "Shoot" => self.of_shoot(path),
            "NamespacedCloudProfile" if is("spec.parent.name") => {
                self.names(Kind::CloudProfile, "CloudProfile")
            }
            "NamespacedCloudProfile" if is("spec.parent.kind") => {
                vec![Candidate::new("CloudProfile", "")]
            }
            _ => Vec::new(),
        };
        if own.is_empty() { self.declared(path, at) } else { own }
    }

    /// Returns the values that the declaration of a field permits.
    fn declared(&self, path: &[Step], at: &FieldAt) -> Vec<Candidate> {
        if let Some((Step::Key(name), parent)) = path.split_last()
            && let Some(header) = self.header(name, parent)
        {
            return vec![Candidate::new(header, "")];
        }
        let values = at.field.and_then(|it| it.values_in(at.version));
        if let Some(values) = values {
            return values
                .into_iter()
                .filter(|it| !it.is_empty())
                .map(|it| Candidate::new(it, ""))
                .collect();
        }
        match at.shape {
            Shape::Boolean => ["true", "false"].map(|it| Candidate::new(it, "")).into(),
            _ => Vec::new(),
        }
    }

    /// Returns the only value of `apiVersion` or `kind` of the manifest, or of the configuration of an extension.
    fn header(&self, name: &str, parent: &[Step]) -> Option<String> {
        let Described { group, version, .. } = self.kind;
        let configuration = || {
            let parent = FieldAt::of(self.kind, parent, self.object, self.version)?;
            parent.configuration
        };
        match (name, parent.is_empty()) {
            ("kind", true) => Some(self.kind.kind.to_owned()),
            ("apiVersion", true) => Some(format!("{group}/{version}")),
            ("kind", false) => Some(configuration()?.kind.to_owned()),
            ("apiVersion", false) => Some(configuration()?.api_version()),
            _ => None,
        }
    }

    /// Returns the values of a field of a Shoot.
    fn of_shoot(&self, path: &[Step]) -> Vec<Candidate> {
        let found = self.references(path).or_else(|| self.constants(path));
        let in_profile = || {
            let profile = self.profile()?;
            self.in_profile(path, &profile).or_else(|| self.of_pool(path, &profile))
        };
        found.or_else(in_profile).unwrap_or_default()
    }

    /// Returns the names of the objects that a field may refer to; `None` for other fields.
    fn references(&self, path: &[Step]) -> Option<Vec<Candidate>> {
        let is = |pattern: &str| fits(path, pattern);
        if is("spec.seedName") {
            return Some(self.seeds());
        }
        let (kind, detail) = if is("spec.cloudProfile.name") {
            match self.text("/spec/cloudProfile/kind") {
                Some("NamespacedCloudProfile") => {
                    (Kind::NamespacedCloudProfile, "NamespacedCloudProfile")
                }
                _ => (Kind::CloudProfile, "CloudProfile"),
            }
        } else if is("spec.cloudProfileName") {
            (Kind::CloudProfile, "CloudProfile")
        } else if is("spec.exposureClassName") {
            (Kind::ExposureClass, "ExposureClass")
        } else if is("spec.credentialsBindingName") {
            (Kind::CredentialsBinding, "CredentialsBinding")
        } else if is("spec.secretBindingName") {
            (Kind::SecretBinding, "SecretBinding")
        } else {
            return None;
        };
        Some(self.names(kind, detail))
    }

    /// Returns the values of fields that do not depend on other objects; `None` for other fields.
    fn constants(&self, path: &[Step]) -> Option<Vec<Candidate>> {
        let is = |pattern: &str| fits(path, pattern);
        if is("spec.cloudProfile.kind") {
            return Some(plain(["CloudProfile", "NamespacedCloudProfile"]));
        }
        if is("spec.purpose") {
            let of_garden = self.own_namespace() == GARDEN_NAMESPACE;
            let more = of_garden.then_some(ShootSpec::INFRASTRUCTURE);
            return Some(plain(ShootSpec::PURPOSES.into_iter().chain(more)));
        }
        if is_in_pool(path, "updateStrategy") {
            return Some(plain(UpdateStrategy::NAMES));
        }
        if is("spec.networking.type") {
            return Some(classes(ConfigurationPlace::Network));
        }
        is("spec.extensions.[].type").then(|| classes(ConfigurationPlace::Extension))
    }

    /// Returns the values that the profile has for a field outside of machines; `None` for other fields.
    fn in_profile(&self, path: &[Step], profile: &CloudProfileSpec) -> Option<Vec<Candidate>> {
        let is = |pattern: &str| fits(path, pattern);
        if is("spec.kubernetes.version") || is_in_pool(path, "kubernetes.version") {
            return Some(versions(&profile.kubernetes.versions, self.now));
        }
        if is("spec.provider.type") {
            return Some(vec![Candidate::new(&profile.kind, "type of the CloudProfile")]);
        }
        if is("spec.region") {
            return Some(regions(profile));
        }
        if is_in_pool(path, "zones.[]") {
            let region = self.region(profile);
            let zones = region.iter().flat_map(|it| &it.zones);
            return Some(plain(zones.map(|it| it.name.as_str())));
        }
        if is("spec.accessRestrictions.[].name") {
            let region = self.region(profile);
            let names = region.iter().flat_map(|it| &it.access_restrictions);
            return Some(plain(names.map(|it| it.name.as_str())));
        }
        None
    }

    /// Returns the values that the profile has for machines, volumes and images of a pool; `None` for other fields.
    fn of_pool(&self, path: &[Step], profile: &CloudProfileSpec) -> Option<Vec<Candidate>> {
        let is = |name: &str| is_in_pool(path, name);
        let own = |name: &str| self.text(&pointer(&followed(&format!("{POOLS}{name}"), path)));
        if is("machine.type") {
            return Some(machine_types(profile));
        }
        if is("volume.type") || is("dataVolumes.[].type") {
            return Some(volume_types(profile));
        }
        let mut images = profile.machine_images.iter();
        if is("machine.image.name") {
            return Some(images.map(|it| Candidate::new(&it.name, newest(it, self.now))).collect());
        }
        let name = own("machine.image.name");
        let image = images.find(|it| Some(it.name.as_str()) == name)?;
        if is("machine.image.version") {
            return Some(versions(&image.versions, self.now));
        }
        is("cri.name").then(|| runtimes(image, own("machine.image.version")))
    }

    fn seeds(&self) -> Vec<Candidate> {
        let own = self.text("/spec/region").unwrap_or_default();
        let Ok(seeds) = self.garden.seeds() else {
            return self.names(Kind::Seed, "Seed");
        };
        let mut seeds: Vec<_> = seeds.collect();
        seeds.sort_by_key(|it| Reverse(it.spec.provider.region == own));
        let detail = |region: &str, count: usize| match count {
            1 => format!("{region}, 1 Shoot"),
            count => format!("{region}, {count} Shoots"),
        };
        seeds
            .into_iter()
            .map(|it| {
                let name = &it.metadata.name;
                let count = self.garden.shoots_on_seed(name);
                let region = &it.spec.provider.region;
                Candidate {
                    is_deprecated: !it.is_visible(),
                    ..Candidate::new(
                        name,
                        count.map_or(region.clone(), |it| detail(region, *it.start())),
                    )
                }
            })
            .collect()
    }
}

/// Reports whether a path leads to a field of a worker pool.
fn is_in_pool(path: &[Step], name: &str) -> bool {
    fits(path, &format!("{POOLS}{name}"))
}

/// Returns values without details.
fn plain<'v>(values: impl IntoIterator<Item = &'v str>) -> Vec<Candidate> {
    values.into_iter().map(|it| Candidate::new(it, "")).collect()
}

/// Returns the regions of a profile with their zones.
fn regions(profile: &CloudProfileSpec) -> Vec<Candidate> {
    let zones = |it: &Region| {
        let names: Vec<&str> = it.zones.iter().map(|it| it.name.as_str()).collect();
        if names.is_empty() { String::new() } else { format!("zones {}", names.join(", ")) }
    };
    profile.regions.iter().map(|it| Candidate::new(&it.name, zones(it))).collect()
}

/// Returns the container runtimes of a version of an image, or of all versions.
fn runtimes(image: &MachineImage, version: Option<&str>) -> Vec<Candidate> {
    let chosen =
        image.versions.iter().filter(|it| version.is_none_or(|version| it.version == version));
    let mut names: Vec<&str> = chosen.flat_map(|it| &it.cri).map(|it| it.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    plain(names)
}

/// Returns the manifests that a new document may become.
pub(super) fn kinds() -> impl Iterator<Item = &'static Described> {
    KINDS.iter()
}

/// Returns the types of known extensions that choose a configuration.
fn classes(place: ConfigurationPlace) -> Vec<Candidate> {
    let all = described_configurations().map(|(_, it)| it);
    let mut classes: Vec<&str> = all.filter(|it| it.place == place).map(|it| it.class).collect();
    classes.sort_unstable();
    classes.dedup();
    plain(classes)
}

/// Returns versions with their classification: supported ones first, and newer ones before older ones.
fn versions<T: Classified>(versions: &[T], now: Timestamp) -> Vec<Candidate> {
    let mut sorted: Vec<&T> = versions.iter().collect();
    sorted.sort_by_cached_key(|it| {
        let order = match current_classification(*it, now) {
            "supported" => 0,
            "preview" => 1,
            "deprecated" => 2,
            "expired" => 4,
            _ => 3,
        };
        (order, Reverse(Version::parse(it.version()).ok()))
    });
    let candidates = sorted.into_iter().map(|it| {
        let classification = current_classification(it, now);
        let is_expired = classification == "expired";
        let detail = match expiry(it) {
            Some(at) if is_expired => format!("{classification} on {}", at.strftime("%F")),
            Some(at) => format!("{classification}, expires on {}", at.strftime("%F")),
            None => classification.to_owned(),
        };
        Candidate {
            is_deprecated: !matches!(classification, "supported" | "preview"),
            ..Candidate::new(it.version(), detail)
        }
    });
    candidates.collect()
}

fn newest(image: &MachineImage, now: Timestamp) -> String {
    let newest = versions(&image.versions, now).into_iter().next();
    newest.map_or(String::new(), |it| format!("newest {}, {}", it.value, it.detail))
}

fn machine_types(profile: &CloudProfileSpec) -> Vec<Candidate> {
    let amount = |it: &Option<Box<Quantity>>| it.as_ref().map(|it| it.canonical());
    let types = profile.machine_types.iter().map(|it| {
        let cpu = amount(&it.cpu).map(|it| format!("{it} CPUs"));
        let memory = amount(&it.memory);
        let gpu = amount(&it.gpu).filter(|it| it != "0").map(|it| format!("{it} GPUs"));
        let architecture =
            it.architecture_within(profile.defined_architectures()).unwrap_or("amd64").to_owned();
        let parts = [cpu, memory, gpu, Some(architecture)];
        let detail: Vec<String> = parts.into_iter().flatten().collect();
        Candidate {
            is_deprecated: it.usable == Some(false),
            ..Candidate::new(&it.name, detail.join(", "))
        }
    });
    usable_first(types.collect())
}

fn volume_types(profile: &CloudProfileSpec) -> Vec<Candidate> {
    let types = profile.volume_types.iter().map(|it| Candidate {
        is_deprecated: it.usable == Some(false),
        ..Candidate::new(&it.name, &it.class)
    });
    usable_first(types.collect())
}

fn usable_first(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by_key(|it| it.is_deprecated);
    candidates
}
