// SPDX-License-Identifier: Apache-2.0
use super::snapshot::NamespacedName;
use super::{GardenObject, ObjectKey, Snapshot};
use garden_gate_model::api::{
    Confirmation, Kind, NamespacedCloudProfile, ObjectMeta, Project, ShootName, ShootUse,
};
use std::collections::BTreeSet;

/// Minimum number of elements of a large object; few CloudProfiles are large.
const LARGE: usize = 1_000;

/// Weight of a Quota reference in a binding.
///
/// Each Quota is looked up, which is slower than searching a list.
const QUOTA: usize = 16;

impl Snapshot {
    /// Adds an object or replaces the object with the same key.
    pub fn apply(&mut self, object: GardenObject) {
        if !self.unreadable.is_empty() {
            self.unreadable.remove(&object.key());
        }
        match object {
            GardenObject::Shoot(shoot) => self.apply_shoot(*shoot),
            GardenObject::Unreadable(key, why) => {
                self.remove(&key);
                self.unreadable.insert(key, why);
            }
            object => self.insert(object),
        }
    }

    /// Removes an object, if present.
    pub fn remove(&mut self, key: &ObjectKey) {
        self.unreadable.remove(key);
        let ObjectKey { kind, namespace, name } = key;
        self.collections.remove(*kind, namespace, name);
        if *kind == Kind::Shoot {
            self.shoots.remove(&ShootName {
                namespace: namespace.as_str().into(),
                name: name.as_str().into(),
            });
        } else if let Some(old) = self.objects.remove(key) {
            self.large.remove(key);
            self.unlink(&self.opened(old));
        }
    }

    /// Replaces all objects of a kind with `objects`.
    pub fn reset(&mut self, kind: Kind, objects: impl IntoIterator<Item = GardenObject>) {
        self.reset_but(kind, &[], objects);
    }

    /// Resets a kind as [`Self::reset`] does, but keeps the objects with the keys `unchanged`.
    pub fn reset_but(
        &mut self,
        kind: Kind,
        unchanged: &[ObjectKey],
        objects: impl IntoIterator<Item = GardenObject>,
    ) {
        self.gaps.remove(&kind);
        let mut gone = self.keys(kind);
        for key in unchanged {
            gone.remove(key);
        }
        for object in objects {
            gone.remove(&object.key());
            self.apply(object);
        }
        for key in &gone {
            self.remove(key);
        }
    }

    fn keys(&self, kind: Kind) -> BTreeSet<ObjectKey> {
        let unreadable = self.unreadable_of(kind).map(|(key, _)| key);
        let objects = self.of_kind(kind).map(|(key, _)| key);
        let mut keys: BTreeSet<_> = unreadable.chain(objects).cloned().collect();
        if kind == Kind::Shoot {
            keys.extend(self.shoots.names().map(ObjectKey::of_shoot));
        }
        keys
    }

    fn apply_shoot(&mut self, shoot: ShootUse) {
        let ShootName { namespace, name } = shoot.name.clone();
        let confirmation = shoot.confirmation.as_deref().cloned();
        self.collections.apply(Kind::Shoot, &namespace, name, confirmation);
        self.shoots.apply(shoot);
    }

    fn insert(&mut self, object: GardenObject) {
        let key = object.key();
        if let Some(old) = self.objects.get(&key).cloned() {
            self.unlink(&self.opened(old));
        }
        let opened = self.opened(object.clone());
        self.link(&opened);
        match elements(&opened) {
            LARGE.. => self.large.insert(key.clone(), elements(&opened)),
            _ => self.large.remove(&key),
        };
        self.objects.insert(key, object);
    }

    /// Adds an object to all indexes except the one by name.
    fn link(&mut self, object: &GardenObject) {
        match object {
            GardenObject::Project(project) => {
                self.collect(Kind::Project, &project.metadata);
                if let Some(namespace) = project.spec.namespace.clone() {
                    let owners = self.projects_by_namespace.entry(namespace);
                    let name = project.metadata.name.clone();
                    owners.or_default().insert(name);
                }
            }
            GardenObject::NamespacedCloudProfile(profile) => {
                let parent = profile.spec.parent.name.clone();
                let siblings = self.namespaced_cloud_profiles_by_parent.entry(parent);
                siblings.or_default().insert(namespaced_name(profile));
            }
            GardenObject::ShootState(state) => self.collect(Kind::ShootState, &state.metadata),
            _ => {}
        }
    }

    /// Reverts [`Self::link`], except for collections, whose entries are replaced by name.
    fn unlink(&mut self, object: &GardenObject) {
        match object {
            GardenObject::Project(project) => self.unlink_project(project),
            GardenObject::NamespacedCloudProfile(profile) => {
                self.unlink_namespaced_cloud_profile(profile);
            }
            _ => {}
        }
    }

