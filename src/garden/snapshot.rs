use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;

use imbl::{HashMap, OrdMap, OrdSet};

use super::collection::{Collection, Collections};
use super::decompressed::DecompressedObjects;
use super::merged::MergedProfiles;
use super::object_names::ObjectNames;
use super::{
    AccessAnswer, AccessQuestion, GardenObject, Lookup, ObjectKey, Question, Rival, Shoots,
};
use crate::model::{
    CloudProfile, CloudProfileSpec, ControllerRegistration, DefaultDomain, DomainSecret,
    GARDEN_NAMESPACE, Kept, Kind, Known, ManagedSeed, Name, NamespacedCloudProfile, ObjectMeta,
    Project, RegionConfig, Seed, ShootName, UserInfo,
};

/// What it means when a [`Snapshot`] lacks an object.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Knowledge {
    /// Nothing: no garden was given.
    #[default]
    Nothing,
    /// The object does not exist: the snapshot is the whole garden.
    Everything,
    /// Perhaps the watch is late: the API server must be asked.
    Watched,
}

/// Namespace and name.
pub(super) type NamespacedName = (String, String);

/// What an API server was asked for one request, and what it said about more than single objects: those are in the snapshot.
#[derive(Clone, Debug, Default)]
pub(super) struct LiveAnswers {
    /// What was answered; `Err` says why there is no answer.
    pub(super) asked: OrdMap<Question, Result<(), String>>,
    pub(super) granted: OrdSet<AccessQuestion>,
    pub(super) collections: OrdMap<(Kind, String), Collection>,
}

/// The garden at one moment. Cloning shares; applying one object costs O(log n).
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    knowledge: Knowledge,
    /// All but Shoots and what is unreadable.
    pub(super) objects: OrdMap<ObjectKey, GardenObject>,
    pub(super) projects_by_namespace: HashMap<String, OrdSet<String>>,
    pub(super) namespaced_cloud_profiles_by_parent: HashMap<String, OrdSet<NamespacedName>>,
    pub(super) shoots: Shoots,
    pub(super) collections: Collections,
    pub(super) unreadable: OrdMap<ObjectKey, String>,
    /// By kind, why it may have more objects than are here.
    pub(super) gaps: OrdMap<Kind, String>,
    /// Kinds of which somebody said that these are all objects, even if there are none.
    complete: OrdSet<Kind>,
    /// Whether RBAC objects answer nothing, since nobody knows whom they would be asked about.
    asks_for_verbs: bool,
    /// Kinds of which there was nothing before objects of one request were added.
    pub(super) untold: OrdSet<Kind>,
    pub(super) told: LiveAnswers,
    pub(super) names: ObjectNames,
    /// By object, the number of list elements, if there are many.
    pub(super) large: HashMap<ObjectKey, usize>,
    pub(super) merged: MergedProfiles,
    opened: DecompressedObjects,
}

impl Snapshot {
    /// An empty garden.
    #[must_use]
    pub fn new(knowledge: Knowledge) -> Self {
        Self {
            knowledge,
            ..Self::default()
        }
    }

    /// Makes verbs something that is asked for, whatever RBAC objects say: nobody knows who the requester is.
    #[must_use]
    pub fn asking_for_verbs(mut self) -> Self {
        self.asks_for_verbs = true;
        self
    }

    /// The same garden as if it had been listed just now: what is watched is all there is of its kind, and of other kinds nothing is
    /// known but what is there.
    #[must_use]
    pub fn as_whole(&self) -> Self {
        let mut whole = self.clone();
        whole.knowledge = Knowledge::Everything;
        for kind in Kind::ALL.iter().copied() {
            match kind.known() {
                Known::Watched => whole.complete(kind),
                Known::Files | Known::Optional | Known::Never => {}
                _ => whole.note_gap(kind, || format!("{} are not watched", kind.full_resource())),
            }
        }
        whole
    }

    /// What it means that an object is missing.
    #[must_use]
    pub fn knowledge(&self) -> Knowledge {
        self.knowledge
    }

    /// Forgets a kind, and says why nothing is known of it, until [`Self::reset`] of it: whoever asks for it gets `Unknown`.
    pub fn withhold(&mut self, kind: Kind, why: String) {
        self.reset(kind, []);
        self.gaps.insert(kind, why);
    }

