//! Values that a field can have, from the API, the garden and the CloudProfile of a Shoot.

use std::cmp::Reverse;

use jiff::Timestamp;
use serde_json::Value;

use super::field::{FieldAt, fits, followed};
use super::outline::{Step, pointer};
use crate::api::extensions::{ConfigurationPlace, EXTENSIONS};
use crate::api::{
    CloudProfileReference, CloudProfileSpec, Described, GARDEN_NAMESPACE, GardenerVersion, KINDS,
    Kind, MachineImage, ProfileKey, Region, Shape, ShootSpec, UpdateStrategy,
};
use crate::forecast::Profile;
use crate::garden::Snapshot;
use crate::gardener::version::{Classified, current_classification, expiry};
use crate::go::{Quantity, Version};

/// A manifest with the state that its verdicts depend on.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) kind: &'static Described,
    pub(super) object: &'a Value,
    /// The garden with the changes of the workspace applied.
    pub(super) garden: &'a Snapshot,
    pub(super) now: Timestamp,
    pub(super) version: GardenerVersion,
    /// The namespace of manifests without one.
    pub(super) namespace: &'a str,
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
    pub(super) fn text(&self, pointer: &str) -> Option<&'a str> {
        self.object.pointer(pointer)?.as_str()
    }

    /// Returns the namespace of the manifest.
    pub(super) fn own_namespace(&self) -> &'a str {
        let own = self.text("/metadata/namespace");
        own.filter(|it| !it.is_empty()).unwrap_or(self.namespace)
    }

    /// Returns the profile that the manifest references or is.
    pub(super) fn profile_key(&self) -> Option<ProfileKey> {
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
        match own.is_empty() {
            true => self.declared(path, at),
            false => own,
        }
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
            let values = values.into_iter().filter(|it| !it.is_empty());
            return values.map(|it| Candidate::new(it, "")).collect();
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

    fn of_shoot(&self, path: &[Step]) -> Vec<Candidate> {
        let is = |pattern: &str| fits(path, pattern);
        let in_pool = |name: &str| fits(path, &format!("{POOLS}{name}"));
        let own = |name: &str| self.text(&pointer(&followed(&format!("{POOLS}{name}"), path)));
        if is("spec.cloudProfile.kind") {
            return ["CloudProfile", "NamespacedCloudProfile"]
                .map(|it| Candidate::new(it, ""))
                .into();
        }
        if is("spec.cloudProfile.name") {
            return match self.text("/spec/cloudProfile/kind") {
                Some("NamespacedCloudProfile") => {
                    self.names(Kind::NamespacedCloudProfile, "NamespacedCloudProfile")
                }
                _ => self.names(Kind::CloudProfile, "CloudProfile"),
            };
        }
        if is("spec.cloudProfileName") {
            return self.names(Kind::CloudProfile, "CloudProfile");
        }
        if is("spec.seedName") {
            return self.seeds();
        }
        if is("spec.exposureClassName") {
            return self.names(Kind::ExposureClass, "ExposureClass");
        }
        if is("spec.credentialsBindingName") {
            return self.names(Kind::CredentialsBinding, "CredentialsBinding");
        }
        if is("spec.secretBindingName") {
            return self.names(Kind::SecretBinding, "SecretBinding");
        }
        if is("spec.purpose") {
            let of_garden = self.own_namespace() == GARDEN_NAMESPACE;
            let more = of_garden.then_some(ShootSpec::INFRASTRUCTURE);
            let purposes = ShootSpec::PURPOSES.into_iter().chain(more);
            return purposes.map(|it| Candidate::new(it, "")).collect();
        }
        if in_pool("updateStrategy") {
            return UpdateStrategy::NAMES.map(|it| Candidate::new(it, "")).into();
        }
        if is("spec.networking.type") {
            return classes(ConfigurationPlace::Network);
        }
        if is("spec.extensions.[].type") {
            return classes(ConfigurationPlace::Extension);
        }
        let Some(profile) = self.profile() else {
            return Vec::new();
        };
        if is("spec.kubernetes.version") || in_pool("kubernetes.version") {
            return versions(&profile.kubernetes.versions, self.now);
        }
        if is("spec.provider.type") {
            return vec![Candidate::new(&profile.kind, "type of the CloudProfile")];
        }
        if is("spec.region") {
            let zones = |it: &Region| {
                let names: Vec<&str> = it.zones.iter().map(|it| it.name.as_str()).collect();
                match names.is_empty() {
                    true => String::new(),
                    false => format!("zones {}", names.join(", ")),
                }
            };
            let regions = profile.regions.iter();
            return regions.map(|it| Candidate::new(&it.name, zones(it))).collect();
        }
        if in_pool("zones.[]") {
            let region = self.region(&profile);
            let zones = region.iter().flat_map(|it| &it.zones);
            return zones.map(|it| Candidate::new(&it.name, "")).collect();
        }
        if is("spec.accessRestrictions.[].name") {
            let region = self.region(&profile);
            let names = region.iter().flat_map(|it| &it.access_restrictions);
            return names.map(|it| Candidate::new(&it.name, "")).collect();
        }
        if in_pool("machine.type") {
            return machine_types(&profile);
        }
        if in_pool("volume.type") || in_pool("dataVolumes.[].type") {
            return volume_types(&profile);
        }
        if in_pool("machine.image.name") {
            let images = profile.machine_images.iter();
            return images.map(|it| Candidate::new(&it.name, newest(it, self.now))).collect();
        }
        let image = own("machine.image.name");
        let image = profile.machine_images.iter().find(|it| Some(it.name.as_str()) == image);
        let Some(image) = image else {
            return Vec::new();
        };
        if in_pool("machine.image.version") {
            return versions(&image.versions, self.now);
        }
        if in_pool("cri.name") {
            let version = own("machine.image.version");
            let chosen = image.versions.iter();
            let chosen = chosen.filter(|it| version.is_none_or(|version| it.version == version));
            let mut names: Vec<&str> =
                chosen.flat_map(|it| &it.cri).map(|it| it.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            return names.into_iter().map(|it| Candidate::new(it, "")).collect();
        }
        Vec::new()
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
        let seeds = seeds.into_iter().map(|it| {
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
        });
        seeds.collect()
    }
}

/// Returns the manifests that a new document may become.
pub(super) fn kinds() -> impl Iterator<Item = &'static Described> {
    KINDS.iter()
}

/// Returns the types of known extensions that choose a configuration.
fn classes(place: ConfigurationPlace) -> Vec<Candidate> {
    let all = EXTENSIONS.iter().flat_map(|it| it.configurations);
    let mut classes: Vec<&str> = all.filter(|it| it.place == place).map(|it| it.class).collect();
    classes.sort_unstable();
    classes.dedup();
    classes.into_iter().map(|it| Candidate::new(it, "")).collect()
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
        let architecture = it.architecture_within(profile.defined_architectures());
        let architecture = architecture.unwrap_or("amd64").to_owned();
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
