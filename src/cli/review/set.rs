//! A change is a set: each of its objects is judged as if the others were there already.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

use super::subject::Subject;
use crate::cli::live::Live;
use crate::cli::progress::Progress;
use crate::engine::{Case, Door, Question, Request, Review, Verdict, World};
use crate::garden::{
    AccessAnswer, AccessQuestion, GardenObject, Knowledge, ObjectKey, Snapshot, read,
};
use crate::model::{Kind, UserInfo};
use crate::report::Reviewed;

/// So many other objects are looked at one by one to find the one that an object needs.
const CANDIDATES: usize = 200;

/// Who applies a change.
#[derive(Debug)]
pub(super) struct Applier<'a> {
    pub(super) user: UserInfo,
    /// Whether anybody was named; if nobody was, verbs that are needed are told of, not judged.
    pub(super) is_named: bool,
    /// Who tells what somebody that is named may do; if nobody does, RBAC objects of the garden do.
    pub(super) live: Option<&'a Live>,
}

/// What an object of the set is for the others.
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

/// One object of the set.
struct Member {
    subject: Subject,
    effect: Option<Effect>,
}

/// What a change says of one object, with the places in the whole: more than once where it has several variants of it, as untidy
/// repositories do. They do not count for each other.
type Variants<'a> = Vec<(usize, &'a Member)>;

/// What all members are judged with.
struct Judge<'a> {
    world: &'a World<'a>,
    applier: &'a Applier<'a>,
    effects: Vec<(String, &'a Effect)>,
    /// Counts what is judged.
    progress: Option<&'a Progress>,
}

/// Judges every object of a change in a garden in which the others are as they will be. All cores take part; the order stays.
pub(super) fn judge(
    subjects: Vec<Subject>,
    applier: &Applier<'_>,
    world: &World<'_>,
) -> Vec<Reviewed> {
    let members: Vec<Member> = subjects
        .into_iter()
        .map(|subject| Member {
            effect: effect(&subject),
            subject,
        })
        .collect();
    let effects = members.iter().filter_map(|member| {
        let effect = member.effect.as_ref()?;
        Some((member.subject.title(), effect))
    });
    let judge = Judge {
        world,
        applier,
        effects: effects.collect(),
        progress: Some(&Progress::until("judging", members.len())),
    };
    let mut variants: BTreeMap<_, Variants<'_>> = BTreeMap::new();
    for (index, member) in members.iter().enumerate() {
        let key = member.subject.key();
        let alone = if key.is_none() { index } else { 0 };
        let variants = variants.entry((key, alone)).or_default();
        variants.push((index, member));
    }
    let variants: Vec<Variants<'_>> = variants.into_values().collect();
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let mut reviewed = judge.objects(&variants, world.garden, cores);
    reviewed.sort_by_key(|(index, _)| *index);
    reviewed.into_iter().map(|(_, object)| object).collect()
}

/// The verdict about an object if it came alone, and whether that depends on verbs which nobody was asked about.
pub(super) fn alone(
    subject: &Subject,
    applier: &Applier<'_>,
    world: &World<'_>,
) -> (Verdict, bool) {
    let judge = Judge {
        world,
        applier,
        effects: Vec::new(),
        progress: None,
    };
    let is_anybody = !applier.is_named && subject.key().is_some();
    let mut needs_verbs = false;
    let judged = subject.judge(&applier.user, world.garden, |request| {
        let (review, verbs) = judge.verdict(request, world.garden, is_anybody);
        needs_verbs = !verbs.is_empty();
        (review, Vec::new())
    });
    (judged.verdict(), needs_verbs)
}

/// This garden with objects that nobody changes.
pub(super) fn with_unchanged(garden: &Snapshot, unchanged: &[Subject]) -> Snapshot {
    let objects = unchanged
        .iter()
        .filter_map(|subject| match effect(subject)? {
            Effect::Is(object) => Some(object),
            Effect::IsGone(_) => None,
        });
    garden.with(objects)
}

/// What cannot be read as what it should be has none; its own verdict says so.
fn effect(subject: &Subject) -> Option<Effect> {
    let key = subject.key()?;
    if !subject.stays() {
        return Some(Effect::IsGone(key));
    }
    let object = read(key.kind, subject.document()?);
    Some(Effect::Is(object.ok()??))
}