    /// Says why a kind may have more objects than are here, until [`Self::reset`] of it: those are found, and whoever asks for
    /// another one, or for all, gets `Unknown`. The first reason stays.
    pub fn note_gap(&mut self, kind: Kind, why: impl FnOnce() -> String) {
        self.gaps.entry(kind).or_insert_with(why);
    }

    /// Takes back every [`Self::note_gap`] and [`Self::complete`]; objects stay.
    pub(super) fn forget_gaps(&mut self) {
        self.gaps.clear();
        self.complete.clear();
    }

    /// Says that these are all objects of a kind, even if there are none.
    pub fn complete(&mut self, kind: Kind) {
        self.complete.insert(kind);
    }

    /// Whether anything is known of a kind: an object, even an unreadable one, or that there are no others.
    #[must_use]
    pub fn knows_of(&self, kind: Kind) -> bool {
        self.complete.contains(&kind) || self.has_one(kind)
    }

    /// Why there may be objects of a kind that are not here; `None` if there are certainly none.
    #[must_use]
    pub fn gap(&self, kind: Kind) -> Option<&str> {
        self.gaps.get(&kind).map(String::as_str)
    }

    /// Why an object that exists cannot be read; `None` if it can, or is not known to exist.
    #[must_use]
    pub fn why_unreadable(&self, key: &ObjectKey) -> Option<String> {
        let why = self.unreadable.get(key);
        why.map(|why| cannot_be_read(key, why))
    }

    /// Makes `objects` all there is of a kind, as an API server listed it: where there is none, none exists, also of a kind that
    /// otherwise only files tell of.
    pub fn list(&mut self, kind: Kind, objects: impl IntoIterator<Item = GardenObject>) {
        self.reset(kind, objects);
        self.complete(kind);
    }

    /// Whether [`Self::elements`] is positive for any object.
    #[must_use]
    pub fn has_large_objects(&self) -> bool {
        !self.large.is_empty()
    }

    /// The number of elements in the lists of an object, or 0 if that is too small to matter.
    #[must_use]
    pub fn elements(&self, key: &ObjectKey) -> usize {
        match self.large.is_empty() {
            true => 0,
            false => self.large.get(key).copied().unwrap_or_default(),
        }
    }

    /// What is known to exist but could not be read, with the reasons.
    pub fn unreadable(&self) -> impl Iterator<Item = (&ObjectKey, &str)> {
        self.unreadable.iter().map(|(key, why)| (key, why.as_str()))
    }

    /// The Project whose `spec.namespace` is `namespace`; of several, the first by name.
    #[must_use]
    pub fn project_of_namespace(&self, namespace: &str) -> Lookup<Arc<Project>> {
        if let Some(found) = self.projects_of_namespace(namespace).next() {
            return Lookup::Found(found);
        }
        let question = || Question::ProjectOfNamespace(namespace.to_owned());
        match self.told(question, |_| None) {
            // Any Project that cannot be read may be the one.
            Lookup::Unconfirmed => match self.certain(Kind::Project) {
                Lookup::Absent => self
                    .whole(Kind::Project)
                    .err()
                    .map_or(Lookup::Absent, Lookup::Unknown),
                known => known,
            },
            told => told,
        }
    }

    /// The Projects that are known whose `spec.namespace` is `namespace`, by name.
    pub fn projects_of_namespace(&self, namespace: &str) -> impl Iterator<Item = Arc<Project>> {
        let owners = self.projects_by_namespace.get(namespace).into_iter();
        let keys = owners
            .flatten()
            .map(|name| ObjectKey::named(Kind::Project, name));
        keys.filter_map(|key| self.object(&key))
    }

