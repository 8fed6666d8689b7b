// SPDX-License-Identifier: Apache-2.0
//! Judgement of a change as a set: for each object, the others count as applied.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::subject::{ChangeForms, Judged, Subject};
use crate::audit::StoredManifest;
use crate::report::Reviewed;
use garden_gate_core::admission::{
    Case, EntryPoint, Phase, Question, Request, Review, Verdict, World,
};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{AccessQuestion, GardenObject, Knowledge, ObjectKey, Snapshot};
use garden_gate_core::policies::{
    self, Allowance, OwnPolicy, Policies, PolicyCache, PolicyRemarks,
};
use garden_gate_model::api::{Kind, UserInfo};

/// Maximum number of other objects that are tried to find the one that an object needs.
const CANDIDATES: usize = 200;

/// Number of objects judged as one batch: enough for all cores, and small enough for memory.
const AT_ONCE: usize = 128;
/// Number of objects that one core judges in a row.
///
/// It is small, so that all cores finish at about the same time.
const IN_A_ROW: usize = 4;

/// The finding about an object whose kind or API version does not exist.
const UNKNOWN_KIND: &str = "object/unknown-kind";

/// Answers questions about permissions, as an API server does.
pub trait AccessReviewer: fmt::Debug + Sync {
    /// Reports whether a user may do something.
    ///
    /// # Errors
    /// Fails with the reason if that is unknown.
    fn access(&self, user: &UserInfo, question: &AccessQuestion) -> Result<bool, String>;
}

/// The requesting user of a change.
#[derive(Debug)]
pub struct Applier<'a> {
    /// The user, or a placeholder.
    pub user: UserInfo,
    /// Whether the user was named; otherwise needed verbs are noted, not judged.
    pub is_named: bool,
    /// Whether needed verbs of an unnamed user are not even noted, since no API server is asked.
    pub has_all_permissions: bool,
    /// The reviewer of the permissions of a named user; without it, RBAC objects of the garden decide.
    pub access: Option<&'a dyn AccessReviewer>,
    /// The compiled policies of the garden.
    pub policies: PolicyCache,
    /// The policies of operators.
    pub own_policies: Arc<[OwnPolicy]>,
}

impl Applier<'_> {
    /// The name of the user in stored values if no user is named.
    pub const UNNAMED: &'static str = "(the requesting user)";

    /// Returns a user, who is named if there is a name or a group.
    ///
    /// A user with a name is in `system:authenticated`, as behind an API server.
    pub fn new(name: Option<&str>, groups: &[String]) -> Self {
        let standard = match name {
            None | Some("system:anonymous") => "system:unauthenticated",
            Some(_) => "system:authenticated",
        };
        let groups = groups.iter().map(String::as_str);
        Self {
            is_named: name.is_some() || groups.len() > 0,
            user: UserInfo {
                username: name.unwrap_or(Self::UNNAMED).to_owned(),
                groups: groups.chain([standard]).map(str::to_owned).collect(),
                ..UserInfo::default()
            },
            has_all_permissions: false,
            access: None,
            policies: PolicyCache::default(),
            own_policies: Arc::default(),
        }
    }
}

impl Default for Applier<'_> {
    /// Returns a user who is not named: needed verbs are noted, not judged.
    fn default() -> Self {
        Self::new(None, &[])
    }
}

/// The effect of an object on the garden for the other objects.
#[derive(Debug)]
enum Effect {
    Is(GardenObject),
    IsGone(ObjectKey),
}

impl Effect {
    fn key(&self) -> ObjectKey {
        match self {
            Effect::Is(object) => object.key(),
            Effect::IsGone(key) => key.clone(),
        }
    }

    fn on(&self, garden: &Snapshot) -> Snapshot {
        match self {
            Effect::Is(object) => garden.with([object.clone()]),
            Effect::IsGone(key) => garden.without([key.clone()]),
        }
    }
}

