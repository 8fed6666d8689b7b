use std::collections::BTreeSet;
use std::sync::Arc;

use super::snapshot::NamespacedName;
use super::{ObjectKey, Snapshot};
use crate::model::{
    CloudProfile, Confirmation, DomainSecret, ExposureClass, GARDEN_NAMESPACE, Kind, Named,
    NamespacedCloudProfile, ObjectMeta, Project, RegionConfig, Seed, ShootName, ShootUse,
    WorkloadIdentity,
};

/// An object of the garden, as its source hands it over.
#[derive(Debug)]
pub enum GardenObject {
    /// A Project, defaulted.
    Project(Project),
    /// An ExposureClass.
    ExposureClass(ExposureClass),
    /// A CloudProfile, defaulted.
    CloudProfile(CloudProfile),
    /// A NamespacedCloudProfile.
    NamespacedCloudProfile(Box<NamespacedCloudProfile>),
    /// What a Shoot uses.
    Shoot(ShootUse),
    /// The metadata of a ShootState.
    ShootState(Named),
    /// A Seed, defaulted.
    Seed(Box<Seed>),
    /// A ConfigMap; kept if it holds distances between regions.
    ConfigMap(RegionConfig),
    /// The metadata of a Secret; kept if it is for a default domain.
    Secret(DomainSecret),
    /// A WorkloadIdentity.
    WorkloadIdentity(WorkloadIdentity),
    /// An object that is only counted.
    Counted(ObjectKey),
    /// An object that does not have the shape of its kind, and what is wrong with it.
    Unreadable(ObjectKey, String),
}

impl GardenObject {
    /// What identifies the object.
    #[must_use]
    pub fn key(&self) -> ObjectKey {
        let cluster = |kind, name: &String| ObjectKey::new(kind, "", name);
        let namespaced =
            |kind, metadata: &ObjectMeta| ObjectKey::new(kind, &metadata.namespace, &metadata.name);
        match self {
            GardenObject::Project(project) => cluster(Kind::Project, &project.metadata.name),
            GardenObject::ExposureClass(class) => {
                cluster(Kind::ExposureClass, &class.metadata.name)
            }
            GardenObject::CloudProfile(profile) => {
                cluster(Kind::CloudProfile, &profile.metadata.name)
            }
            GardenObject::NamespacedCloudProfile(profile) => {
                namespaced(Kind::NamespacedCloudProfile, &profile.metadata)
            }
            GardenObject::Shoot(shoot) => shoot_key(&shoot.name),
            GardenObject::ShootState(state) => namespaced(Kind::ShootState, &state.metadata),
            GardenObject::Seed(seed) => cluster(Kind::Seed, &seed.metadata.name),
            GardenObject::ConfigMap(config) => namespaced(Kind::ConfigMap, &config.metadata),
            GardenObject::Secret(secret) => namespaced(Kind::Secret, &secret.metadata),
            GardenObject::WorkloadIdentity(identity) => {
                namespaced(Kind::WorkloadIdentity, &identity.metadata)
            }
            GardenObject::Counted(key) | GardenObject::Unreadable(key, _) => key.clone(),
        }
    }
}

fn shoot_key(name: &ShootName) -> ObjectKey {
    ObjectKey::new(Kind::Shoot, &*name.namespace, &*name.name)
}

impl Snapshot {
    /// Adds an object or puts it in the place of the one with the same name.
    pub fn apply(&mut self, object: GardenObject) {
        if !self.unreadable.is_empty() {
            self.unreadable.remove(&object.key());
        }
        match object {
            GardenObject::Project(project) => self.apply_project(project),
            GardenObject::ExposureClass(class) => {
                let name = class.metadata.name.clone();
                self.exposure_classes.insert(name, Arc::new(class));
            }
            GardenObject::CloudProfile(profile) => {
                let name = profile.metadata.name.clone();
                self.cloud_profiles.insert(name, Arc::new(profile));
            }
            GardenObject::NamespacedCloudProfile(profile) => {
                self.apply_namespaced_cloud_profile(*profile);
            }
            GardenObject::Shoot(shoot) => {
                let ShootName { namespace, name } = shoot.name.clone();
                let confirmation = shoot.confirmation.as_deref().cloned();
                self.collections
                    .apply(Kind::Shoot, &namespace, name, confirmation);
                self.shoots.apply(shoot);
            }
            GardenObject::ShootState(Named { metadata }) => {
                let confirmation = Confirmation::of(&metadata);
                let name = metadata.name.into();
                self.collections
                    .apply(Kind::ShootState, &metadata.namespace, name, confirmation);
            }
            GardenObject::Seed(seed) => {
                let name = seed.metadata.name.clone();
                self.seeds.insert(name, Arc::from(seed));
            }
            GardenObject::ConfigMap(config) => self.apply_config_map(config),
            GardenObject::Secret(secret) => self.apply_secret(&secret),
            GardenObject::WorkloadIdentity(identity) => {
                let metadata = &identity.metadata;
                let key = (metadata.namespace.clone(), metadata.name.clone());
                self.workload_identities.insert(key, Arc::new(identity));
            }
            GardenObject::Counted(key) => {
                self.counted.insert(key);
            }
            GardenObject::Unreadable(key, why) => {
                self.remove(&key);
                self.unreadable.insert(key, why);
            }
        }
    }

