use std::collections::BTreeSet;

use jiff::Timestamp;
use json_patch::Patch;
use serde::Serialize;
use serde_json::Value;

use super::decode::decode;
use super::object::{Objects, Pair};
use super::patch::PatchError;
use super::{
    Change, Check, Context, DecodeError, ErrorType, FieldPath, Finding, Findings, Kind, Operation,
    Phase, Question, Request, Resource, Rule, Undetermined, patch,
};
use crate::config::{Config, Level};
use crate::defaults;
use crate::garden::Snapshot;
use crate::model::{CloudProfile, NamespacedCloudProfile, Project, Shoot};

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
    /// What could not be judged.
    pub undetermined: Vec<Undetermined>,
    /// What `/mutate` changes; empty when the request is refused.
    pub patch: Patch,
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
    let mut run = Run {
        context: &context,
        rules: &rules,
        findings: Vec::new(),
        undetermined: Vec::new(),
    };
    run.written();
    let patch = match decode(kind, request) {
        Ok(objects) => run.objects(door, objects),
        Err(error) => {
            run.undecodable(&error);
            Patch::default()
        }
    };
    let Run {
        findings,
        undetermined,
        ..
    } = run;
    let questions = context.into_questions();
    if !questions.is_empty() {
        return Judgement::Questions(questions);
    }
    Judgement::Review(conclude(findings, undetermined, patch))
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

/// The code of a rule that judges objects of one type.
type Judge<T> = fn(&Context<'_>, Change<'_, T>, &mut Findings);

struct Run<'run, 'a> {
    context: &'run Context<'a>,
    rules: &'run [&'static Rule],
    findings: Vec<Finding>,
    undetermined: Vec<Undetermined>,
}

impl Run<'_, '_> {
    /// Judges the object as it was written.
    fn written(&mut self) {
        self.each(|rule, context, findings| {
            if let Check::Written(check) = rule.check {
                check(context, findings);
            }
        });
    }

    /// Refuses an object that cannot be decoded, unless that was said in more detail.
    fn undecodable(&mut self, error: &DecodeError) {
        let says_it = |finding: &Finding| {
            let about_values = [ErrorType::TypeInvalid, ErrorType::Duplicate];
            finding.phase == Phase::Decoding
                && finding.level == Level::Deny
                && about_values.contains(&finding.error)
        };
        if error.stored || !self.findings.iter().any(says_it) {
            self.findings.push(undecodable(error));
        }
    }

    fn objects(&mut self, door: Door, objects: Objects) -> Patch {
        match objects {
            Objects::Shoot(pair) => self.shoot(door, pair),
            Objects::Project(pair) => self.project(door, pair),
            Objects::CloudProfile(pair) => self.cloud_profile(door, pair),
            Objects::NamespacedCloudProfile(pair) => self.namespaced_cloud_profile(door, pair),
            Objects::Seed(pair) => self.only_judged(&pair, |check| match check {
                Check::Seed(check) => Some(check),
                _ => None,
            }),
            Objects::Named(pair) => self.only_judged(&pair, |check| match check {
                Check::Named(check) => Some(check),
                _ => None,
            }),
            Objects::WebhookConfiguration(pair) => self.only_judged(&pair, |check| match check {
                Check::WebhookConfiguration(check) => Some(check),
                _ => None,
            }),
            Objects::Workload(pair) => self.only_judged(&pair, |check| match check {
                Check::Workload(check) => Some(check),
                _ => None,
            }),
        }
    }

    /// Judges objects that need no defaults and are never changed.
    fn only_judged<T>(&mut self, pair: &Pair<T>, pick: fn(Check) -> Option<Judge<T>>) -> Patch {
        self.judge(&pair.new, &pair.old, pick);
        Patch::default()
    }

    /// Judges objects by the rules that are for them; `pick` takes a rule's code if it is.
    fn judge<T>(
        &mut self,
        new: &Option<Box<T>>,
        old: &Option<Box<T>>,
        pick: fn(Check) -> Option<Judge<T>>,
    ) {
        let change = Change {
            new: new.as_deref(),
            old: old.as_deref(),
        };
        self.each(|rule, context, findings| {
            if let Some(check) = pick(rule.check) {
                check(context, change, findings);
            }
        });
    }

    fn shoot(&mut self, door: Door, Pair { mut new, mut old }: Pair<Shoot>) -> Patch {
        let received = self.received(door, &new);
        let namespace = self.context.request.namespace.as_str();
        for shoot in [&mut new, &mut old].into_iter().flatten() {
            defaults::shoot(shoot, namespace);
        }
        if let Some(new) = new
            .as_mut()
            .filter(|_| self.context.request.sub_resource != "status")
        {
            defaults::stored_status(new, old.as_deref());
        }
        if let (Some(new), None) = (&mut new, &old) {
            defaults::system_fields(new);
        }
        if let Some(new) = &mut new {
            self.each(|rule, context, findings| {
                if let Check::MutateShoot(mutate) = rule.check {
                    mutate(context, new, old.as_deref(), findings);
                }
            });
        }
        let patch = self.patch(received, &new);
        self.context.settle();
        self.judge(&new, &old, |check| match check {
            Check::Shoot(check) => Some(check),
            _ => None,
        });
        patch
    }

    fn project(&mut self, door: Door, Pair { mut new, mut old }: Pair<Project>) -> Patch {
        let received = self.received(door, &new);
        for project in [&mut new, &mut old].into_iter().flatten() {
            defaults::project(project);
        }
        if let Some(new) = &mut new {
            self.each(|rule, context, findings| {
                if let Check::MutateProject(mutate) = rule.check {
                    mutate(context, new, old.as_deref(), findings);
                }
            });
        }
        let patch = self.patch(received, &new);
        if let Some(new) = &mut new {
            defaults::canonicalize_project(new);
        }
        self.judge(&new, &old, |check| match check {
            Check::Project(check) => Some(check),
            _ => None,
        });
        patch
    }

