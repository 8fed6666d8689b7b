// SPDX-License-Identifier: Apache-2.0
use std::any::Any;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;

use imbl::{HashMap, OrdMap, OrdSet};

use super::collection::{Collection, Collections};
use super::decompressed::DecompressedObjects;
use super::derived::DerivedValues;
use super::merged::MergedProfiles;
use super::object_names::ObjectNames;
use super::{
    AccessQuestion, ConflictingDomain, GardenObject, ObjectKey, Parameters, Question, Shoots,
    Unknown,
};
use garden_gate_model::api::{
    BackupEntry, CloudProfile, CloudProfileSpec, ControllerRegistration, DefaultDomain,
    DomainSecret, GARDEN_NAMESPACE, Kind, ManagedSeed, Name, NamespacedCloudProfile, ObjectMeta,
    ParamKind, ProfileKey, ProfileKind, Project, RegionConfig, Retrieval, Seed, ShootName,
    ShootUse, SnapshotObject, UserInfo,
};

/// The meaning of an object missing from a [`Snapshot`].
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Knowledge {
    /// Unknown: no garden was given.
    #[default]
    Nothing,
    /// The object does not exist: the snapshot is complete.
    Everything,
    /// The watch may lag behind: the API server must be asked.
    Watched,
}

/// Namespace and name.
pub(super) type NamespacedName = (String, String);

/// The live lookups of one request and their results.
///
/// Objects that were found are in the snapshot itself.
#[derive(Clone, Debug, Default)]
pub(super) struct LiveAnswers {
    /// The questions that were asked; `Err` is the reason why there is no answer.
    pub(super) asked: OrdMap<Question, Result<(), String>>,
    pub(super) granted: OrdSet<AccessQuestion>,
    pub(super) collections: OrdMap<(Kind, String), Collection>,
}

/// The state of the garden at one time.
///
/// Clones share their data; applying one object costs O(log n).
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    knowledge: Knowledge,
    /// All objects except Shoots and unreadable ones.
    pub(super) objects: OrdMap<ObjectKey, GardenObject>,
    pub(super) projects_by_namespace: HashMap<String, OrdSet<String>>,
    pub(super) namespaced_cloud_profiles_by_parent: HashMap<String, OrdSet<NamespacedName>>,
    pub(super) shoots: Shoots,
    pub(super) collections: Collections,
    pub(super) unreadable: OrdMap<ObjectKey, String>,
    /// Kinds that may have further objects, with the reason.
    pub(super) gaps: OrdMap<Kind, String>,
    /// Kinds that are declared complete, even if there are no objects.
    complete: OrdSet<Kind>,
    /// Whether the API server must evaluate permissions instead of the RBAC objects.
    asks_for_verbs: bool,
    /// Kinds that had no objects before those of one request were added.
    pub(super) empty_before: OrdSet<Kind>,
    pub(super) answers: LiveAnswers,
    pub(super) names: ObjectNames,
    /// The number of list elements by object; large objects only.
    pub(super) large: HashMap<ObjectKey, usize>,
    pub(super) merged: MergedProfiles,
    opened: DecompressedObjects,
    derived: DerivedValues,
    /// The objects that policies use as parameters, by kind.
    pub(super) parameters: Arc<BTreeMap<ParamKind, Parameters>>,
}

impl Snapshot {
    /// Returns an empty snapshot.
    pub fn new(knowledge: Knowledge) -> Self {
        Self { knowledge, ..Self::default() }
    }

    /// Makes [`Self::access`] ignore RBAC objects, since the requesting user is unknown.
    #[must_use]
    pub fn asking_for_verbs(mut self) -> Self {
        self.asks_for_verbs = true;
        self
    }

    /// Returns the snapshot as if it had just been listed.
    ///
    /// Watched kinds are complete; other kinds may have further objects.
    pub fn as_whole(&self) -> Self {
        let mut whole = self.clone();
        whole.knowledge = Knowledge::Everything;
        for kind in Kind::ALL.iter().copied() {
            match kind.known() {
                Retrieval::Watched => whole.complete(kind),
                Retrieval::Files
                | Retrieval::WatchedIfRead
                | Retrieval::Optional
                | Retrieval::Never => {}
                _ => whole.note_gap(kind, || format!("{} are not watched", kind.full_resource())),
            }
        }
        whole
    }

