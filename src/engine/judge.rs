use std::collections::BTreeSet;

use jiff::Timestamp;
use json_patch::Patch;
use serde_json::Value;

use super::evaluation::Evaluation;
use super::object;
use super::work::Work;
use super::{
    Context, DecodeError, ErrorType, Exempted, FieldPath, Finding, Kind, Origin, Phase, Question,
    Request, Resource, Review, Rule, Subresource, Verdict,
};
use crate::config::{Config, Level};
use crate::garden::Snapshot;

/// Which of our doors a request came through.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum EntryPoint {
    /// `/mutate`: change the object; refuse only what makes changing it impossible.
    Mutate,
    /// `/validate`: judge the object as it would be after all changes.
    Validate,
    /// `garden-gate review`: both.
    Review,
    /// `garden-gate audit`: an object as it is, by what is judged here of any write of it, and by what nobody writes at all.
    Audit,
}

/// What a request is judged against: one state of the garden, the configuration and the clock.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The rules.
    pub rules: &'a [&'static Rule],
    /// The garden.
    pub garden: &'a Snapshot,
    /// The configuration.
    pub config: &'a Config,
    /// The instant that counts as now.
    pub now: Timestamp,
}

/// What [`judge`] has to say.
#[derive(Debug)]
pub enum Judgement {
    /// The verdict.
    Review(Review),
    /// Answer these, tell the answers to the garden, and judge again.
    Questions(BTreeSet<Question>),
}

/// Judges a request; a pure function of its arguments.
///
/// Questions are to be answered, their answers told to the garden, and the request judged again: a [`Case`](super::Case) does.
#[must_use]
pub fn judge(door: EntryPoint, request: &Request<'_>, world: &World<'_>) -> Judgement {
    let judged = judge_within(door, request, world, Work::default());
    // Without a limit there is always a judgement.
    judged.unwrap_or_else(|| Judgement::Review(Review::default()))
}

/// As [`judge`], with a limit on the work: `None` above about a millisecond.
///
/// Stops at the first lookup that returns too much: a large profile, many Shoots, or profiles that have to be merged first.
#[must_use]
pub fn judge_quickly(
    door: EntryPoint,
    request: &Request<'_>,
    world: &World<'_>,
) -> Option<Judgement> {
    judge_within(door, request, world, Work::quick(request.nested.elements))
}

fn judge_within(
    door: EntryPoint,
    request: &Request<'_>,
    world: &World<'_>,
    work: Work,
) -> Option<Judgement> {
    let Some(kind) = request.kind() else {
        return Some(Judgement::Review(unknown(&request.resource)));
    };
    if let Some(missing) = request.missing_object() {
        let review = Review::undetermined("request/objects", missing);
        return Some(Judgement::Review(review));
    }
    let (rules, exempted) = applicable(door, kind, request, world);
    if rules.is_empty() {
        return Some(Judgement::Review(Review {
            exempted,
            ..Review::default()
        }));
    }
    let context = Context::new(request, world, work);
    let mut run = Evaluation::new(&context, &rules);
    if door == EntryPoint::Review {
        run.written();
    }
    let patch = object::run(kind, door, &mut run);
    let patch = patch.unwrap_or_else(|error| {
        run.undecodable(&error);
        Patch::default()
    });
    if context.is_exceeded() {
        return None;
    }
    Some(match run.conclude(door, patch) {
        Judgement::Review(review) => Judgement::Review(Review { exempted, ..review }),
        questions @ Judgement::Questions(_) => questions,
    })
}

/// A resource that we do not know concerns nobody; one that we know in another version is none that we can read.
fn unknown(resource: &Resource) -> Review {
    let known =
        |kind: &Kind| kind.resource() == resource.resource && kind.api().0 == resource.group;
    let Some(kind) = Kind::judged().find(known) else {
        return Review::default();
    };
    let message = format!(
        "the review has a {kind} of version `{}`, but only `{}` can be judged; register the webhook with `matchPolicy: Equivalent`",
        resource.version,
        kind.api().1
    );
    Review::undetermined("request/version", message)
}