    fn cloud_profile(
        &mut self,
        door: Door,
        Pair { mut new, mut old }: Pair<CloudProfile>,
    ) -> Patch {
        for profile in [&mut new, &mut old].into_iter().flatten() {
            defaults::cloud_profile(profile);
        }
        if new.is_some() {
            self.judge(&new, &old, |check| match check {
                Check::ReceivedCloudProfile(check) => Some(check),
                _ => None,
            });
        }
        let mut dropped = Vec::new();
        if let Some(new) = &mut new {
            self.each(|rule, context, _| {
                if matches!(rule.check, Check::DropFromCloudProfile) {
                    dropped.extend(defaults::drop_from_cloud_profile(new, context.now));
                }
            });
            if let Some(old) = &old {
                defaults::sync_architectures(&mut new.spec, &old.spec);
            }
        }
        self.judge(&new, &old, |check| match check {
            Check::CloudProfile(check) => Some(check),
            _ => None,
        });
        removals(door, &dropped)
    }

    fn namespaced_cloud_profile(
        &mut self,
        door: Door,
        Pair { mut new, old }: Pair<NamespacedCloudProfile>,
    ) -> Patch {
        if new.is_some() {
            self.judge(&new, &old, |check| match check {
                Check::ReceivedNamespacedCloudProfile(check) => Some(check),
                _ => None,
            });
        }
        let mut dropped = Vec::new();
        if let Some(new) = &mut new {
            self.each(|rule, context, _| {
                if matches!(rule.check, Check::DropFromNamespacedCloudProfile) {
                    let (old, now) = (old.as_deref(), context.now);
                    dropped.extend(defaults::drop_from_namespaced_cloud_profile(new, old, now));
                }
            });
        }
        self.judge(&new, &old, |check| match check {
            Check::NamespacedCloudProfile(check) => Some(check),
            _ => None,
        });
        removals(door, &dropped)
    }

    /// Runs `rule` for every applicable rule and collects what it finds.
    fn each(&mut self, mut run: impl FnMut(&'static Rule, &Context<'_>, &mut Findings)) {
        for rule in self.rules {
            let mut findings = Findings::new(rule);
            self.context.run(rule);
            run(rule, self.context, &mut findings);
            let (found, undetermined) = findings.into_parts(self.context.config);
            self.findings.extend(found);
            self.undetermined.extend(undetermined);
        }
    }

    /// The typed view as text, to see later what was changed; `None` where nothing may be changed.
    ///
    /// Only the object itself ever is, never a subresource.
    fn received<T: Serialize>(&self, door: Door, object: &Option<Box<T>>) -> Option<String> {
        let request = self.context.request;
        let writes = matches!(request.operation, Operation::Create | Operation::Update);
        let may_change = door != Door::Validate && writes && request.sub_resource.is_empty();
        let object = object.as_ref().filter(|_| may_change)?;
        serde_json::to_string(object).ok()
    }

    /// What `/mutate` answers.
    fn patch<T: Serialize>(&mut self, received: Option<String>, result: &Option<Box<T>>) -> Patch {
        let (Some(before), Some(result)) = (received, result) else {
            return Patch::default();
        };
        let after = serde_json::to_string(result).map_err(PatchError::from);
        let raw = self.context.new_json();
        match after.and_then(|after| patch::between(&before, &after, raw)) {
            Ok(patch) => patch,
            Err(error) => {
                self.findings.push(unpatchable(&error));
                Patch::default()
            }
        }
    }
}

/// What `/mutate` answers where list elements were dropped.
fn removals(door: Door, dropped: &[String]) -> Patch {
    match door {
        Door::Validate => Patch::default(),
        Door::Mutate | Door::Review => patch::removals(dropped),
    }
}

/// Drops repetitions, puts the findings in order.
fn conclude(
    mut findings: Vec<Finding>,
    mut undetermined: Vec<Undetermined>,
    patch: Patch,
) -> Review {
    findings.sort_by(|a, b| {
        (a.phase, &a.pointer, a.finding, a.level).cmp(&(b.phase, &b.pointer, b.finding, b.level))
    });
    findings.dedup_by(|a, b| {
        (a.finding, &a.pointer, &a.field, &a.message)
            == (b.finding, &b.pointer, &b.field, &b.message)
    });
    undetermined.sort();
    // Many rules may look for the same object.
    let mut told = BTreeSet::new();
    undetermined.retain(|it| told.insert((it.field.clone(), it.message.clone())));
    let mut review = Review {
        findings,
        undetermined,
        patch,
    };
    if review.verdict() != Verdict::Allowed {
        review.patch = Patch::default();
    }
    review
}

/// The id under which an object that is not of its kind's shape is refused; it is no rule and has no level.
pub(crate) const UNDECODABLE: &str = "object/undecodable";
/// The id under which an object is refused that cannot be changed as it must; as [`UNDECODABLE`].
const UNPATCHABLE: &str = "object/unpatchable";

fn undecodable(error: &DecodeError) -> Finding {
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

fn unpatchable(error: &PatchError) -> Finding {
    let message = format!("the object cannot be completed: {error}");
    of_the_object(UNPATCHABLE, ErrorType::Invalid, &FieldPath::root(), message)
}

/// What is wrong with an object whatever the rules are.
fn of_the_object(
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