    /// Returns the meaning of a missing object.
    pub fn knowledge(&self) -> Knowledge {
        self.knowledge
    }

    /// Drops all objects of a kind and marks it as unavailable until [`Self::reset`].
    ///
    /// Lookups return `Unknown`.
    pub fn withhold(&mut self, kind: Kind, why: String) {
        self.reset(kind, []);
        self.gaps.insert(kind, why);
    }

    /// Marks a kind as incomplete until [`Self::reset`]; the first reason is kept.
    ///
    /// Known objects are still found. Lookups of other objects, or of all, return `Unknown`.
    pub fn note_gap(&mut self, kind: Kind, why: impl FnOnce() -> String) {
        self.gaps.entry(kind).or_insert_with(why);
    }

    /// Reverts every [`Self::note_gap`] and [`Self::complete`]; objects are kept.
    pub fn forget_gaps(&mut self) {
        self.gaps.clear();
        self.complete.clear();
    }

    /// Declares a kind complete, even if it has no objects.
    pub fn complete(&mut self, kind: Kind) {
        self.complete.insert(kind);
    }

    /// Reports whether a kind is complete or has at least one object, even an unreadable one.
    pub fn knows_of(&self, kind: Kind) -> bool {
        self.complete.contains(&kind) || self.has_one(kind)
    }

    /// Returns why a kind may have further objects; `None` if it is complete.
    pub fn gap(&self, kind: Kind) -> Option<&str> {
        self.gaps.get(&kind).map(String::as_str)
    }

    /// Returns why an existing object cannot be read; `None` if it can, or is not known to exist.
    pub fn why_unreadable(&self, key: &ObjectKey) -> Option<String> {
        let why = self.unreadable.get(key);
        why.map(|why| cannot_be_read(key, why))
    }

    /// Replaces all objects of a kind with the result of a list request.
    ///
    /// The kind is complete afterwards, even if only directories contain it otherwise.
    pub fn list(&mut self, kind: Kind, objects: impl IntoIterator<Item = GardenObject>) {
        self.reset(kind, objects);
        self.complete(kind);
    }

    /// Reports whether [`Self::elements`] is positive for any object.
    pub fn has_large_objects(&self) -> bool {
        !self.large.is_empty()
    }

    /// Returns the number of list elements of an object, or 0 if the object is not large.
    pub fn elements(&self, key: &ObjectKey) -> usize {
        if self.large.is_empty() { 0 } else { self.large.get(key).copied().unwrap_or_default() }
    }

    /// Returns the existing objects that cannot be read, with the reasons.
    pub fn unreadable(&self) -> impl Iterator<Item = (&ObjectKey, &str)> {
        self.unreadable.iter().map(|(key, why)| (key, why.as_str()))
    }

    /// Returns the reason for [`Self::why_unreadable`], without the object.
    pub fn unreadable_reason(&self, key: &ObjectKey) -> Option<&str> {
        self.unreadable.get(key).map(String::as_str)
    }

    /// Returns the Project whose `spec.namespace` is `namespace`; of several, the first by name.
    ///
    /// # Errors
    /// Fails if it is unknown, or must be confirmed by the API server.
    pub fn project_of_namespace(&self, namespace: &str) -> Result<Option<Arc<Project>>, Unknown> {
        if let Some(found) = self.projects_of_namespace(namespace).next() {
            return Ok(Some(found));
        }
        let question = || Question::ProjectOfNamespace(namespace.to_owned());
        match self.answer_of(question, |_| None) {
            Err(Unknown::Unconfirmed) => {}
            answer => return answer,
        }
        self.is_certain(Kind::Project)?;
        // Any unreadable Project may be the one.
        self.whole(Kind::Project)?;
        Ok(None)
    }

    /// Returns the known Projects whose `spec.namespace` is `namespace`, by name.
    pub fn projects_of_namespace(&self, namespace: &str) -> impl Iterator<Item = Arc<Project>> {
        let owners = self.projects_by_namespace.get(namespace).into_iter();
        let keys = owners.flatten().map(|name| ObjectKey::named(Kind::Project, name));
        keys.filter_map(|key| self.object(&key))
    }