    /// Forgets an object; nothing happens if it is not there.
    pub fn remove(&mut self, key: &ObjectKey) {
        self.unreadable.remove(key);
        let ObjectKey {
            kind,
            namespace,
            name,
        } = key;
        self.collections.remove(*kind, namespace, name);
        match *kind {
            Kind::Project => self.remove_project(name),
            Kind::ExposureClass => {
                self.exposure_classes.remove(name);
            }
            Kind::CloudProfile => {
                self.cloud_profiles.remove(name);
            }
            Kind::NamespacedCloudProfile => {
                self.remove_namespaced_cloud_profile(&(namespace.clone(), name.clone()));
            }
            Kind::Seed => {
                self.seeds.remove(name);
            }
            Kind::ConfigMap if namespace == GARDEN_NAMESPACE => {
                self.region_configs.remove(name);
            }
            Kind::Secret if namespace == GARDEN_NAMESPACE => {
                self.default_domains.remove(name);
            }
            Kind::WorkloadIdentity => {
                let key = (namespace.clone(), name.clone());
                self.workload_identities.remove(&key);
            }
            Kind::Shoot => self.shoots.remove(&ShootName {
                namespace: namespace.as_str().into(),
                name: name.as_str().into(),
            }),
            _ => {
                self.counted.remove(key);
            }
        }
    }

    /// Makes `objects` all there is of a kind: adds and replaces what is among them, forgets what is not.
    pub fn reset(&mut self, kind: Kind, objects: impl IntoIterator<Item = GardenObject>) {
        self.withheld.remove(&kind);
        let mut gone = self.keys(kind);
        for object in objects {
            gone.remove(&object.key());
            self.apply(object);
        }
        for key in &gone {
            self.remove(key);
        }
    }

    fn keys(&self, kind: Kind) -> BTreeSet<ObjectKey> {
        let cluster = |name: &String| ObjectKey::new(kind, "", name);
        let of_kind = |key: &&ObjectKey| key.kind == kind;
        let first = ObjectKey::new(kind, "", "");
        let unreadable = self.unreadable.range(first.clone()..).map(|(key, _)| key);
        let mut keys: BTreeSet<_> = unreadable.take_while(of_kind).cloned().collect();
        match kind {
            Kind::Project => keys.extend(self.projects.keys().map(cluster)),
            Kind::ExposureClass => keys.extend(self.exposure_classes.keys().map(cluster)),
            Kind::CloudProfile => keys.extend(self.cloud_profiles.keys().map(cluster)),
            Kind::NamespacedCloudProfile => {
                let profiles = self.namespaced_cloud_profiles.keys();
                keys.extend(
                    profiles.map(|(namespace, name)| ObjectKey::new(kind, namespace, name)),
                );
            }
            Kind::Shoot => keys.extend(self.shoots.names().map(shoot_key)),
            Kind::Seed => keys.extend(self.seeds.keys().map(cluster)),
            _ => keys.extend(self.counted.range(first..).take_while(of_kind).cloned()),
        }
        keys
    }

    fn apply_config_map(&mut self, config: RegionConfig) {
        if config.metadata.namespace == GARDEN_NAMESPACE && config.is_one() {
            let name = config.metadata.name.clone();
            self.region_configs.insert(name, Arc::new(config));
        }
    }

    fn apply_secret(&mut self, secret: &DomainSecret) {
        let metadata = &secret.metadata;
        let domain = secret.domain().map(|domain| domain.map(str::to_owned));
        if let Some(domain) = domain.transpose()
            && metadata.namespace == GARDEN_NAMESPACE
        {
            self.default_domains.insert(metadata.name.clone(), domain);
        }
    }

    fn apply_project(&mut self, project: Project) {
        let name = project.metadata.name.clone();
        self.remove_project(&name);
        let confirmation = Confirmation::of(&project.metadata);
        self.collections
            .apply(Kind::Project, "", name.as_str().into(), confirmation);
        if let Some(namespace) = project.spec.namespace.clone() {
            let owners = self.projects_by_namespace.entry(namespace);
            owners.or_default().insert(name.clone());
        }
        self.projects.insert(name, Arc::new(project));
    }