impl Judge<'_> {
    /// Judges objects in a garden in which all others are as they will be: each half is added to the garden of the other, so
    /// that each object is added a logarithmic number of times, and never to its own garden.
    fn objects(
        &self,
        objects: &[Variants<'_>],
        garden: &Snapshot,
        cores: usize,
    ) -> Vec<(usize, Reviewed)> {
        let (left, right) = match objects {
            [] => return Vec::new(),
            [variants] => {
                let judged = variants.iter();
                return judged
                    .map(|(index, member)| (*index, self.member(member, garden)))
                    .collect();
            }
            objects => objects.split_at(objects.len() / 2),
        };
        let (for_left, for_right) = (with(garden, right), with(garden, left));
        if cores < 2 {
            let mut reviewed = self.objects(left, &for_left, 1);
            reviewed.extend(self.objects(right, &for_right, 1));
            return reviewed;
        }
        thread::scope(|scope| {
            let half = scope.spawn(|| self.objects(left, &for_left, cores / 2));
            let rest = self.objects(right, &for_right, cores - cores / 2);
            let mut reviewed = half.join().unwrap_or_else(|panic| resume_unwind(panic));
            reviewed.extend(rest);
            reviewed
        })
    }

    fn member(&self, member: &Member, garden: &Snapshot) -> Reviewed {
        let subject = &member.subject;
        if let Some(progress) = self.progress {
            progress.add(1);
        }
        // An AdmissionReview names its user.
        let is_anybody = !self.applier.is_named && member.subject.key().is_some();
        subject.judge(&self.applier.user, garden, |request| {
            let (review, verbs) = self.verdict(request, garden, is_anybody);
            let mut notes: Vec<String> = verbs.iter().map(needs_verb).collect();
            if review.verdict() == Verdict::Allowed {
                notes.extend(self.needed(request, member, is_anybody));
            }
            (review, notes)
        })
    }

    /// What has to be there first, if the object passes only thanks to the others.
    fn needed(&self, request: &Request<'_>, member: &Member, is_anybody: bool) -> Option<String> {
        let own = member.subject.key();
        let is_other = |effect: &Effect| Some(effect.key()) != own;
        let others = || self.effects.iter().filter(|(_, it)| is_other(it));
        // Of other Shoots, Shoots need nothing; and without a garden nobody knows what is there.
        let is_shoot = own.as_ref().is_some_and(|key| key.kind == Kind::Shoot);
        let may_matter = |effect: &Effect| !is_shoot || effect.key().kind != Kind::Shoot;
        let passes = |garden: &Snapshot| {
            let (review, _) = self.verdict(request, garden, is_anybody);
            review.verdict() == Verdict::Allowed
        };
        let is_moot = self.world.garden.knowledge() == Knowledge::Nothing
            || !others().any(|(_, effect)| may_matter(effect))
            || passes(self.world.garden);
        if is_moot {
            return None;
        }
        let mut candidates = others().filter(|(_, it)| may_matter(it)).take(CANDIDATES);
        let needed = candidates.find(|(_, effect)| passes(&effect.on(self.world.garden)));
        Some(match needed {
            Some((title, Effect::Is(_))) => format!("needs {title} of this change first"),
            Some((title, Effect::IsGone(_))) => format!("needs the removal of {title} first"),
            None => "needs other objects of this change first".to_owned(),
        })
    }

    /// The verdict in a garden, and the verbs that somebody needs for it. Offline nobody answers other questions; in a whole
    /// garden there are none.
    fn verdict(
        &self,
        request: &Request<'_>,
        garden: &Snapshot,
        is_anybody: bool,
    ) -> (Review, BTreeSet<AccessQuestion>) {
        let garden = match is_anybody {
            true => &garden.clone().asking_for_verbs(),
            false => garden,
        };
        let mut verbs = BTreeSet::new();
        let world = World {
            garden,
            ..*self.world
        };
        let review = Case::decide(Door::Review, request, &world, |garden, questions| {
            for question in questions {
                match question {
                    Question::Access(asked) if is_anybody => {
                        garden.tell_access(asked.clone(), AccessAnswer::Allowed);
                        verbs.insert(asked);
                    }
                    question => self.ask(request, garden, question),
                }
            }
        });
        (review, verbs)
    }

    /// Asks about verbs, if there is anybody who can tell; the rest is known.
    fn ask(&self, request: &Request<'_>, garden: &mut Snapshot, question: Question) {
        match (question, self.applier.live) {
            (Question::Access(asked), Some(live)) => {
                let answer = live.access(&request.user_info, &asked);
                garden.tell_access(asked, answer);
            }
            (question, _) => {
                garden.tell_unknown(question, "offline there is no API server to ask");
            }
        }
    }
}

fn with(garden: &Snapshot, objects: &[Variants<'_>]) -> Snapshot {
    let members = || objects.iter().flatten();
    let effects = || members().filter_map(|(_, member)| member.effect.as_ref());
    let objects = effects().filter_map(|effect| match effect {
        Effect::Is(object) => Some(object.clone()),
        Effect::IsGone(_) => None,
    });
    let gone = effects().filter_map(|effect| match effect {
        Effect::Is(_) => None,
        Effect::IsGone(key) => Some(key.clone()),
    });
    garden.with(objects).without(gone)
}

fn needs_verb(question: &AccessQuestion) -> String {
    let AccessQuestion {
        verb,
        group,
        resource,
        subresource,
        namespace,
        name,
    } = question;
    let slash = |text: &str| if text.is_empty() { "" } else { "/" };
    format!(
        "whoever applies it needs the verb `{verb}` on `{resource}{}{subresource}.{group}` `{namespace}{}{name}`",
        slash(subresource),
        slash(namespace),
    )
}