    /// The object of a kind that has this name, defaulted.
    #[must_use]
    pub fn get<'a, T: Kept>(&self, name: impl Into<Name<'a>>) -> Lookup<Arc<T>> {
        self.find(&ObjectKey::named(T::KIND, name))
    }

    /// The object with this key, which has to be one of `T`'s kind.
    pub(crate) fn find<T: Kept>(&self, key: &ObjectKey) -> Lookup<Arc<T>> {
        if let Some(found) = self.object::<T>(key) {
            return Lookup::Found(found);
        }
        match self.told(|| Question::Object(key.clone()), |_| None) {
            Lookup::Unconfirmed => {}
            told => return told,
        }
        match self.why_unreadable(key) {
            Some(why) => Lookup::Unknown(why),
            None => self.certain(key.kind),
        }
    }

    /// The CloudProfile changed by a NamespacedCloudProfile that no controller has merged yet.
    ///
    /// Merged once for each pair of versions, as long as the result stays in the cache.
    #[must_use]
    pub fn merged_profile(
        &self,
        profile: &Arc<NamespacedCloudProfile>,
        parent: &Arc<CloudProfile>,
    ) -> Arc<CloudProfileSpec> {
        self.merged.merge(profile, parent)
    }

    /// The result of [`Self::merged_profile`] if it is in the cache.
    #[must_use]
    pub fn cached_merged_profile(
        &self,
        profile: &Arc<NamespacedCloudProfile>,
        parent: &Arc<CloudProfile>,
    ) -> Option<Arc<CloudProfileSpec>> {
        self.merged.cached(profile, parent)
    }

    /// The keys of the NamespacedCloudProfiles that are known to change a CloudProfile.
    pub(crate) fn keys_of_children(&self, parent: &str) -> impl Iterator<Item = ObjectKey> {
        let children = self.namespaced_cloud_profiles_by_parent.get(parent);
        let children = children.into_iter().flatten();
        children
            .map(|(namespace, name)| ObjectKey::new(Kind::NamespacedCloudProfile, namespace, name))
    }

    /// The Shoots, by what they use; as of the snapshot.
    ///
    /// # Errors
    /// When not all of them are known, with the reason.
    pub fn shoots(&self) -> Result<&Shoots, String> {
        self.whole(Kind::Shoot)?;
        Ok(&self.shoots)
    }

    /// Whose domain is this one, or a part of it, or has it as a part; the first that is known, but `own`.
    #[must_use]
    pub fn rival_of(&self, domain: &str, own: &ShootName) -> Option<Rival<'_>> {
        self.shoots.rival_of(domain, own)
    }

    /// Whether all objects of a kind are known.
    #[must_use]
    pub fn knows_all(&self, kind: Kind) -> bool {
        self.whole(kind).is_ok()
    }

    /// How many Shoots are on a seed, or on their way to or from it: at least, and at most.
    ///
    /// # Errors
    /// When nothing is known about Shoots, with the reason.
    pub fn shoots_on_seed(&self, seed: &str) -> Result<RangeInclusive<usize>, String> {
        self.served(Kind::Shoot)?;
        let known = self.shoots.of_seed(seed).map_or(0, |shoots| shoots.len());
        Ok(known..=known + self.unreadable_of(Kind::Shoot).count())
    }

    /// Whose deletion is confirmed among all Projects, Shoots or ShootStates of `namespace` (empty for Projects).
    ///
    /// In a garden that is watched, `Unconfirmed` where something is `in_the_way` that the watch may be late with, and for
    /// ShootStates: so few requests need them that they are not watched.
    #[must_use]
    pub fn collection(
        &self,
        kind: Kind,
        namespace: &str,
        in_the_way: impl Fn(&Collection) -> bool,
    ) -> Lookup<Collection> {
        let told = self.told_collection(kind, namespace);
        if told != Lookup::Unconfirmed {
            return told;
        }
        if let Err(why) = self.whole(kind) {
            return Lookup::Unknown(why);
        }
        let known = self.collections.of(kind, namespace);
        let may_be_late = self.knowledge == Knowledge::Watched;
        if may_be_late && (kind == Kind::ShootState || in_the_way(&known)) {
            return Lookup::Unconfirmed;
        }
        Lookup::Found(known)
    }

    /// All Seeds, defaulted, by name; as of the snapshot.
    ///
    /// # Errors
    /// When not all of them are known, with the reason.
    pub fn seeds(&self) -> Result<impl Iterator<Item = &Arc<Seed>>, String> {
        self.whole(Kind::Seed)?;
        Ok(self.all())
    }

    /// The ConfigMaps with distances between regions, by name.
    ///
    /// `Unconfirmed` in a garden that is watched: so few requests need them that they are not watched.
    #[must_use]
    pub fn region_configs(&self) -> Lookup<Vec<Arc<RegionConfig>>> {
        self.labelled(Kind::ConfigMap, || {
            let all = self.all::<RegionConfig>();
            let all = all.filter(|it| is_of_garden(&it.metadata) && it.is_one());
            Ok(all.cloned().collect())
        })
    }

    /// Returns the data of the ConfigMap in which gardener-apiserver publishes its version.
    #[must_use]
    pub fn gardener_info(&self) -> Option<String> {
        let info = self.object::<RegionConfig>(&ObjectKey::gardener_info())?;
        info.data.get("gardenerAPIServer").cloned()
    }

    /// The default domains of the landscape, the one with the highest priority first; `Unconfirmed` as in
    /// [`Self::region_configs`], `Unknown` also if a Secret that is to name one does not.
    #[must_use]
    pub fn default_domains(&self) -> Lookup<Vec<DefaultDomain>> {
        self.labelled(Kind::Secret, || {
            let all = self.all::<DomainSecret>();
            let all = all.filter(|it| is_of_garden(&it.metadata));
            let domains = all.filter_map(|it| it.domain().transpose());
            let mut domains: Vec<_> = domains.collect::<Result<_, _>>()?;
            domains.sort_by_key(|it| Reverse(it.priority));
            Ok(domains)
        })
    }

    /// Whether `user` may do something, as far as the garden itself can tell; `None` means that the API server must be asked.
    #[must_use]
    pub fn access(&self, user: &UserInfo, question: &AccessQuestion) -> Option<AccessAnswer> {
        let told = self.told_access(question);
        match self.knowledge {
            _ if told.is_some() => told,
            _ if self.asks_for_verbs => None,
            Knowledge::Watched => None,
            Knowledge::Everything if self.grants(user, question) => Some(AccessAnswer::Allowed),
            Knowledge::Everything => Some(self.refuses(question)),
            Knowledge::Nothing => Some(AccessAnswer::Unknown(no_garden("RBAC object"))),
        }
    }

    /// Whether objects of a kind that only files tell of can be missed: not in a garden without any, which was written down without
    /// them, nor in one that is watched. In one that was listed they always can.
    #[must_use]
    pub fn tells_of(&self, kind: Kind) -> bool {
        let is_told = self.knowledge == Knowledge::Everything && !self.untold.contains(&kind);
        is_told && self.knows_of(kind)
    }

    /// As [`Self::tells_of`], of the objects of one namespace.
    #[must_use]
    pub fn tells_of_in(&self, kind: Kind, namespace: &str) -> bool {
        let has_one = || self.of_namespace(kind, namespace).next().is_some();
        self.tells_of(kind) && (self.complete.contains(&kind) || has_one())
    }

    /// What extensions are responsible for, in order of their names.
    ///
    /// # Errors
    /// When not all of them are known, with the reason.
    pub fn controller_registrations(
        &self,
    ) -> Result<impl Iterator<Item = &Arc<ControllerRegistration>>, String> {
        self.whole(Kind::ControllerRegistration)?;
        Ok(self.all())
    }

    /// The ManagedSeeds of a namespace that make one of its Shoots a Seed; more than one is a mistake.
    ///
    /// # Errors
    /// When not all of them are known, with the reason.
    pub fn managed_seeds_of(
        &self,
        namespace: &str,
        shoot: &str,
    ) -> Result<Vec<Arc<ManagedSeed>>, String> {
        self.whole(Kind::ManagedSeed)?;
        let all = self.of_namespace(Kind::ManagedSeed, namespace);
        let seeds = all.filter_map(ManagedSeed::of);
        let of_shoot = seeds.filter(|it| it.spec.shoot.name == shoot);
        Ok(of_shoot.cloned().collect())
    }

    /// How many objects of each kind there are, of those kinds that are watched or counted.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Kind, usize> {
        let mut counts: BTreeMap<_, _> = Kind::watched().map(|kind| (kind, 0)).collect();
        counts.insert(Kind::Shoot, self.shoots.len());
        for ObjectKey { kind, .. } in self.objects.keys() {
            if matches!(kind.known(), Known::Watched | Known::Counted) {
                *counts.entry(*kind).or_default() += 1;
            }
        }
        counts
    }

    /// What `all` makes of the objects of a kind of which only those with a label are of interest: no watch shows them.
    fn labelled<T>(&self, kind: Kind, all: impl FnOnce() -> Result<T, String>) -> Lookup<T> {
        let known = match self.told(|| Question::Labelled(kind), |_| Some(())) {
            Lookup::Unconfirmed if self.knowledge == Knowledge::Watched => {
                return Lookup::Unconfirmed;
            }
            Lookup::Found(()) => Ok(()),
            Lookup::Unknown(why) => Err(why),
            Lookup::Unconfirmed | Lookup::Absent => self.whole(kind),
        };
        let all = known.and_then(|()| all());
        all.map_or_else(Lookup::Unknown, Lookup::Found)
    }

    fn has_one(&self, kind: Kind) -> bool {
        (kind == Kind::Shoot && !self.shoots.is_empty())
            || self.of_kind(kind).next().is_some()
            || self.unreadable_of(kind).next().is_some()
    }

    /// What is kept of an object.
    pub(super) fn object<T: Kept>(&self, key: &ObjectKey) -> Option<Arc<T>> {
        match self.objects.get(key)? {
            GardenObject::Compressed(object) => T::of(&self.opened.object(object)).cloned(),
            object => T::of(object).cloned(),
        }
    }

    /// Whether an object is kept compressed, so that reading it takes milliseconds.
    #[must_use]
    pub fn is_compressed(&self, key: &ObjectKey) -> bool {
        matches!(self.objects.get(key), Some(GardenObject::Compressed(_)))
    }

    /// Decompresses an object, if it is compressed.
    pub(super) fn opened(&self, object: GardenObject) -> GardenObject {
        match object {
            GardenObject::Compressed(object) => self.opened.object(&object),
            object => object,
        }
    }

    /// Returns whether the snapshot has an equal object. Only Shoots and compressed objects, which may be large, are compared.
    #[must_use]
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

    /// What is kept of all objects of a kind, in order.
    pub(super) fn all<T: Kept>(&self) -> impl Iterator<Item = &Arc<T>> {
        self.of_kind(T::KIND).filter_map(|(_, it)| T::of(it))
    }

    /// All objects of a kind but Shoots, in order.
    pub(super) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (&ObjectKey, &GardenObject)> {
        let all = self.objects.range(ObjectKey::new(kind, "", "")..);
        all.take_while(move |(key, _)| key.kind == kind)
    }

    /// All objects of a kind but Shoots that are in a namespace, in order.
    pub(super) fn of_namespace<'a>(
        &'a self,
        kind: Kind,
        namespace: &'a str,
    ) -> impl Iterator<Item = &'a GardenObject> {
        let all = self.objects.range(ObjectKey::new(kind, namespace, "")..);
        let all = all.take_while(move |(key, _)| key.kind == kind && key.namespace == namespace);
        all.map(|(_, object)| object)
    }

    /// Returns the known names of a kind, but Shoots, in a namespace (empty for kinds that are in none), in order.
    pub fn names_of<'a>(&'a self, kind: Kind, namespace: &str) -> impl Iterator<Item = &'a str> {
        let namespace = namespace.to_owned();
        let all = self.objects.range(ObjectKey::new(kind, &namespace, "")..);
        let all = all.take_while(move |(key, _)| key.kind == kind && key.namespace == namespace);
        all.map(|(key, _)| key.name.as_str())
    }

    /// What it means that there is no object of a kind in the snapshot.
    fn certain<T>(&self, kind: Kind) -> Lookup<T> {
        match self.served(kind) {
            Err(why) => Lookup::Unknown(why),
            Ok(()) if self.knowledge == Knowledge::Everything => Lookup::Absent,
            Ok(()) => Lookup::Unconfirmed,
        }
    }

    /// Fails, with the reason, where not all objects of a kind are known, as far as the snapshot can tell.
    pub(super) fn whole(&self, kind: Kind) -> Result<(), String> {
        self.served(kind)?;
        match self.unreadable_of(kind).next() {
            Some((key, why)) => Err(cannot_be_read(key, why)),
            None => Ok(()),
        }
    }

    /// Fails, with the reason, where there may be objects of a kind of which nothing is known.
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
