use std::any::Any;
use std::cell::{Cell, OnceCell, Ref, RefCell};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use jiff::Timestamp;

use super::work::Work;
use super::{Difference, Kind, Question, Reading, Reads, Request};
use crate::compat::Json;
use crate::config::Config;
use crate::fields::{Described, StrictErrors, described};
use crate::garden::{
    AccessAnswer, AccessQuestion, Children, Collection, Lookup, Named, ObjectKey, Rival, Shoots,
    Snapshot,
};
use crate::model::{
    CORE_GROUP, CloudProfile, CloudProfileSpec, ControllerRegistration, DefaultDomain, Kept, Kinds,
    ManagedSeed, Name, NamespacedCloudProfile, Project, RegionConfig, ResourceQuota, Seed, Shoot,
    ShootName, ShootUse,
};

/// Nobody reads it: rules run again when there is an answer.
const NOT_YET: &str = "the API server has not answered yet";
/// Never shown: the request is judged again without a limit.
const TOO_MUCH: &str = "looking it up is too much work for now";
/// A NamespacedCloudProfile has about as many elements if it is not large.
const CHILD: usize = 16;
/// A Shoot that counts to a Quota has pools whose machine types are searched for in a profile.
const COUNTED: usize = 16;
/// The Shoots that count to a Quota are found by going through all bindings.
const BINDINGS: usize = 1_000;

/// Everything that a rule may look at besides the objects of the request.
#[derive(Debug)]
pub struct Context<'a> {
    /// The request; its objects are given to the rule typed and defaulted.
    pub request: &'a Request<'a>,
    /// The configuration in force.
    pub config: &'a Config,
    /// The instant of the request.
    pub now: Timestamp,
    garden: &'a Snapshot,
    /// The rule that looks things up, and what it declares to read.
    running: Cell<Option<(&'static str, &'static [Reads])>>,
    asked: RefCell<BTreeSet<Question>>,
    looked_up: Cell<Kinds>,
    /// What was looked up last by its name: many rules in a row read the same profile.
    last: RefCell<Option<(ObjectKey, Arc<dyn Any + Send + Sync>)>>,
    /// The last merged profile.
    last_merged: RefCell<Option<(Arc<NamespacedCloudProfile>, Arc<CloudProfileSpec>)>>,
    work: Work,
    difference: OnceCell<Difference<'a>>,
    old_opened: OnceCell<Json<'a>>,
    new_opened: OnceCell<Json<'a>>,
    strict_errors: OnceCell<Option<(&'static Described, StrictErrors<'a>)>>,
    /// Whether the object is as it will be, so that no rule changes it any more.
    pub(super) is_settled: Cell<bool>,
    pub(super) changed_fields: OnceCell<Vec<String>>,
    /// The ids of rules that change objects and are undetermined.
    undetermined: RefCell<BTreeSet<&'static str>>,
    /// The stored Shoot, if fields of it were filled in.
    filled_old: RefCell<Option<Shoot>>,
}

/// What a validating rule judges: the object as it will be, and as it is.
#[derive(Debug)]
pub struct Change<'a, T: ?Sized> {
    /// Absent on DELETE.
    pub new: Option<&'a T>,
    /// Absent on CREATE.
    pub old: Option<&'a T>,
}

impl<T: ?Sized> Clone for Change<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Change<'_, T> {}

impl<'a> Change<'a, dyn Any> {
    /// The objects as what the rule's scopes say they are.
    pub(crate) fn typed<T: Any>(self) -> Change<'a, T> {
        let [new, old] = [self.new, self.old].map(|object| {
            let typed = object.and_then(|object| object.downcast_ref());
            debug_assert_eq!(
                object.is_some(),
                typed.is_some(),
                "a check is for objects of another type"
            );
            typed
        });
        Change { new, old }
    }
}