/// The effects of all objects of a change.
#[derive(Debug, Default)]
pub struct ChangeSet {
    /// The effects of all objects, in order.
    effects: Vec<Effect>,
    /// The number of different changed objects by kind.
    changed: BTreeMap<Kind, usize>,
    /// The number of added minus deleted objects, by namespace and kind.
    added: BTreeMap<(String, Kind), i64>,
}

impl ChangeSet {
    /// Takes the effects of objects.
    pub fn of(subjects: &mut [Subject]) -> Self {
        let added = added(subjects);
        let effects: Vec<Effect> = subjects.par_iter_mut().filter_map(effect).collect();
        let mut keys: Vec<ObjectKey> = effects.par_iter().map(Effect::key).collect();
        keys.par_sort_unstable();
        keys.dedup();
        let mut changed = BTreeMap::new();
        for key in keys {
            *changed.entry(key.kind).or_default() += 1;
        }
        Self { effects, changed, added }
    }

    /// Returns a garden with all changes applied.
    pub fn applied_to(&self, garden: &Snapshot) -> Snapshot {
        let objects = self.effects.iter().filter_map(|effect| match effect {
            Effect::Is(object) => Some(object.clone()),
            Effect::IsGone(_) => None,
        });
        let gone = self.effects.iter().filter_map(|effect| match effect {
            Effect::Is(_) => None,
            Effect::IsGone(key) => Some(key.clone()),
        });
        garden.with(objects).without(gone)
    }

    /// Judges some objects with the changes of all others applied, in order.
    ///
    /// `whole` is the garden with all changes, from [`Self::applied_to`].
    pub fn judge(
        &self,
        (subjects, whole): (&[Subject], &Snapshot),
        applier: &Applier<'_>,
        world: &World<'_>,
        telling: &ReviewOptions<'_>,
    ) -> Vec<Reviewed> {
        let judge = Judge {
            world,
            applier,
            set: self,
            whole: OnceLock::from(whole.clone()),
            telling,
            objects: subjects.len(),
        };
        let subjects = subjects.par_iter().with_max_len(IN_A_ROW);
        subjects.map(|subject| judge.member(subject)).collect()
    }
}

/// The common context of all verdicts.
struct Judge<'a> {
    world: &'a World<'a>,
    applier: &'a Applier<'a>,
    set: &'a ChangeSet,
    /// The garden with all changes applied; computed on first use.
    whole: OnceLock<Snapshot>,
    telling: &'a ReviewOptions<'a>,
    /// The number of judged objects, which share the effort of policies.
    objects: usize,
}

/// Options for output next to the verdicts.
#[derive(Default)]
pub struct ReviewOptions<'a> {
    /// Is called with the number of objects that are judged next.
    pub progress: Option<&'a (dyn Fn(usize) + Sync)>,
    /// The form in which changes before storing are shown.
    pub shows: ChangeForms,
    /// The configurations of files with levels of their own.
    pub configs: HashMap<Arc<str>, Arc<Config>>,
}

/// A verdict in one garden.
struct GardenVerdict {
    review: Review,
    /// The verbs that it assumes.
    verbs: BTreeSet<AccessQuestion>,
    /// The results of policies that are not part of the verdict.
    remarks: PolicyRemarks,
}

impl GardenVerdict {
    /// Returns the verdict with notes on verbs, policies and `needed` objects.
    fn with_notes(self, needed: Option<String>) -> Judged {
        let verbs = self.verbs.iter().map(needs_verb);
        let notes = verbs.chain(self.remarks.notes).chain(needed).collect();
        let unjudged = self.remarks.unjudged.into_iter();
        Judged {
            review: self.review,
            notes,
            unjudged: unjudged.map(Into::into).collect(),
            configurations: self.remarks.configurations,
        }
    }
}

/// The options of a verdict.
#[derive(Clone, Copy)]
struct JudgingOptions<'a> {
    config: &'a Config,
    /// Whether no user was named, so that verbs are noted and not judged.
    is_anybody: bool,
    /// The effort that policies may still take for the object.
    allowance: &'a Allowance,
}

