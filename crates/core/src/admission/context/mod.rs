// SPDX-License-Identifier: Apache-2.0
mod change;
mod configurations;
mod extensions;

use std::any::Any;
use std::cell::{Cell, OnceCell, Ref, RefCell};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use jiff::Timestamp;

use super::work::Work;
use super::{Difference, Kind, Question, Reading, Reads, Request};
use crate::config::Config;
use crate::custom_resources::CustomResource;
use crate::garden::{
    AccessQuestion, Children, Collection, ConflictingDomain, Knowledge, Named, ObjectKey, Shoots,
    Snapshot, Unknown,
};
use garden_gate_model::api::{
    BackupEntry, CORE_GROUP, CloudProfile, CloudProfileSpec, ConfigMapData, ControllerRegistration,
    DefaultDomain, Kinds, ManagedSeed, Name, NamespacedCloudProfile, Project, RegionConfig,
    ResourceQuota, Seed, Shoot, ShootName, ShootUse, SnapshotObject, Versions,
};
use garden_gate_model::api::{Described, StrictErrors, described_in};
use garden_gate_text::json::Json;

pub(crate) use change::FromChange;
pub use change::{Change, Objects, Update, Write};
pub use configurations::{Configurations, ExtensionUse};

/// Never displayed: the request is evaluated again without a limit.
const TOO_MUCH: &str = "looking it up is too much work for now";
/// Estimated number of elements of a NamespacedCloudProfile that is not large.
const CHILD: usize = 16;
/// Cost of a Shoot that counts for a Quota: its machine types are searched in a profile.
const COUNTED: usize = 16;
/// Cost of iterating over all bindings to find the Shoots of a Quota.
const BINDINGS: usize = 1_000;