/// The rules that judge a request, and those that would if the configuration did not exempt it from them.
fn applicable(
    door: EntryPoint,
    kind: Kind,
    request: &Request<'_>,
    world: &World<'_>,
) -> (Vec<&'static Rule>, Exempted) {
    let (config, user, namespace) = (world.config, &request.user_info, &request.namespace);
    let Some(subresource) = Subresource::named(&request.sub_resource) else {
        return Default::default();
    };
    let applies = |rule: &Rule| {
        rule.applies_to(kind, request.operation, subresource)
            && rule.runs_at(door)
            && rule.is_on(config)
    };
    let mut concerned = world.rules.iter().copied().filter(|rule| applies(rule));
    if config.exemptions.all.covers(user, namespace) {
        let exempted = match concerned.next() {
            Some(_) => Exempted::Wholly,
            None => Exempted::No,
        };
        return (Vec::new(), exempted);
    }
    if config.exemptions.by_rule.is_empty() {
        return (concerned.collect(), Exempted::No);
    }
    let (exempt, rules): (Vec<_>, Vec<_>) =
        concerned.partition(|rule| config.is_exempt(rule.id, user, namespace));
    let exempted = match (rules.is_empty(), exempt.is_empty()) {
        (_, true) => Exempted::No,
        (true, false) => Exempted::Wholly,
        (false, false) => Exempted::From(exempt.iter().map(|rule| rule.id).collect()),
    };
    (rules, exempted)
}

/// Drops repetitions, puts the findings in order.
pub(super) fn conclude(door: EntryPoint, mut review: Review) -> Review {
    review.findings.sort_by(|a, b| {
        (a.phase, &a.pointer, a.finding, a.level).cmp(&(b.phase, &b.pointer, b.finding, b.level))
    });
    // Rules of several phases may look for the same object.
    let mut known = BTreeSet::new();
    review.findings.retain(|it| {
        let texts = [&it.pointer, &it.field, &it.message].map(Clone::clone);
        known.insert((it.finding, it.level, texts))
    });
    // A webhook server is only asked after these refusals.
    if !matches!(door, EntryPoint::Mutate | EntryPoint::Validate) {
        drop_consequences(&mut review.findings);
    }
    let undetermined = &mut review.undetermined;
    undetermined.sort_by(|a, b| b.level.cmp(&a.level).then_with(|| a.cmp(b)));
    // Many rules may look for the same object; one that refuses comes first.
    let mut told = BTreeSet::new();
    undetermined.retain(|it| told.insert((it.field.clone(), it.message.clone())));
    if review.verdict() != Verdict::Allowed {
        review.patch = Patch::default();
    }
    review
}

/// Begins the ids of findings about fields by themselves.
const OF_FIELD: &str = "field/";

/// Drops what admission has against a value that is refused before: an API server does not get there.
///
/// After static validation of the field by itself that is everything, after a mutating plugin only that the value is not offered.
fn drop_consequences(findings: &mut Vec<Finding>) {
    let denied = |is_cause: fn(&Finding) -> bool| -> BTreeSet<String> {
        let causes = findings
            .iter()
            .filter(|it| it.level == Level::Deny && is_cause(it));
        causes.map(|it| it.pointer.clone()).collect()
    };
    let malformed = denied(|it| it.phase == Phase::Static && it.finding.starts_with(OF_FIELD));
    let unresolved = denied(|it| it.phase == Phase::Mutating);
    findings.retain(|it| {
        let is_unoffered = it.error == ErrorType::NotSupported;
        let follows =
            malformed.contains(&it.pointer) || is_unoffered && unresolved.contains(&it.pointer);
        it.phase != Phase::Admission || !follows
    });
}

/// The id under which an object that is not of its kind's shape is refused; it is no rule and has no level.
pub(crate) const UNDECODABLE: &str = "object/undecodable";

pub(super) fn undecodable(error: &DecodeError) -> Finding {
    let whose = if error.stored {
        "the stored object"
    } else {
        "the object"
    };
    let message = format!(
        "{whose} does not have the shape of its kind: {}",
        error.message
    );
    let help = "compare the field with the API reference of core.gardener.cloud/v1beta1";
    let finding = of_the_object(UNDECODABLE, ErrorType::TypeInvalid, &error.field, message);
    Finding {
        help: help.to_owned(),
        ..finding
    }
}

/// What is wrong with an object whatever the rules are.
pub(super) fn of_the_object(
    id: &'static str,
    error: ErrorType,
    field: &FieldPath,
    message: String,
) -> Finding {
    Finding {
        rule: id,
        finding: id,
        level: Level::Deny,
        would_deny: false,
        origin: Origin::Gardener,
        error,
        field: field.to_string(),
        pointer: field.pointer(),
        value: Value::Null,
        message,
        help: String::new(),
        phase: Phase::Static,
    }
}