    /// Looks up the object of a kind with this name, with defaults applied.
    ///
    /// # Errors
    /// Fails if it is unknown, or must be confirmed by the API server.
    pub fn get<'a, T: SnapshotObject>(
        &self,
        name: impl Into<Name<'a>>,
    ) -> Result<Option<Arc<T>>, Unknown> {
        self.find(&ObjectKey::named(T::KIND, name))
    }

    /// Looks up the object with this key, which must be of `T`'s kind.
    ///
    /// # Errors
    /// Fails if it is unknown, or must be confirmed by the API server.
    pub fn find<T: SnapshotObject>(&self, key: &ObjectKey) -> Result<Option<Arc<T>>, Unknown> {
        if let Some(found) = self.object::<T>(key) {
            return Ok(Some(found));
        }
        match self.answer_of(|| Question::Object(key.clone()), |_| None) {
            Err(Unknown::Unconfirmed) => {}
            answer => return answer,
        }
        match self.why_unreadable(key) {
            Some(why) => Err(Unknown::Reason(why)),
            None => self.is_certain(key.kind).map(|()| None),
        }
    }

    /// The CloudProfile changed by a NamespacedCloudProfile that no controller has merged yet.
    ///
    /// Merged once for each pair of versions, as long as the result stays in the cache.
    pub fn merged_profile(
        &self,
        profile: &Arc<NamespacedCloudProfile>,
        parent: &Arc<CloudProfile>,
    ) -> Arc<CloudProfileSpec> {
        self.merged.merge(profile, parent)
    }

    /// Returns the result of [`Self::merged_profile`] if it is cached.
    pub fn cached_merged_profile(
        &self,
        profile: &Arc<NamespacedCloudProfile>,
        parent: &Arc<CloudProfile>,
    ) -> Option<Arc<CloudProfileSpec>> {
        self.merged.cached(profile, parent)
    }

    /// Returns a cache of another layer for values that it derives from objects, shared by all clones.
    ///
    /// Keys must identify a version of an object, since clones have different ones. All callers must use one type.
    pub fn derived<T: Any + Default + Send + Sync>(&self) -> Option<&T> {
        self.derived.get()
    }

    /// Returns the keys of the known NamespacedCloudProfiles of a CloudProfile.
    pub(crate) fn keys_of_children(&self, parent: &str) -> impl Iterator<Item = ObjectKey> {
        let children = self.namespaced_cloud_profiles_by_parent.get(parent).into_iter().flatten();
        children
            .map(|(namespace, name)| ObjectKey::new(Kind::NamespacedCloudProfile, namespace, name))
    }

    /// Returns the Shoots as of the snapshot.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known.
    pub fn shoots(&self) -> Result<&Shoots, String> {
        self.whole(Kind::Shoot)?;
        Ok(&self.shoots)
    }

    /// Returns a Shoot as of the snapshot; `None` if it does not exist.
    ///
    /// # Errors
    /// Fails with the reason if it is unknown.
    pub fn shoot(&self, name: &ShootName) -> Result<Option<&ShootUse>, String> {
        if let Some(found) = self.shoots.get(name) {
            return Ok(Some(found));
        }
        match self.why_unreadable(&ObjectKey::of_shoot(name)) {
            Some(why) => Err(why),
            None => self.served(Kind::Shoot).map(|()| None),
        }
    }

    /// Returns a Shoot other than `own` with the same domain, a parent domain or a subdomain.
    pub fn conflicting_domain(
        &self,
        domain: &str,
        own: &ShootName,
    ) -> Option<ConflictingDomain<'_>> {
        self.shoots.conflicting_domain(domain, own)
    }

    /// Reports whether all objects of a kind are known.
    pub fn knows_all(&self, kind: Kind) -> bool {
        self.whole(kind).is_ok()
    }

    /// Returns the minimum and maximum number of Shoots on a Seed or being migrated to or from it.
    ///
    /// # Errors
    /// Fails with the reason if nothing is known about Shoots.
    pub fn shoots_on_seed(&self, seed: &str) -> Result<RangeInclusive<usize>, String> {
        self.served(Kind::Shoot)?;
        let known = self.shoots.of_seed(seed).map_or(0, |shoots| shoots.len());
        Ok(known..=known + self.unreadable_of(Kind::Shoot).count())
    }

    /// Returns all Projects, Shoots or ShootStates of `namespace`, grouped by confirmed deletion.
    ///
    /// # Errors
    /// In a watched garden, returns `Unconfirmed` if `in_the_way` holds, since the watch may lag behind.
    /// ShootStates are not watched and always `Unconfirmed`, as few requests need them.
    pub fn collection(
        &self,
        kind: Kind,
        namespace: &str,
        in_the_way: impl Fn(&Collection) -> bool,
    ) -> Result<Collection, Unknown> {
        match self.collection_answer(kind, namespace) {
            Err(Unknown::Unconfirmed) => {}
            answer => return answer.map(Option::unwrap_or_default),
        }
        self.whole(kind)?;
        let known = self.collections.of(kind, namespace);
        let may_be_late = self.knowledge == Knowledge::Watched;
        if may_be_late && (kind == Kind::ShootState || in_the_way(&known)) {
            return Err(Unknown::Unconfirmed);
        }
        Ok(known)
    }

    /// Returns all Seeds as of the snapshot, with defaults applied, by name.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known.
    pub fn seeds(&self) -> Result<impl Iterator<Item = &Arc<Seed>>, String> {
        self.whole(Kind::Seed)?;
        Ok(self.all())
    }

    /// Returns the ConfigMaps with distances between regions, by name.
    ///
    /// # Errors
    /// Returns `Unconfirmed` in a watched garden: they are not watched, as few requests need them.
    pub fn region_configs(&self) -> Result<Vec<Arc<RegionConfig>>, Unknown> {
        self.labelled(Kind::ConfigMap, || {
            let all =
                self.all::<RegionConfig>().filter(|it| is_of_garden(&it.metadata) && it.is_one());
            Ok(all.cloned().collect())
        })
    }

    /// Returns the default domains of the landscape, highest priority first.
    ///
    /// # Errors
    /// Fails as [`Self::region_configs`], and if a default-domain Secret does not name a domain.
    pub fn default_domains(&self) -> Result<Vec<DefaultDomain>, Unknown> {
        self.labelled(Kind::Secret, || {
            let all = self.all::<DomainSecret>().filter(|it| is_of_garden(&it.metadata));
            let mut domains: Vec<_> =
                all.filter_map(|it| it.domain().transpose()).collect::<Result<_, _>>()?;
            domains.sort_by_key(|it| Reverse(it.priority));
            Ok(domains)
        })
    }

    /// Reports whether `user` has a permission.
    ///
    /// # Errors
    /// Fails if RBAC objects may be missing, or if the API server must be asked.
    pub fn access(&self, user: &UserInfo, question: &AccessQuestion) -> Result<bool, Unknown> {
        let answer = self.access_answer(question);
        match self.knowledge {
            _ if answer != Err(Unknown::Unconfirmed) => answer,
            _ if self.asks_for_verbs => answer,
            Knowledge::Watched => answer,
            Knowledge::Everything if self.grants(user, question) => Ok(true),
            Knowledge::Everything => self.refuses(question).map(|()| false),
            Knowledge::Nothing => Err(Unknown::Reason(no_garden("RBAC object"))),
        }
    }

    /// Reports whether a missing object of a kind that only directories contain is significant.
    ///
    /// That is not the case in a directory without objects of the kind, which was dumped without them, or in a watched
    /// garden unless `watch_kind` was called.
    /// In a listed garden it always is.
    pub fn absence_is_known(&self, kind: Kind) -> bool {
        match self.knowledge {
            Knowledge::Nothing => false,
            Knowledge::Everything => !self.empty_before.contains(&kind) && self.knows_of(kind),
            Knowledge::Watched => self.complete.contains(&kind),
        }
    }

    /// Adds a kind to those that are watched; it is unknown until the first [`Self::reset`].
    pub fn watch_kind(&mut self, kind: Kind) {
        self.complete(kind);
        self.note_gap(kind, || format!("the list of {} is not read yet", kind.full_resource()));
    }

    /// Like [`Self::absence_is_known`], for the objects of one namespace.
    pub fn absence_is_known_in(&self, kind: Kind, namespace: &str) -> bool {
        let has_one = || self.of_namespace(kind, namespace).next().is_some();
        self.absence_is_known(kind) && (self.complete.contains(&kind) || has_one())
    }

    /// Returns the ControllerRegistrations by name.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known.
    pub fn controller_registrations(
        &self,
    ) -> Result<impl Iterator<Item = &Arc<ControllerRegistration>>, String> {
        self.whole(Kind::ControllerRegistration)?;
        Ok(self.all())
    }

    /// Returns the BackupEntries by namespace and name.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known.
    pub fn backup_entries(&self) -> Result<impl Iterator<Item = &Arc<BackupEntry>>, String> {
        self.whole(Kind::BackupEntry)?;
        Ok(self.all())
    }

    /// Returns the ManagedSeeds that turn a Shoot of a namespace into a Seed; more than one is invalid.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known.
    pub fn managed_seeds_of(
        &self,
        namespace: &str,
        shoot: &str,
    ) -> Result<Vec<Arc<ManagedSeed>>, String> {
        self.whole(Kind::ManagedSeed)?;
        Ok(self.known_managed_seeds_of(namespace, shoot).cloned().collect())
    }

    /// Returns the known ManagedSeeds like [`Self::managed_seeds_of`]; there may be others.
    pub fn known_managed_seeds_of<'a>(
        &'a self,
        namespace: &'a str,
        shoot: &'a str,
    ) -> impl Iterator<Item = &'a Arc<ManagedSeed>> {
        let all = self.of_namespace(Kind::ManagedSeed, namespace);
        let seeds = all.filter_map(ManagedSeed::of);
        seeds.filter(move |it| it.spec.shoot.name == shoot)
    }

    /// Returns the number of objects of each kind that is watched or counted.
    pub fn counts(&self) -> BTreeMap<Kind, usize> {
        let mut counts: BTreeMap<_, _> = Kind::watched().map(|kind| (kind, 0)).collect();
        counts.insert(Kind::Shoot, self.shoots.len());
        for ObjectKey { kind, .. } in self.objects.keys() {
            if matches!(kind.known(), Retrieval::Watched | Retrieval::Counted) {
                *counts.entry(*kind).or_default() += 1;
            }
        }
        counts
    }

    /// Returns the result of `all` for a kind whose relevant objects have a label and are not watched.
    fn labelled<T>(
        &self,
        kind: Kind,
        all: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, Unknown> {
        match self.answer_of(|| Question::Labelled(kind), |_| Some(())) {
            Err(Unknown::Unconfirmed) if self.knowledge != Knowledge::Watched => {
                self.whole(kind)?;
            }
            answer => {
                answer?;
            }
        }
        Ok(all()?)
    }

    fn has_one(&self, kind: Kind) -> bool {
        (kind == Kind::Shoot && !self.shoots.is_empty())
            || self.of_kind(kind).next().is_some()
            || self.unreadable_of(kind).next().is_some()
    }

    /// Returns the model of an object.
    pub(super) fn object<T: SnapshotObject>(&self, key: &ObjectKey) -> Option<Arc<T>> {
        match self.objects.get(key)? {
            GardenObject::Compressed(object) => T::of(&self.opened.object(object)).cloned(),
            object => T::of(object).cloned(),
        }
    }

    /// Reports whether an object is kept compressed, so that reading it takes milliseconds.
    pub fn is_compressed(&self, key: &ObjectKey) -> bool {
        matches!(self.objects.get(key), Some(GardenObject::Compressed(_)))
    }

    /// Decompresses an object if it is compressed.
    pub(super) fn opened(&self, object: GardenObject) -> GardenObject {
        match object {
            GardenObject::Compressed(object) => self.opened.object(&object),
            object => object,
        }
    }

    /// Reports whether the snapshot has an equal object.
    ///
    /// Compares only Shoots and compressed objects, which may be large.
    pub fn has(&self, object: &GardenObject) -> bool {
        match object {
            GardenObject::Shoot(shoot) => self.shoots.get(&shoot.name) == Some(&**shoot),
            GardenObject::Compressed(object) => {
                let known = self.objects.get(object.key());
                matches!(known, Some(GardenObject::Compressed(known)) if known == object)
            }
            _ => false,
        }
    }

    /// Returns all objects of a kind, in order.
    pub(super) fn all<T: SnapshotObject>(&self) -> impl Iterator<Item = &Arc<T>> {
        self.of_kind(T::KIND).filter_map(|(_, it)| T::of(it))
    }

    /// Returns all objects of a kind other than Shoot, in order.
    pub(super) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (&ObjectKey, &GardenObject)> {
        let all = self.objects.range(ObjectKey::new(kind, "", "")..);
        all.take_while(move |(key, _)| key.kind == kind)
    }

    /// Returns all objects of a kind other than Shoot in a namespace, in order.
    pub(super) fn of_namespace<'a>(
        &'a self,
        kind: Kind,
        namespace: &'a str,
    ) -> impl Iterator<Item = &'a GardenObject> {
        let all = self
            .objects
            .range(ObjectKey::new(kind, namespace, "")..)
            .take_while(move |(key, _)| key.kind == kind && key.namespace == namespace);
        all.map(|(_, object)| object)
    }

    /// Returns the known names of a kind other than Shoot in a namespace, which may be empty, in order.
    pub fn names_of<'a>(&'a self, kind: Kind, namespace: &str) -> impl Iterator<Item = &'a str> {
        let namespace = namespace.to_owned();
        let all = self
            .objects
            .range(ObjectKey::new(kind, &namespace, "")..)
            .take_while(move |(key, _)| key.kind == kind && key.namespace == namespace);
        all.map(|(key, _)| key.name.as_str())
    }

    /// Returns the objects of a kind other than Shoot in a namespace, by name.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known.
    pub fn in_namespace<'a, T: SnapshotObject>(
        &'a self,
        namespace: &'a str,
    ) -> Result<impl Iterator<Item = Arc<T>> + 'a, Unknown> {
        self.whole(T::KIND)?;
        self.is_certain(T::KIND)?;
        let names = self.names_of(T::KIND, namespace);
        let keys = names.map(move |name| ObjectKey::new(T::KIND, namespace, name));
        Ok(keys.filter_map(|key| self.object::<T>(&key)))
    }

    /// Returns the keys of all CloudProfiles and NamespacedCloudProfiles, in order.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known.
    pub fn profile_keys(&self) -> Result<Vec<ProfileKey>, String> {
        let mut keys = Vec::new();
        for (kind, profile) in [
            (Kind::CloudProfile, ProfileKind::Cluster),
            (Kind::NamespacedCloudProfile, ProfileKind::Namespaced),
        ] {
            self.whole(kind)?;
            keys.extend(self.of_kind(kind).map(|(key, _)| ProfileKey {
                kind: profile,
                namespace: key.namespace.as_str().into(),
                name: key.name.as_str().into(),
            }));
        }
        Ok(keys)
    }

    /// Returns the namespaces of the known Projects, unordered.
    pub fn project_namespaces(&self) -> impl Iterator<Item = &str> {
        self.projects_by_namespace.keys().map(String::as_str)
    }

    /// Fails if a missing object of a kind may exist.
    fn is_certain(&self, kind: Kind) -> Result<(), Unknown> {
        self.served(kind)?;
        match self.knowledge {
            Knowledge::Everything => Ok(()),
            _ => Err(Unknown::Unconfirmed),
        }
    }

    /// Fails with the reason if not all objects of a kind are known and readable.
    pub(super) fn whole(&self, kind: Kind) -> Result<(), String> {
        self.served(kind)?;
        match self.unreadable_of(kind).next() {
            Some((key, why)) => Err(cannot_be_read(key, why)),
            None => Ok(()),
        }
    }

    /// Fails with the reason if a kind may have further objects.
    fn served(&self, kind: Kind) -> Result<(), String> {
        if self.knowledge == Knowledge::Nothing {
            return Err(no_garden(kind));
        }
        match self.gaps.get(&kind) {
            Some(why) => Err(why.clone()),
            None => Ok(()),
        }
    }

    pub(super) fn unreadable_of(&self, kind: Kind) -> impl Iterator<Item = (&ObjectKey, &String)> {
        let first = ObjectKey::new(kind, "", "");
        let all = self.unreadable.range(first..);
        all.take_while(move |(key, _)| key.kind == kind)
    }
}

fn is_of_garden(metadata: &ObjectMeta) -> bool {
    metadata.namespace == GARDEN_NAMESPACE
}

fn cannot_be_read(key: &ObjectKey, why: &str) -> String {
    format!("{key} exists but cannot be read: {why}")
}

fn no_garden(kind: impl Display) -> String {
    format!("no garden was given, so no {kind} is known; pass --garden DIR or --live")
}