impl<'a> Context<'a> {
    pub(super) fn new(
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
            is_settled: Cell::new(false),
            changed_fields: OnceCell::new(),
            undetermined: RefCell::default(),
            filled_old: RefCell::default(),
        }
    }

    /// The Project whose `spec.namespace` is `namespace`.
    ///
    /// `Unknown` while the API server is being asked (the rule runs again then), and where nothing is known about Projects.
    #[must_use]
    pub fn project_of_namespace(&self, namespace: &str) -> Lookup<Arc<Project>> {
        self.looks_up(Reading::Objects(Kind::Project));
        let known = self.garden.project_of_namespace(namespace);
        if let Lookup::Found(project) = &known
            && self.garden.has_large_objects()
        {
            let key = ObjectKey::named(Kind::Project, project.metadata.name.as_str());
            if !self.work.charge_once(&key, self.garden.elements(&key)) {
                return self.too_much();
            }
        }
        self.confirm(known, || Question::ProjectOfNamespace(namespace.to_owned()))
    }

    /// The Projects that are known whose `spec.namespace` is `namespace`, by name; there may be others.
    pub fn projects_of_namespace(&self, namespace: &str) -> impl Iterator<Item = Arc<Project>> {
        self.looks_up(Reading::Objects(Kind::Project));
        self.garden.projects_of_namespace(namespace)
    }

    /// The object of a kind that has this name, defaulted; `Unknown` as in [`Self::project_of_namespace`].
    #[must_use]
    pub fn get<'n, T: Kept>(&self, name: impl Into<Name<'n>>) -> Lookup<Arc<T>> {
        self.looks_up(Reading::Objects(T::KIND));
        let name = name.into();
        if let Some(found) = self.found_last(name) {
            return Lookup::Found(found);
        }
        let key = ObjectKey::named(T::KIND, name);
        if !self.work.is_unlimited() && self.garden.is_compressed(&key) {
            self.work.exceed();
            return self.too_much();
        }
        match self.garden.find::<T>(&key) {
            Lookup::Found(_) if !self.work.charge_once(&key, self.garden.elements(&key)) => {
                self.too_much()
            }
            Lookup::Found(found) => {
                self.last.replace(Some((key, found.clone())));
                Lookup::Found(found)
            }
            known => self.confirm(known, || Question::Object(key)),
        }
    }

    /// The profile that a NamespacedCloudProfile makes of its CloudProfile, before a controller has merged them.
    #[must_use]
    pub fn merged(
        &self,
        profile: &Arc<NamespacedCloudProfile>,
        parent: &Arc<CloudProfile>,
    ) -> Lookup<Arc<CloudProfileSpec>> {
        if let Some((of, merged)) = &*self.last_merged.borrow()
            && Arc::ptr_eq(of, profile)
        {
            return Lookup::Found(Arc::clone(merged));
        }
        let merged = match self.garden.cached_merged_profile(profile, parent) {
            Some(merged) if self.work.charge(merged.elements()) => merged,
            None if self.work.is_unlimited() => self.garden.merged_profile(profile, parent),
            _ => {
                self.work.exceed();
                return self.too_much();
            }
        };
        let last = (Arc::clone(profile), Arc::clone(&merged));
        self.last_merged.replace(Some(last));
        Lookup::Found(merged)
    }

    /// The result of a lookup above the limit of the request.
    fn too_much<T>(&self) -> Lookup<T> {
        Lookup::Unknown(TOO_MUCH.to_owned())
    }

    /// Charges for elements of the garden.
    ///
    /// # Errors
    /// Above the limit of the request.
    fn charge(&self, elements: usize) -> Result<(), String> {
        match self.work.charge(elements) {
            true => Ok(()),
            false => Err(TOO_MUCH.to_owned()),
        }
    }

    /// Whether a lookup exceeded the limit of the request.
    pub(super) fn is_exceeded(&self) -> bool {
        self.work.is_exceeded()
    }

    fn found_last<T: Kept>(&self, name: Name<'_>) -> Option<Arc<T>> {
        let last = self.last.borrow();
        let (_, found) = last
            .as_ref()
            .filter(|(key, _)| key.kind == T::KIND && name.is_of(key))?;
        found.clone().downcast().ok()
    }

    /// All Seeds, defaulted, by name.
    ///
    /// # Errors
    /// When not all of them are known, with the reason: what depends on them is undetermined.
    pub fn seeds(&self) -> Result<impl Iterator<Item = &'a Arc<Seed>>, String> {
        self.looks_up(Reading::Objects(Kind::Seed));
        self.charge(self.garden.seeds()?.count())?;
        self.garden.seeds()
    }

    /// Whether objects of a kind that only files tell of can be missed: not in a garden without any, which was written down without
    /// them.
    #[must_use]
    pub fn tells_of(&self, kind: Kind) -> bool {
        self.looks_up(Reading::Objects(kind));
        self.garden.tells_of(kind)
    }

    /// As [`Self::tells_of`], of the objects of one namespace.
    #[must_use]
    pub fn tells_of_in(&self, kind: Kind, namespace: &str) -> bool {
        self.looks_up(Reading::Objects(kind));
        self.garden.tells_of_in(kind, namespace)
    }

    /// Returns the known names of a kind in a namespace (empty for kinds that are in none), for suggestions; there may be others.
    #[must_use]
    pub fn names(&self, kind: Kind, namespace: &str) -> Vec<&'a str> {
        self.looks_up(Reading::Objects(kind));
        let names = self.garden.names_of(kind, namespace).collect::<Vec<_>>();
        match self.work.charge(names.len()) {
            true => names,
            false => Vec::new(),
        }
    }

    /// Whether there is an object of which nothing but its name matters; `Unknown` where the garden does not tell.
    #[must_use]
    pub fn named(&self, key: &ObjectKey) -> Lookup<Named> {
        self.looks_up(Reading::Names);
        self.garden.named(key)
    }

    /// Whether the landscape offers managed issuers of service-account tokens; `Unknown` where the garden does not tell.
    #[must_use]
    pub fn issuer(&self) -> Lookup<Named> {
        self.looks_up(Reading::Names);
        self.garden.issuer()
    }

    /// What extensions are responsible for, in order of their names.
    ///
    /// # Errors
    /// When not all of them are known, with the reason: what depends on them is undetermined.
    pub fn controller_registrations(
        &self,
    ) -> Result<impl Iterator<Item = &'a Arc<ControllerRegistration>>, String> {
        self.looks_up(Reading::Objects(Kind::ControllerRegistration));
        self.garden.controller_registrations()
    }

    /// The ManagedSeeds of a namespace that make one of its Shoots a Seed; more than one is a mistake.
    ///
    /// # Errors
    /// When not all of them are known, with the reason: what depends on them is undetermined.
    pub fn managed_seeds_of(
        &self,
        namespace: &str,
        shoot: &str,
    ) -> Result<Vec<Arc<ManagedSeed>>, String> {
        self.looks_up(Reading::Objects(Kind::ManagedSeed));
        self.garden.managed_seeds_of(namespace, shoot)
    }

    /// The ConfigMaps with distances between regions, by name; never absent, `Unknown` as in [`Self::project_of_namespace`].
    #[must_use]
    pub fn region_configs(&self) -> Lookup<Vec<Arc<RegionConfig>>> {
        self.looks_up(Reading::Objects(Kind::ConfigMap));
        self.confirm(self.garden.region_configs(), || {
            Question::Labelled(Kind::ConfigMap)
        })
    }

    /// The default domains of the landscape, the one with the highest priority first; never absent, `Unknown` as in [`Self::project_of_namespace`].
    #[must_use]
    pub fn default_domains(&self) -> Lookup<Vec<DefaultDomain>> {
        self.looks_up(Reading::Objects(Kind::Secret));
        self.confirm(self.garden.default_domains(), || {
            Question::Labelled(Kind::Secret)
        })
    }

    /// Whose deletion is confirmed among all objects of `kind` in `namespace`; never absent.
    ///
    /// The snapshot may be late, so the API server is asked before anything counts that is `in_the_way`; `Unknown` as in
    /// [`Self::project_of_namespace`].
    #[must_use]
    pub fn collection(
        &self,
        kind: Kind,
        namespace: &str,
        in_the_way: impl Fn(&Collection) -> bool,
    ) -> Lookup<Collection> {
        self.looks_up(Reading::Objects(kind));
        let known = self.garden.collection(kind, namespace, in_the_way);
        if let Lookup::Found(collection) = &known
            && !self.work.charge(collection.count())
        {
            return self.too_much();
        }
        self.confirm(known, || Question::Collection {
            kind,
            namespace: namespace.to_owned(),
        })
    }

    /// The NamespacedCloudProfiles that change the CloudProfile called `parent` and are not being deleted.
    ///
    /// # Errors
    /// When not all of them are known, with the reason: what depends on them is undetermined.
    pub fn namespaced_cloud_profiles_of(&self, parent: &str) -> Result<Children<'a>, String> {
        self.looks_up(Reading::Objects(Kind::NamespacedCloudProfile));
        if !self.work.is_unlimited() {
            for key in self.garden.keys_of_children(parent) {
                self.charge(CHILD + self.garden.elements(&key))?;
            }
        }
        self.garden.namespaced_cloud_profiles_of(parent)
    }

    /// The Shoots, by what they use.
    ///
    /// # Errors
    /// When not all of them are known, with the reason: what depends on them is undetermined.
    pub fn shoots(&self) -> Result<&'a Shoots, String> {
        self.looks_up(Reading::Objects(Kind::Shoot));
        let shoots = self.garden.shoots()?;
        self.charge(shoots.len())?;
        Ok(shoots)
    }

    /// The Shoots whose binding names a Quota, by name; only those of one namespace if one is given.
    ///
    /// # Errors
    /// When not all of them are known, with the reason: what depends on them is undetermined.
    pub fn shoots_of_quota(
        &self,
        quota: (&str, &str),
        within: Option<&str>,
    ) -> Result<Vec<&'a ShootUse>, String> {
        for kind in [Kind::Shoot, Kind::SecretBinding, Kind::CredentialsBinding] {
            self.looks_up(Reading::Objects(kind));
        }
        let shoots = self.garden.shoots_of_quota(quota, within)?;
        self.charge(BINDINGS + shoots.len() * COUNTED)?;
        Ok(shoots)
    }

    /// The ResourceQuotas of a namespace; none in a garden without any.
    ///
    /// # Errors
    /// When not all of them are known, with the reason: what depends on them is undetermined.
    pub fn resource_quotas(&self, namespace: &str) -> Result<Vec<Arc<ResourceQuota>>, String> {
        self.looks_up(Reading::Objects(Kind::ResourceQuota));
        self.garden.resource_quotas(namespace)
    }

    /// Whose domain is this one, or a part of it, or has it as a part; the first that is known, but `own`. There may be others.
    #[must_use]
    pub fn rival_of(&self, domain: &str, own: &ShootName) -> Option<Rival<'a>> {
        self.looks_up(Reading::Objects(Kind::Shoot));
        self.garden.rival_of(domain, own)
    }

    /// How many Shoots are on a seed, or on their way to or from it: at least, and at most.
    ///
    /// # Errors
    /// When nothing is known about Shoots, with the reason.
    pub fn shoots_on_seed(&self, seed: &str) -> Result<RangeInclusive<usize>, String> {
        self.looks_up(Reading::Objects(Kind::Shoot));
        self.garden.shoots_on_seed(seed)
    }

    /// Whether the requester has a custom verb on the object of the request.
    ///
    /// `Unknown` while the API server is being asked (the rule runs again then), and where the question cannot be asked.
    #[must_use]
    pub fn requester_may(
        &self,
        verb: &'static str,
        resource: &'static str,
        object_name: &str,
    ) -> AccessAnswer {
        self.requester_may_on(verb, (resource, ""), object_name)
    }

    /// As [`Self::requester_may`], for a resource together with one of its subresources.
    #[must_use]
    pub fn requester_may_on(
        &self,
        verb: &'static str,
        (resource, subresource): (&'static str, &'static str),
        object_name: &str,
    ) -> AccessAnswer {
        let name = if self.request.name.is_empty() {
            object_name
        } else {
            &self.request.name
        };
        self.requester_may_do(AccessQuestion {
            verb,
            group: CORE_GROUP,
            resource,
            subresource,
            namespace: self.request.namespace.clone(),
            name: name.to_owned(),
        })
    }

    /// Whether the requester may read an object; `Unknown` as in [`Self::requester_may`].
    #[must_use]
    pub fn requester_may_get(&self, key: &ObjectKey) -> AccessAnswer {
        self.requester_may_do(AccessQuestion {
            verb: "get",
            group: key.kind.api().0,
            resource: key.kind.resource(),
            subresource: "",
            namespace: key.namespace.clone(),
            name: key.name.clone(),
        })
    }

    /// As [`Self::requester_may`], for any object.
    fn requester_may_do(&self, question: AccessQuestion) -> AccessAnswer {
        self.looks_up(Reading::Verbs);
        if self
            .request
            .user_info
            .groups
            .iter()
            .any(|group| group == "system:masters")
        {
            return AccessAnswer::Allowed;
        }
        if let Some(answer) = self.garden.access(&self.request.user_info, &question) {
            return answer;
        }
        self.asked.borrow_mut().insert(Question::Access(question));
        AccessAnswer::Unknown(NOT_YET.to_owned())
    }

    /// What an UPDATE of a Shoot changes, whatever rules read of it; worked out once, when first asked for.
    #[must_use]
    pub fn difference(&self) -> &Difference<'a> {
        self.difference
            .get_or_init(|| Difference::new(self.request))
    }

    /// Whether a rule that changes the object could not, because the objects that it reads are not known.
    #[must_use]
    pub fn is_undetermined(&self, rule: &str) -> bool {
        self.undetermined.borrow().contains(rule)
    }

    /// Notes that a rule that changes the object is undetermined.
    pub(super) fn note_undetermined(&self, rule: &'static str) {
        self.undetermined.borrow_mut().insert(rule);
    }

    /// Sets the stored Shoot with the fields that were filled in, for comparisons of JSON.
    pub(super) fn set_filled_old(&self, old: &Shoot) {
        self.filled_old.replace(Some(old.clone()));
    }

    /// Returns the stored Shoot, if fields of it were filled in.
    pub(super) fn filled_old(&self) -> Ref<'_, Option<Shoot>> {
        self.filled_old.borrow()
    }

    /// Notes that the object is now as it will be.
    pub(super) fn settle(&self) {
        self.is_settled.set(true);
    }

    /// The new object as it was received, for rules that need more than the typed view.
    #[must_use]
    pub fn new_json(&self) -> Json<'a> {
        let [new, _] = self.request.received();
        new
    }

    /// The stored object as it was received; as [`Self::new_json`].
    #[must_use]
    pub fn old_json(&self) -> Json<'a> {
        let [_, old] = self.request.received();
        old
    }

    /// The new object as it was received, wholly looked into, once for all rules: for those that look at much of it.
    #[must_use]
    pub fn new_opened(&self) -> &Json<'a> {
        self.request.looked_into(&self.new_opened)
    }

    /// The stored object; as [`Self::new_opened`].
    #[must_use]
    pub fn old_opened(&self) -> &Json<'a> {
        self.old_opened.get_or_init(|| self.old_json().opened())
    }

    /// What a strict decoder has against the new object, and what it takes it for; worked out once, when first asked for.
    #[must_use]
    pub fn strict_errors(&self) -> Option<&(&'static Described, StrictErrors<'a>)> {
        let read = || {
            let described = described(self.request.kind()?.as_str())?;
            let text = self.request.object?.get();
            Some((described, StrictErrors::of(text, described.object)))
        };
        self.strict_errors.get_or_init(read).as_ref()
    }

    /// Notes which rule looks things up from now on.
    pub(super) fn run(&self, rule: &'static str, reads: &'static [Reads]) {
        self.running.set(Some((rule, reads)));
    }

    /// Notes it. Fails, in tests, where the rule does not declare that it looks something up: the gate would take itself for ready, or
    /// for an account with all rights, without it.
    fn looks_up(&self, what: Reading) {
        if let Reading::Objects(kind) = what {
            self.looked_up.set(self.looked_up.get().with(kind));
        }
        debug_assert!(
            self.running
                .get()
                .is_none_or(|(_, reads)| Reads::declare(reads, what, self.config)),
            "{} looks up {what}, which is not among its `reads`",
            self.running.get().map_or("", |(rule, _)| rule)
        );
    }

    /// The kinds of which anything was looked up.
    pub(super) fn looked_up(&self) -> Kinds {
        self.looked_up.get()
    }

    /// Whether anything was asked since that was last taken.
    pub(super) fn has_questions(&self) -> bool {
        !self.asked.borrow().is_empty()
    }

    /// What was asked since it was last taken.
    pub(super) fn take_questions(&self) -> BTreeSet<Question> {
        self.asked.take()
    }

    fn confirm<T>(&self, known: Lookup<T>, question: impl FnOnce() -> Question) -> Lookup<T> {
        let Lookup::Unconfirmed = known else {
            return known;
        };
        self.asked.borrow_mut().insert(question());
        Lookup::Unknown(NOT_YET.to_owned())
    }
}