/// Judges every object of a change in a garden with the other changes applied.
///
/// It judges batches on all cores, passes the results to `hand_on` in order, and keeps none of them. It returns the effects of the
/// change, whose memory takes a while to release.
///
/// # Errors
/// Returns the first error of `hand_on`.
pub fn judge<E>(
    mut subjects: Vec<Subject>,
    applier: &Applier<'_>,
    world: &World<'_>,
    telling: &ReviewOptions<'_>,
    mut hand_on: impl FnMut(Vec<(Subject, Reviewed)>) -> Result<(), E>,
) -> Result<ChangeSet, E> {
    let set = ChangeSet::of(&mut subjects);
    let judge = Judge {
        world,
        applier,
        set: &set,
        whole: OnceLock::new(),
        telling,
        objects: subjects.len(),
    };
    let mut subjects = subjects.into_iter();
    let mut judged = Vec::new();
    loop {
        let next: Vec<Subject> = subjects.by_ref().take(AT_ONCE).collect();
        let mut next_judged = Vec::new();
        // The batch is judged while the previous one is passed on.
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| next_judged = judge.members(next));
            hand_on(judged)
        })?;
        if next_judged.is_empty() {
            break;
        }
        judged = next_judged;
    }
    Ok(set)
}

/// Returns the verdict about an object alone, and whether it assumes permissions.
pub fn alone(subject: &Subject, applier: &Applier<'_>, world: &World<'_>) -> (Verdict, bool) {
    let judge = Judge {
        world,
        applier,
        set: &ChangeSet::default(),
        whole: OnceLock::new(),
        telling: &ReviewOptions::default(),
        objects: 1,
    };
    let is_anybody = !applier.is_named && subject.key().is_some();
    let mut needs_verbs = false;
    let judged = subject.judge(
        &applier.user,
        ((world.garden, world.config), world.now, ChangeForms::default()),
        |request| {
            let options = JudgingOptions {
                config: world.config,
                is_anybody,
                allowance: &Allowance::of_object(1),
            };
            let verdict = judge.verdict(request, world.garden, options);
            needs_verbs = !verdict.verbs.is_empty();
            verdict.with_notes(None)
        },
    );
    (judged.verdict(), needs_verbs)
}

/// Returns the garden with the unchanged objects of the review.
pub fn with_unchanged(garden: &Snapshot, unchanged: &mut [Subject]) -> Snapshot {
    let objects = unchanged.iter_mut().filter_map(|subject| match effect(subject)? {
        Effect::Is(object) => Some(object),
        Effect::IsGone(_) => None,
    });
    garden.with(objects)
}

/// Returns the number of added minus deleted objects, by namespace and kind.
fn added(subjects: &[Subject]) -> BTreeMap<(String, Kind), i64> {
    let mut added = BTreeMap::new();
    for subject in subjects {
        if let Some((place, count)) = counted(subject) {
            *added.entry(place).or_default() += count;
        }
    }
    added
}

/// Returns the namespace and the kind of an object, and 1 if it is new, or -1 if it is deleted.
fn counted(subject: &Subject) -> Option<((String, Kind), i64)> {
    let key = subject.key()?;
    let count = match (subject.exists_after(), subject.is_new()) {
        (true, true) => 1,
        (true, false) => return None,
        (false, _) => -1,
    };
    Some(((key.namespace, key.kind), count))
}

/// Returns the effect of an object; `None` if it cannot be parsed as its kind.
fn effect(subject: &mut Subject) -> Option<Effect> {
    let key = subject.key()?;
    if !subject.exists_after() {
        return Some(Effect::IsGone(key));
    }
    subject.take_kept().map(Effect::Is)
}