    fn collect(&mut self, kind: Kind, metadata: &ObjectMeta) {
        let namespace = if kind.is_namespaced() { metadata.namespace.as_str() } else { "" };
        let (name, confirmation) = (metadata.name.as_str(), Confirmation::of(metadata));
        self.collections.apply(kind, namespace, name.into(), confirmation);
    }

    fn unlink_project(&mut self, project: &Project) {
        let Some(namespace) = &project.spec.namespace else {
            return;
        };
        if let Some(owners) = self.projects_by_namespace.get_mut(namespace) {
            owners.remove(&project.metadata.name);
            if owners.is_empty() {
                self.projects_by_namespace.remove(namespace);
            }
        }
    }

    fn unlink_namespaced_cloud_profile(&mut self, profile: &NamespacedCloudProfile) {
        let by_parent = &mut self.namespaced_cloud_profiles_by_parent;
        if let Some(siblings) = by_parent.get_mut(&profile.spec.parent.name) {
            siblings.remove(&namespaced_name(profile));
            if siblings.is_empty() {
                by_parent.remove(&profile.spec.parent.name);
            }
        }
    }
}

/// Returns the number of elements in lists that rules search and that many users can write.
fn elements(object: &GardenObject) -> usize {
    match object {
        GardenObject::CloudProfile(profile) => profile.spec.elements(),
        GardenObject::NamespacedCloudProfile(profile) => profile.elements(),
        GardenObject::Project(project) => project.spec.elements(),
        GardenObject::SecretBinding(binding) => binding.quotas.len() * QUOTA,
        GardenObject::CredentialsBinding(binding) => binding.quotas.len() * QUOTA,
        _ => 0,
    }
}

fn namespaced_name(profile: &NamespacedCloudProfile) -> NamespacedName {
    let metadata = &profile.metadata;
    (metadata.namespace.clone(), metadata.name.clone())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::{GardenObject, Snapshot};
    use crate::garden::Knowledge;
    use garden_gate_model::api::{Compressed, ExposureClass, Kind};

    fn object(kind: Kind, value: Value) -> GardenObject {
        let object = GardenObject::read(kind, value.to_string().as_str());
        object.unwrap().unwrap()
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

    fn compressed(kind: Kind, value: &Value) -> GardenObject {
        let text = value.to_string();
        let key = object(kind, value.clone()).key();
        GardenObject::Compressed(Arc::new(Compressed::of(key, &text).unwrap()))
    }

    #[test]
    fn a_compressed_object_is_found_as_any_other() {
        let mut snapshot = Snapshot::new(Knowledge::Everything);
        let kinds =
            [Kind::Project, Kind::CloudProfile, Kind::NamespacedCloudProfile, Kind::ExposureClass];
        for kind in kinds {
            snapshot.apply(compressed(kind, &named("a")));
        }
        let owner = |snapshot: &Snapshot, namespace: &str| {
            let found = snapshot.project_of_namespace(namespace);
            matches!(found, Ok(Some(project)) if project.metadata.name == "a")
        };
        assert!(owner(&snapshot, "ns"));
        let children = |snapshot: &Snapshot| {
            let children = snapshot.namespaced_cloud_profiles_of("p").unwrap();
            children.iter().count()
        };
        assert_eq!(children(&snapshot), 1);
        assert!(matches!(snapshot.get::<ExposureClass>("a"), Ok(Some(_))));
        let mut other = named("a");
        other["spec"]["namespace"] = "other".into();
        assert!(snapshot.has(&compressed(Kind::Project, &named("a"))));
        assert!(!snapshot.has(&compressed(Kind::Project, &other)));
        snapshot.apply(compressed(Kind::Project, &other));
        assert!(!owner(&snapshot, "ns") && owner(&snapshot, "other"));
        let stays = [object(Kind::NamespacedCloudProfile, named("a")).key()];
        snapshot.reset_but(Kind::NamespacedCloudProfile, &stays, []);
        assert_eq!(children(&snapshot), 1);
        for kind in kinds {
            snapshot.reset(kind, []);
        }
        assert!(!owner(&snapshot, "other"));
        assert_eq!(children(&snapshot), 0);
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
            assert_eq!(snapshot.counts().get(&kind).copied().unwrap_or_default(), 0, "{kind}");
            assert_eq!(snapshot.unreadable().count(), 1);
            snapshot.apply(object(kind, named("a")));
            assert_eq!(snapshot.unreadable().count(), 0);
            snapshot.apply(bad());
            snapshot.reset(kind, []);
            assert_eq!(snapshot.unreadable().count(), 0);
        }
    }
}