/// Lookups that rules can perform, in addition to the objects of the request.
#[derive(Debug)]
pub struct Context<'a> {
    /// The request.
    /// Rules receive its objects typed and defaulted.
    pub request: &'a Request<'a>,
    /// The configuration in use.
    pub config: &'a Config,
    /// The time of the request.
    pub now: Timestamp,
    garden: &'a Snapshot,
    /// The rule that looks things up, and what it declares to read.
    running: Cell<Option<(&'static str, &'static [Reads])>>,
    asked: RefCell<BTreeSet<Question>>,
    looked_up: Cell<Kinds>,
    /// The last object found by name, since consecutive rules often read the same profile.
    last: RefCell<Option<(ObjectKey, Arc<dyn Any + Send + Sync>)>>,
    /// The last merged profile.
    last_merged: RefCell<Option<(Arc<NamespacedCloudProfile>, Arc<CloudProfileSpec>)>>,
    work: Work,
    difference: OnceCell<Difference<'a>>,
    old_opened: OnceCell<Json<'a>>,
    new_opened: OnceCell<Json<'a>>,
    strict_errors: OnceCell<Option<(&'static Described, StrictErrors<'a>)>>,
    custom_resource: OnceCell<Option<CustomResource>>,
    configurations: OnceCell<Configurations<'a>>,
    /// Whether mutation is complete, so that no rule changes the object any more.
    pub(crate) is_settled: Cell<bool>,
    pub(crate) changed_fields: OnceCell<Vec<String>>,
    /// The ids of mutating rules that are undetermined.
    undetermined: RefCell<BTreeSet<&'static str>>,
    /// The stored Shoot, if some of its fields were filled in.
    filled_old: RefCell<Option<Shoot>>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        request: &'a Request<'a>,
        (garden, config, now): (&'a Snapshot, &'a Config, Timestamp),
        work: Work,
    ) -> Self {
        Self {
            request,
            config,
            now,
            garden,
            running: Cell::new(None),
            asked: RefCell::default(),
            looked_up: Cell::default(),
            last: RefCell::default(),
            last_merged: RefCell::default(),
            work,
            difference: OnceCell::new(),
            old_opened: OnceCell::new(),
            new_opened: OnceCell::new(),
            strict_errors: OnceCell::new(),
            custom_resource: OnceCell::new(),
            configurations: OnceCell::new(),
            is_settled: Cell::new(false),
            changed_fields: OnceCell::new(),
            undetermined: RefCell::default(),
            filled_old: RefCell::default(),
        }
    }

    /// Returns the Project whose `spec.namespace` is `namespace`.
    ///
    /// # Errors
    /// Fails until the API server has answered (then the rule runs again), or with the reason if it is unknown.
    pub fn project_of_namespace(&self, namespace: &str) -> Result<Option<Arc<Project>>, Unknown> {
        self.looks_up(Reading::Objects(Kind::Project));
        let known = self.garden.project_of_namespace(namespace);
        if let Ok(Some(project)) = &known
            && self.garden.has_large_objects()
        {
            let key = ObjectKey::named(Kind::Project, project.metadata.name.as_str());
            if !self.work.charge_once(&key, self.garden.elements(&key)) {
                return too_much();
            }
        }
        self.confirm(known, || Question::ProjectOfNamespace(namespace.to_owned()))
    }

    /// Returns the known Projects whose `spec.namespace` is `namespace`, by name; there may be others.
    pub fn projects_of_namespace(&self, namespace: &str) -> impl Iterator<Item = Arc<Project>> {
        self.looks_up(Reading::Objects(Kind::Project));
        self.garden.projects_of_namespace(namespace)
    }

    /// Looks up an object by name, defaulted.
    ///
    /// # Errors
    /// Fails as [`Self::project_of_namespace`].
    pub fn get<'n, T: SnapshotObject>(
        &self,
        name: impl Into<Name<'n>>,
    ) -> Result<Option<Arc<T>>, Unknown> {
        self.looks_up(Reading::Objects(T::KIND));
        let name = name.into();
        if let Some(found) = self.found_last(name) {
            return Ok(Some(found));
        }
        let key = ObjectKey::named(T::KIND, name);
        if !self.work.is_unlimited() && self.garden.is_compressed(&key) {
            self.work.exceed();
            return too_much();
        }
        match self.garden.find::<T>(&key) {
            Ok(Some(_)) if !self.work.charge_once(&key, self.garden.elements(&key)) => too_much(),
            Ok(Some(found)) => {
                self.last.replace(Some((key, found.clone())));
                Ok(Some(found))
            }
            known => self.confirm(known, || Question::Object(key)),
        }
    }

    /// Looks up an object of a kind that only directories contain, as [`Self::get`].
    ///
    /// Returns `None` if it is not found, and its absence is not significant; see [`Self::absence_is_known`].
    pub fn get_significant<'n, T: SnapshotObject>(
        &self,
        name: impl Into<Name<'n>>,
    ) -> Option<Result<Option<Arc<T>>, Unknown>> {
        let name = name.into();
        let is_found = || {
            let key = ObjectKey::named(T::KIND, name);
            matches!(self.garden.find::<T>(&key), Ok(Some(_)))
        };
        (self.absence_is_known(T::KIND) || is_found()).then(|| self.get(name))
    }

    /// Returns the CloudProfile merged with a NamespacedCloudProfile, before a controller has merged them.
    ///
    /// # Errors
    /// Fails above the limit of the request.
    pub fn merged(
        &self,
        profile: &Arc<NamespacedCloudProfile>,
        parent: &Arc<CloudProfile>,
    ) -> Result<Arc<CloudProfileSpec>, Unknown> {
        if let Some((of, merged)) = &*self.last_merged.borrow()
            && Arc::ptr_eq(of, profile)
        {
            return Ok(Arc::clone(merged));
        }
        let merged = match self.garden.cached_merged_profile(profile, parent) {
            Some(merged) if self.work.charge(merged.elements()) => merged,
            None if self.work.is_unlimited() => self.garden.merged_profile(profile, parent),
            _ => {
                self.work.exceed();
                return too_much();
            }
        };
        let last = (Arc::clone(profile), Arc::clone(&merged));
        self.last_merged.replace(Some(last));
        Ok(merged)
    }

    /// Charges for elements of the garden.
    ///
    /// # Errors
    /// Fails above the limit of the request.
    fn charge(&self, elements: usize) -> Result<(), Unknown> {
        if self.work.charge(elements) { Ok(()) } else { too_much() }
    }

    /// Reports whether a lookup exceeded the limit of the request.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.work.is_exceeded()
    }

    fn found_last<T: SnapshotObject>(&self, name: Name<'_>) -> Option<Arc<T>> {
        let last = self.last.borrow();
        let (_, found) = last.as_ref().filter(|(key, _)| key.kind == T::KIND && name.is_of(key))?;
        found.clone().downcast().ok()
    }

    /// Returns all Seeds, defaulted, by name.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known; the rule is then undetermined.
    pub fn seeds(&self) -> Result<impl Iterator<Item = &'a Arc<Seed>>, Unknown> {
        self.looks_up(Reading::Objects(Kind::Seed));
        self.charge(self.garden.seeds()?.count())?;
        Ok(self.garden.seeds()?)
    }

    /// Reports whether the garden is watched by a server, which never knows kinds that only directories contain.
    pub fn is_watched(&self) -> bool {
        self.garden.knowledge() == Knowledge::Watched
    }

    /// Reports whether a missing object of a kind that only directories contain is significant.
    ///
    /// That is not the case for a directory without objects of the kind, which was dumped without them.
    pub fn absence_is_known(&self, kind: Kind) -> bool {
        self.looks_up(Reading::Objects(kind));
        self.garden.absence_is_known(kind)
    }

    /// Like [`Self::absence_is_known`], for the objects of one namespace.
    pub fn absence_is_known_in(&self, kind: Kind, namespace: &str) -> bool {
        self.looks_up(Reading::Objects(kind));
        self.garden.absence_is_known_in(kind, namespace)
    }

    /// Returns the known names of a kind in a namespace, for suggestions; there may be others.
    ///
    /// The namespace is empty for cluster-scoped kinds.
    pub fn names(&self, kind: Kind, namespace: &str) -> Vec<&'a str> {
        self.looks_up(Reading::Objects(kind));
        let names = self.garden.names_of(kind, namespace).collect::<Vec<_>>();
        if self.work.charge(names.len()) { names } else { Vec::new() }
    }

    /// Looks up an object of which only the name matters.
    ///
    /// # Errors
    /// Fails with the reason if the garden has no data.
    pub fn named(&self, key: &ObjectKey) -> Result<Option<Named>, Unknown> {
        self.looks_up(Reading::Names);
        self.garden.named(key)
    }

    /// Looks up the values of a ConfigMap that may configure the API server of a Shoot.
    ///
    /// # Errors
    /// Fails with the reason if its existence or its values are unknown.
    pub fn config_map_data(&self, key: &ObjectKey) -> Result<Option<Arc<ConfigMapData>>, Unknown> {
        self.looks_up(Reading::Names);
        self.garden.config_map_data(key)
    }

    /// Returns the Secret for managed issuers of service-account tokens.
    ///
    /// # Errors
    /// Fails as [`Self::named`].
    pub fn issuer(&self) -> Result<Option<Named>, Unknown> {
        self.looks_up(Reading::Names);
        self.garden.issuer()
    }

    /// Returns the ControllerRegistrations by name.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known; the rule is then undetermined.
    pub fn controller_registrations(
        &self,
    ) -> Result<impl Iterator<Item = &'a Arc<ControllerRegistration>>, Unknown> {
        self.looks_up(Reading::Objects(Kind::ControllerRegistration));
        Ok(self.garden.controller_registrations()?)
    }

    /// Returns the BackupEntries by namespace and name.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known; the rule is then undetermined.
    pub fn backup_entries(&self) -> Result<impl Iterator<Item = &'a Arc<BackupEntry>>, Unknown> {
        self.looks_up(Reading::Objects(Kind::BackupEntry));
        Ok(self.garden.backup_entries()?)
    }

    /// Returns the ManagedSeeds that turn a Shoot of a namespace into a Seed; more than one is invalid.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known; the rule is then undetermined.
    pub fn managed_seeds_of(
        &self,
        namespace: &str,
        shoot: &str,
    ) -> Result<Vec<Arc<ManagedSeed>>, Unknown> {
        self.looks_up(Reading::Objects(Kind::ManagedSeed));
        Ok(self.garden.managed_seeds_of(namespace, shoot)?)
    }

    /// Returns the known ManagedSeeds like [`Self::managed_seeds_of`]; there may be others.
    pub fn known_managed_seeds_of(
        &self,
        namespace: &'a str,
        shoot: &'a str,
    ) -> impl Iterator<Item = &'a Arc<ManagedSeed>> {
        self.looks_up(Reading::Objects(Kind::ManagedSeed));
        self.garden.known_managed_seeds_of(namespace, shoot)
    }

    /// Returns the ConfigMaps with distances between regions, by name.
    ///
    /// # Errors
    /// Fails as [`Self::project_of_namespace`].
    pub fn region_configs(&self) -> Result<Vec<Arc<RegionConfig>>, Unknown> {
        self.looks_up(Reading::Objects(Kind::ConfigMap));
        self.confirm(self.garden.region_configs(), || Question::Labelled(Kind::ConfigMap))
    }

    /// Returns the default domains of the landscape, highest priority first.
    ///
    /// # Errors
    /// Fails as [`Self::project_of_namespace`].
    pub fn default_domains(&self) -> Result<Vec<DefaultDomain>, Unknown> {
        self.looks_up(Reading::Objects(Kind::Secret));
        self.confirm(self.garden.default_domains(), || Question::Labelled(Kind::Secret))
    }

    /// Returns all objects of `kind` in `namespace`, grouped by confirmed deletion.
    ///
    /// The snapshot may lag behind, so that the API server is asked if `in_the_way` holds.
    ///
    /// # Errors
    /// Fails as [`Self::project_of_namespace`].
    pub fn collection(
        &self,
        kind: Kind,
        namespace: &str,
        in_the_way: impl Fn(&Collection) -> bool,
    ) -> Result<Collection, Unknown> {
        self.looks_up(Reading::Objects(kind));
        let known = self.garden.collection(kind, namespace, in_the_way);
        if let Ok(collection) = &known {
            self.charge(collection.count())?;
        }
        self.confirm(known, || Question::Collection { kind, namespace: namespace.to_owned() })
    }

    /// Returns the NamespacedCloudProfiles of a CloudProfile that are not being deleted.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known; the rule is then undetermined.
    pub fn namespaced_cloud_profiles_of(&self, parent: &str) -> Result<Children<'a>, Unknown> {
        self.looks_up(Reading::Objects(Kind::NamespacedCloudProfile));
        if !self.work.is_unlimited() {
            for key in self.garden.keys_of_children(parent) {
                self.charge(CHILD + self.garden.elements(&key))?;
            }
        }
        Ok(self.garden.namespaced_cloud_profiles_of(parent)?)
    }

    /// Returns the Shoots, indexed by the profile entries that they use.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known; the rule is then undetermined.
    pub fn shoots(&self) -> Result<&'a Shoots, Unknown> {
        self.looks_up(Reading::Objects(Kind::Shoot));
        let shoots = self.garden.shoots()?;
        self.charge(shoots.len())?;
        Ok(shoots)
    }

    /// Looks up a Shoot.
    ///
    /// # Errors
    /// Fails with the reason if it is unknown; the rule is then undetermined.
    pub fn shoot(&self, name: &ShootName) -> Result<Option<&'a ShootUse>, Unknown> {
        self.looks_up(Reading::Objects(Kind::Shoot));
        Ok(self.garden.shoot(name)?)
    }

    /// Returns the Shoots whose binding references a Quota, by name.
    ///
    /// If `within` is set, only Shoots of that namespace are returned.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known; the rule is then undetermined.
    pub fn shoots_of_quota(
        &self,
        quota: (&str, &str),
        within: Option<&str>,
    ) -> Result<Vec<&'a ShootUse>, Unknown> {
        for kind in [Kind::Shoot, Kind::SecretBinding, Kind::CredentialsBinding] {
            self.looks_up(Reading::Objects(kind));
        }
        let shoots = self.garden.shoots_of_quota(quota, within)?;
        self.charge(BINDINGS + shoots.len() * COUNTED)?;
        Ok(shoots)
    }

    /// Returns the ResourceQuotas of a namespace; none if the garden has none at all.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known; the rule is then undetermined.
    pub fn resource_quotas(&self, namespace: &str) -> Result<Vec<Arc<ResourceQuota>>, Unknown> {
        self.looks_up(Reading::Objects(Kind::ResourceQuota));
        Ok(self.garden.resource_quotas(namespace)?)
    }

    /// Returns a known Shoot other than `own` with the same domain, a parent domain or a subdomain.
    ///
    /// There may be others.
    pub fn conflicting_domain(
        &self,
        domain: &str,
        own: &ShootName,
    ) -> Option<ConflictingDomain<'a>> {
        self.looks_up(Reading::Objects(Kind::Shoot));
        self.garden.conflicting_domain(domain, own)
    }

    /// Returns the minimum and maximum number of Shoots on a Seed or being migrated to or from it.
    ///
    /// # Errors
    /// Fails with the reason if nothing is known about Shoots.
    pub fn shoots_on_seed(&self, seed: &str) -> Result<RangeInclusive<usize>, Unknown> {
        self.looks_up(Reading::Objects(Kind::Shoot));
        Ok(self.garden.shoots_on_seed(seed)?)
    }

    /// Reports whether the requesting user has a custom verb on the object of the request.
    ///
    /// # Errors
    /// Fails until the API server has answered (then the rule runs again), or if the check is impossible.
    pub fn requester_may(
        &self,
        verb: &'static str,
        resource: &'static str,
        object_name: &str,
    ) -> Result<bool, Unknown> {
        self.requester_may_on(verb, resource, "", object_name)
    }

    /// Like [`Self::requester_may`], for a resource with a subresource.
    ///
    /// # Errors
    /// Fails as [`Self::requester_may`].
    pub fn requester_may_on(
        &self,
        verb: &'static str,
        resource: &'static str,
        subresource: &'static str,
        object_name: &str,
    ) -> Result<bool, Unknown> {
        let name = if self.request.name.is_empty() { object_name } else { &self.request.name };
        self.requester_may_do(AccessQuestion {
            verb,
            group: CORE_GROUP,
            resource,
            subresource,
            namespace: self.request.namespace.clone(),
            name: name.to_owned(),
        })
    }

    /// Reports whether the requesting user may read an object.
    ///
    /// # Errors
    /// Fails as [`Self::requester_may`].
    pub fn requester_may_get(&self, key: &ObjectKey) -> Result<bool, Unknown> {
        self.requester_may_do(AccessQuestion {
            verb: "get",
            group: key.kind.api().0,
            resource: key.kind.resource(),
            subresource: "",
            namespace: key.namespace.clone(),
            name: key.name.clone(),
        })
    }

    /// Like [`Self::requester_may`], for any object.
    fn requester_may_do(&self, question: AccessQuestion) -> Result<bool, Unknown> {
        self.looks_up(Reading::Verbs);
        if self.request.user_info.groups.iter().any(|group| group == "system:masters") {
            return Ok(true);
        }
        let known = self.garden.access(&self.request.user_info, &question);
        self.confirm(known, || Question::Access(question))
    }

    /// Returns the difference between the Shoots of an UPDATE; computed once, on first use.
    pub fn difference(&self) -> &Difference<'a> {
        self.difference.get_or_init(|| Difference::new(self.request))
    }

    /// Reports whether a mutating rule is undetermined, because the objects that it reads are unknown.
    pub fn is_undetermined(&self, rule: &str) -> bool {
        self.undetermined.borrow().contains(rule)
    }

    /// Records that a mutating rule is undetermined.
    pub(crate) fn note_undetermined(&self, rule: &'static str) {
        self.undetermined.borrow_mut().insert(rule);
    }

    /// Sets the stored Shoot with filled-in fields, for comparisons of JSON.
    pub(crate) fn set_filled_old(&self, old: &Shoot) {
        self.filled_old.replace(Some(old.clone()));
    }

    /// Returns the stored Shoot, if some of its fields were filled in.
    pub(crate) fn filled_old(&self) -> Ref<'_, Option<Shoot>> {
        self.filled_old.borrow()
    }

    /// Records that mutation is complete.
    pub(crate) fn settle(&self) {
        self.is_settled.set(true);
    }

    /// Reports whether the landscape runs one of these versions of Gardener.
    pub fn runs(&self, versions: Versions) -> bool {
        versions.contains(self.config.gardener_version)
    }

    /// Returns the new object as received, for rules that need more than the typed view.
    pub fn new_json(&self) -> Json<'a> {
        let [new, _] = self.request.received();
        new
    }

    /// Returns the stored object as received; see [`Self::new_json`].
    pub fn old_json(&self) -> Json<'a> {
        let [_, old] = self.request.received();
        old
    }

    /// Returns the new object as received, completely parsed and cached, for rules that read much of it.
    pub fn new_opened(&self) -> &Json<'a> {
        self.request.parsed_object(&self.new_opened)
    }

    /// Returns the stored object; see [`Self::new_opened`].
    pub fn old_opened(&self) -> &Json<'a> {
        self.old_opened.get_or_init(|| self.old_json().opened())
    }

    /// Returns the strict decoding errors of the new object, and its type; computed once, on first use.
    pub fn strict_errors(&self) -> Option<&(&'static Described, StrictErrors<'a>)> {
        let read = || {
            let version = &self.request.resource.version;
            let described = described_in(self.request.kind()?.as_str(), version)?;
            let text = self.request.object?.get();
            Some((
                described,
                StrictErrors::of(text, described.object, self.config.gardener_version),
            ))
        };
        self.strict_errors.get_or_init(read).as_ref()
    }

    /// Returns the object of the request if a CustomResourceDefinition declares its kind; decoded once, on first use.
    pub(crate) fn custom_resource(&self) -> Option<&CustomResource> {
        self.custom_resource.get_or_init(|| CustomResource::of(self.request)).as_ref()
    }

    /// Returns the garden, for the evaluation of a template.
    pub(super) fn garden(&self) -> &'a Snapshot {
        self.garden
    }

    /// Adds questions of the evaluation of a template.
    pub(super) fn ask(&self, questions: BTreeSet<Question>) {
        self.asked.borrow_mut().extend(questions);
    }

    /// Sets the rule that runs from now on.
    pub(crate) fn run(&self, rule: &'static str, reads: &'static [Reads]) {
        self.running.set(Some((rule, reads)));
    }

    /// Records a lookup.
    ///
    /// In tests, fails if the rule does not declare it in `reads`.
    ///
    /// Readiness and the required permissions are derived from these declarations.
    fn looks_up(&self, what: Reading) {
        if let Reading::Objects(kind) = what {
            self.looked_up.set(self.looked_up.get().with(kind));
        }
        debug_assert!(
            self.running.get().is_none_or(|(_, reads)| Reads::declare(reads, what, self.config)),
            "{} looks up {what}, which is not among its `reads`",
            self.running.get().map_or("", |(rule, _)| rule)
        );
    }

    /// Returns the kinds of all lookups.
    pub(crate) fn looked_up(&self) -> Kinds {
        self.looked_up.get()
    }

    /// Reports whether there are new questions since the last [`Self::take_questions`].
    pub(crate) fn has_questions(&self) -> bool {
        !self.asked.borrow().is_empty()
    }

    /// Takes the new questions.
    pub(crate) fn take_questions(&self) -> BTreeSet<Question> {
        self.asked.take()
    }

    /// Asks the API server for an unconfirmed result.
    fn confirm<T>(
        &self,
        known: Result<T, Unknown>,
        question: impl FnOnce() -> Question,
    ) -> Result<T, Unknown> {
        if let Err(Unknown::Unconfirmed) = known {
            self.asked.borrow_mut().insert(question());
        }
        known
    }
}

/// Returns the result of a lookup above the limit of the request.
fn too_much<T>() -> Result<T, Unknown> {
    Err(Unknown::Reason(TOO_MUCH.to_owned()))
}