impl Judge<'_> {
    fn members(&self, subjects: Vec<Subject>) -> Vec<(Subject, Reviewed)> {
        let subjects = subjects.into_par_iter().with_max_len(IN_A_ROW);
        let judged = subjects.map(|subject| {
            let reviewed = self.member(&subject);
            (subject, reviewed)
        });
        judged.collect()
    }

    fn member(&self, subject: &Subject) -> Reviewed {
        let own = subject.key();
        if let Some(progress) = self.telling.progress {
            progress(1);
        }
        // An AdmissionReview names its user.
        let own_config = self.telling.configs.get(&subject.file);
        let config = own_config.map_or(self.world.config, |it| &**it);
        let is_anybody = !self.applier.is_named && own.is_some();
        let garden = (self.world.garden, config);
        let seen = (garden, self.world.now, self.telling.shows);
        subject.judge(&self.applier.user, seen, |request| {
            // All verdicts about an object share the effort.
            let allowance = Allowance::of_object(self.objects);
            let options = JudgingOptions { config, is_anybody, allowance: &allowance };
            let alone = self.verdict(request, self.world.garden, options);
            if !self.may_matter(&alone.review, own.as_ref()) {
                return alone.with_notes(None);
            }
            let garden = self.others(subject, own.as_ref());
            let mut together = self.verdict(request, &garden, options);
            let looked_up = &mut together.review.looked_up;
            *looked_up = looked_up.union(alone.review.looked_up);
            let [was, is] = [&alone, &together].map(|it| it.review.verdict());
            let is_helped = is == Verdict::Allowed && was != Verdict::Allowed;
            let needed = is_helped
                .then(|| self.needed(request, (&alone.review, own.as_ref()), options))
                .flatten();
            together.with_notes(needed)
        })
    }

    /// Reports whether the other changes may affect a verdict.
    fn may_matter(&self, alone: &Review, own: Option<&ObjectKey>) -> bool {
        // Quotas count other objects of the same kind, whether or not they were looked up.
        let is_counted = |kind: &Kind| {
            alone.looked_up.contains(Kind::ResourceQuota)
                && own.is_some_and(|own| own.kind == *kind)
        };
        self.set.changed.iter().any(|(kind, count)| {
            let is_own = own.is_some_and(|own| own.kind == *kind);
            let matters = alone.looked_up.contains(*kind) || is_counted(kind);
            matters && *count > usize::from(is_own)
        })
    }

    /// Returns the garden with all changes but this one applied.
    fn others(&self, subject: &Subject, own: Option<&ObjectKey>) -> Cow<'_, Snapshot> {
        let whole = self.whole.get_or_init(|| self.set.applied_to(self.world.garden));
        let others = match own {
            Some(own) => Cow::Owned(whole.with_of(self.world.garden, own)),
            None => Cow::Borrowed(whole),
        };
        if !self.world.garden.knows_of(Kind::ResourceQuota) {
            return others;
        }
        let mut added = self.set.added.clone();
        if let Some((place, count)) = counted(subject) {
            added.entry(place).and_modify(|it| *it -= count);
        }
        Cow::Owned(others.with_counted(&added))
    }

    /// Returns a note on the objects that must be applied first.
    ///
    /// It is for an object that is only allowed with the other changes.
    fn needed(
        &self,
        request: &Request<'_>,
        (alone, own): (&Review, Option<&ObjectKey>),
        options: JudgingOptions<'_>,
    ) -> Option<String> {
        // Without a garden, existing objects are unknown.
        if self.world.garden.knowledge() == Knowledge::Nothing {
            return None;
        }
        let others = self.set.effects.iter().filter(|effect| {
            let key = effect.key();
            alone.looked_up.contains(key.kind) && Some(&key) != own
        });
        let needed = others.take(CANDIDATES).find(|effect| {
            let garden = effect.on(self.world.garden);
            let verdict = self.verdict(request, &garden, options);
            verdict.review.verdict() == Verdict::Allowed
        });
        Some(match needed {
            Some(Effect::Is(object)) => {
                format!("needs {} of this change first", title(&object.key()))
            }
            Some(Effect::IsGone(key)) => format!("needs the removal of {} first", title(key)),
            None => "needs other objects of this change first".to_owned(),
        })
    }

    /// Returns the verdict in a garden.
    ///
    /// An object that an API server has stored is not new, even if its stored state is unknown.
    fn verdict(
        &self,
        request: &Request<'_>,
        garden: &Snapshot,
        options: JudgingOptions<'_>,
    ) -> GardenVerdict {
        let Some(stored) = StoredManifest::of(request, garden) else {
            return self.verdict_on(request, garden, options);
        };
        let mut verdict = self.verdict_on(&stored.as_new(request), garden, options);
        // A refusal by the seed stays: the manifest may be new in spite of its `uid`.
        if verdict.review.verdict() == Verdict::Undetermined
            && let Some(request) = stored.as_unscheduled(request)
        {
            let other = self.verdict_on(&request, garden, options);
            if StoredManifest::is_enough(&other.review, &verdict.review) {
                verdict = other;
            }
        }
        let others = [stored.as_completed(request), stored.as_unchanged(request)]
            .map(|it| self.verdict_on(&it, garden, options).review);
        stored.combine(&mut verdict.review, others);
        verdict.remarks.notes.push(StoredManifest::NOTE.to_owned());
        verdict
    }

    /// Returns the verdict on an unmodified request.
    ///
    /// Offline, all other questions remain unanswered; a whole garden raises none.
    fn verdict_on(
        &self,
        request: &Request<'_>,
        garden: &Snapshot,
        options: JudgingOptions<'_>,
    ) -> GardenVerdict {
        let JudgingOptions { config, is_anybody, .. } = options;
        let garden = if is_anybody { &garden.clone().asking_for_verbs() } else { garden };
        let mut verbs = BTreeSet::new();
        let has_all_permissions = self.applier.has_all_permissions;
        let world = World { garden, config, ..*self.world };
        let mut judge = |request: &Request<'_>| {
            let mut review =
                Case::decide(EntryPoint::Review, request, &world, |garden, questions| {
                    for question in questions {
                        match question {
                            Question::Access(asked) if is_anybody => {
                                garden.answer_access(asked.clone(), Ok(true));
                                verbs.extend(Some(asked).filter(|_| !has_all_permissions));
                            }
                            question => self.ask(request, garden, question),
                        }
                    }
                });
            // Other rules judge the kind that it resembles.
            if review.findings.iter().any(|it| it.finding == UNKNOWN_KIND) {
                review.findings.retain(|it| it.phase == Phase::Decoding);
                review.undetermined.clear();
            }
            review
        };
        let policies = Policies {
            cache: Some(&self.applier.policies),
            own: &self.applier.own_policies,
            is_user_known: !is_anybody,
            is_enforced: false,
        };
        let limited = (policies, options.allowance);
        let (review, remarks) = policies::decide(request, &world, limited, &mut judge);
        GardenVerdict { review, verbs, remarks }
    }

    /// Answers a question about access, if there is a reviewer of permissions; others are unanswered.
    fn ask(&self, request: &Request<'_>, garden: &mut Snapshot, question: Question) {
        match (question, self.applier.access) {
            (Question::Access(asked), Some(reviewer)) => {
                let answer = reviewer.access(&request.user_info, &asked);
                garden.answer_access(asked, answer);
            }
            (question, _) => {
                garden.answer_unknown(question, "offline there is no API server to ask");
            }
        }
    }
}

/// Formats a title, such as `Project dev` or `Shoot garden-dev/web`.
fn title(key: &ObjectKey) -> String {
    let ObjectKey { kind, namespace, name } = key;
    let slash = if namespace.is_empty() { "" } else { "/" };
    format!("{kind} {namespace}{slash}{name}")
}

fn needs_verb(question: &AccessQuestion) -> String {
    let AccessQuestion { verb, group, resource, subresource, namespace, name } = question;
    let before = |sign: &'static str, text: &str| if text.is_empty() { "" } else { sign };
    format!(
        "the requesting user needs the verb `{verb}` on `{resource}{}{subresource}{}{group}` `{namespace}{}{name}`",
        before("/", subresource),
        before(".", group),
        before("/", namespace),
    )
}