    fn remove_project(&mut self, name: &str) {
        let Some(old) = self.projects.remove(name) else {
            return;
        };
        let Some(namespace) = &old.spec.namespace else {
            return;
        };
        if let Some(owners) = self.projects_by_namespace.get_mut(namespace) {
            owners.remove(name);
            if owners.is_empty() {
                self.projects_by_namespace.remove(namespace);
            }
        }
    }

    fn apply_namespaced_cloud_profile(&mut self, profile: NamespacedCloudProfile) {
        let metadata = &profile.metadata;
        let key = (metadata.namespace.clone(), metadata.name.clone());
        self.remove_namespaced_cloud_profile(&key);
        let parent = profile.spec.parent.name.clone();
        let siblings = self.namespaced_cloud_profiles_by_parent.entry(parent);
        siblings.or_default().insert(key.clone());
        self.namespaced_cloud_profiles
            .insert(key, Arc::new(profile));
    }

    fn remove_namespaced_cloud_profile(&mut self, key: &NamespacedName) {
        let Some(old) = self.namespaced_cloud_profiles.remove(key) else {
            return;
        };
        let by_parent = &mut self.namespaced_cloud_profiles_by_parent;
        if let Some(siblings) = by_parent.get_mut(&old.spec.parent.name) {
            siblings.remove(key);
            if siblings.is_empty() {
                by_parent.remove(&old.spec.parent.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{GardenObject, ObjectKey, Snapshot};
    use crate::garden::Knowledge;
    use crate::model::{Kind, Seed};

    fn object(kind: Kind, value: Value) -> GardenObject {
        let read = |value| serde_json::from_value(value);
        match kind {
            Kind::Project => GardenObject::Project(serde_json::from_value(value).unwrap()),
            Kind::ExposureClass => {
                GardenObject::ExposureClass(serde_json::from_value(value).unwrap())
            }
            Kind::CloudProfile => {
                GardenObject::CloudProfile(serde_json::from_value(value).unwrap())
            }
            Kind::NamespacedCloudProfile => {
                // Raw JSON inside it can only be read from text.
                GardenObject::NamespacedCloudProfile(
                    serde_json::from_str(&value.to_string()).unwrap(),
                )
            }
            Kind::Shoot => GardenObject::Shoot(read(value).unwrap()),
            Kind::Seed => GardenObject::Seed(read_seed(&value)),
            _ => GardenObject::Counted(ObjectKey::new(kind, "", name(&value))),
        }
    }

    fn read_seed(value: &Value) -> Box<Seed> {
        serde_json::from_str(&value.to_string()).unwrap()
    }

    fn name(value: &Value) -> String {
        value["metadata"]["name"].as_str().unwrap().to_owned()
    }

    fn named(name: &str) -> Value {
        json!({
            "metadata": {"name": name, "namespace": "ns"},
            "spec": {"namespace": "ns", "parent": {"kind": "CloudProfile", "name": "p"}},
        })
    }

    const KINDS: [Kind; 7] = [
        Kind::Project,
        Kind::ExposureClass,
        Kind::CloudProfile,
        Kind::NamespacedCloudProfile,
        Kind::Shoot,
        Kind::Seed,
        Kind::Namespace,
    ];

    #[test]
    fn a_reset_forgets_what_it_does_not_name_and_nothing_of_other_kinds() {
        let mut snapshot = Snapshot::new(Knowledge::Watched);
        for kind in KINDS {
            for name in ["a", "b", "c"] {
                snapshot.apply(object(kind, named(name)));
            }
        }
        for (done, kind) in KINDS.into_iter().enumerate() {
            snapshot.reset(kind, ["b", "d"].map(|name| object(kind, named(name))));
            let counts = snapshot.counts();
            for (position, other) in KINDS.into_iter().enumerate() {
                let expected = if position <= done { 2 } else { 3 };
                assert_eq!(counts[&other], expected, "{other} after {kind}");
            }
        }
        for kind in KINDS {
            snapshot.reset(kind, []);
        }
        assert!(snapshot.counts().values().all(|count| *count == 0));
    }

    #[test]
    fn an_object_is_either_readable_or_not() {
        let mut snapshot = Snapshot::new(Knowledge::Watched);
        for kind in KINDS {
            let good = object(kind, named("a"));
            let key = good.key();
            let bad = || GardenObject::Unreadable(key.clone(), "why".to_owned());
            snapshot.apply(good);
            snapshot.apply(bad());
            assert_eq!(
                snapshot.counts().get(&kind).copied().unwrap_or_default(),
                0,
                "{kind}"
            );
            assert_eq!(snapshot.unreadable().count(), 1);
            snapshot.apply(object(kind, named("a")));
            assert_eq!(snapshot.unreadable().count(), 0);
            snapshot.apply(bad());
            snapshot.reset(kind, []);
            assert_eq!(snapshot.unreadable().count(), 0);
        }
    }
}
