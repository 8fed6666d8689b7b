use std::collections::BTreeSet;

use jiff::Timestamp;
use json_patch::Patch;
use serde::Serialize;
use serde_json::Value;

use super::judged;
use super::run::Run;
use super::{
    Context, DecodeError, ErrorType, FieldPath, Finding, Kind, Phase, Question, Request, Resource,
    Rule, Silenced, Undetermined,
};
use crate::config::{Config, Level};
use crate::garden::Snapshot;
use crate::model::Kinds;

/// Which of our doors a request came through.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Door {
    /// `/mutate`: change the object; refuse only what makes changing it impossible.
    Mutate,
    /// `/validate`: judge the object as it would be after all changes.
    Validate,
    /// `garden-gate review`: both.
    Review,
}

/// What a request is judged against: one state of the garden, the configuration and the clock.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// Every rule there is.
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

/// A verdict with its reasons.
#[derive(Debug, Default)]
pub struct Review {
    /// What rules found, with levels applied; in the order phase, field, id.
    pub findings: Vec<Finding>,
    /// The warnings that the object silenced, which are not among the findings; in the order of their ids.
    pub silenced: Vec<Silenced>,
    /// What could not be judged.
    pub undetermined: Vec<Undetermined>,
    /// What `/mutate` changes; empty when the request is refused.
    pub patch: Patch,
    /// The kinds whose objects were looked up: with others of any other kind in the garden, the verdict is the same.
    pub looked_up: Kinds,
}

/// The short form of a [`Review`].
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing speaks against the request.
    Allowed,
    /// At least one finding refuses it.
    Denied,
    /// Nothing refuses it, but something could not be judged.
    Undetermined,
}

impl Verdict {
    /// The word used in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Allowed => "allowed",
            Verdict::Denied => "denied",
            Verdict::Undetermined => "undetermined",
        }
    }
}

impl Review {
    /// The ids of what the object silenced, separated by commas.
    #[must_use]
    pub fn silenced_ids(&self) -> String {
        let ids: Vec<&str> = self.silenced.iter().map(|it| it.id).collect();
        ids.join(",")
    }

    /// Denied if any finding denies, else undetermined if anything is, else allowed.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self
            .findings
            .iter()
            .any(|finding| finding.level == Level::Deny)
        {
            Verdict::Denied
        } else if self.undetermined.is_empty() {
            Verdict::Allowed
        } else {
            Verdict::Undetermined
        }
    }
}

/// Judges a request; a pure function of its arguments.
///
/// Questions are to be answered, their answers told to the garden, and the request judged again: a [`Case`](super::Case) does.
#[must_use]
pub fn judge(door: Door, request: &Request<'_>, world: &World<'_>) -> Judgement {
    let resource = &request.resource;
    let Some(kind) = Kind::of_resource(&resource.group, &resource.version, &resource.resource)
    else {
        return Judgement::Review(unknown(&request.resource));
    };
    if let Some(missing) = request.missing_object() {
        return Judgement::Review(not_judged("request/objects", missing));
    }
    let rules = applicable(door, kind, request, world);
    if rules.is_empty() {
        return Judgement::Review(Review::default());
    }
    let context = Context::new(request, world);
    let mut run = Run::new(&context, &rules);
    if door == Door::Review {
        run.written();
    }
    let patch = judged::run(kind, door, &mut run);
    let patch = patch.unwrap_or_else(|error| {
        run.undecodable(&error);
        Patch::default()
    });
    run.conclude(patch)
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
    not_judged("request/version", message)
}

pub(super) fn not_judged(rule: &'static str, message: impl Into<String>) -> Review {
    Review {
        undetermined: vec![Undetermined {
            rule,
            field: String::new(),
            message: message.into(),
        }],
        ..Review::default()
    }
}

fn applicable(
    door: Door,
    kind: Kind,
    request: &Request<'_>,
    world: &World<'_>,
) -> Vec<&'static Rule> {
    let config = world.config;
    world
        .rules
        .iter()
        .copied()
        .filter(|rule| rule.applies_to(kind, request.operation, &request.sub_resource))
        .filter(|rule| rule.runs_at(door))
        .filter(|rule| rule.is_on(config))
        .filter(|rule| !config.is_exempt(rule.id, &request.user_info, &request.namespace))
        .collect()
}

/// Drops repetitions, puts the findings in order.
pub(super) fn conclude(mut review: Review) -> Review {
    review.findings.sort_by(|a, b| {
        (a.phase, &a.pointer, a.finding, a.level).cmp(&(b.phase, &b.pointer, b.finding, b.level))
    });
    review.findings.dedup_by(|a, b| {
        (a.finding, &a.pointer, &a.field, &a.message)
            == (b.finding, &b.pointer, &b.field, &b.message)
    });
    let undetermined = &mut review.undetermined;
    undetermined.sort();
    // Many rules may look for the same object.
    let mut told = BTreeSet::new();
    undetermined.retain(|it| told.insert((it.field.clone(), it.message.clone())));
    if review.verdict() != Verdict::Allowed {
        review.patch = Patch::default();
    }
    review
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
        error,
        field: field.to_string(),
        pointer: field.pointer(),
        value: Value::Null,
        message,
        help: String::new(),
        phase: Phase::Static,
    }
}
