// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use jiff::Timestamp;
use json_patch::Patch;
use serde_json::Value;
use serde_json::value::to_raw_value;

use super::evaluation::Evaluation;
use super::work::Work;
use super::{
    Context, DecodeError, EntryPoint, Exempted, Findings, Judgement, Kind, Operation, Phase,
    Request, Resource, Review, Rule, Rules, Subresource,
};
use crate::config::Config;
use crate::garden::Snapshot;
use garden_gate_model::api::{
    CloudProfile, Named, NamespacedCloudProfile, Project, Seed, Shoot, WebhookConfiguration,
    Workload,
};

/// The environment of a request: rules, garden, configuration and time.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The rules.
    pub rules: Rules<'a>,
    /// The garden.
    pub garden: &'a Snapshot,
    /// The configuration.
    pub config: &'a Config,
    /// The current time.
    pub now: Timestamp,
}

/// Evaluates the rules for a request; a pure function of its arguments.
///
/// If the result is [`Judgement::Questions`], their answers must be added to the garden, and the request evaluated
/// again.
/// A [`Case`](super::Case) does that.
pub fn judge(entry_point: EntryPoint, request: &Request<'_>, world: &World<'_>) -> Judgement {
    let judged = judge_within(entry_point, request, world, Work::default());
    // Without a limit there is always a result.
    judged.unwrap_or_else(|| Judgement::Review(Review::default()))
}

/// Evaluates like [`judge`], with a limit on the work: `None` above about a millisecond.
///
/// Stops at the first expensive lookup: a large profile, many Shoots, or profiles that must be merged first.
pub fn judge_quickly(
    entry_point: EntryPoint,
    request: &Request<'_>,
    world: &World<'_>,
) -> Option<Judgement> {
    judge_within(entry_point, request, world, Work::quick(request.nested.elements))
}

fn judge_within(
    entry_point: EntryPoint,
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
    let (rules, exempted) = applicable(entry_point, kind, request, world);
    if rules.is_empty() {
        return Some(Judgement::Review(Review { exempted, ..Review::default() }));
    }
    let context = Context::new(request, (world.garden, world.config, world.now), work);
    let mut run = Evaluation::new(&context, &rules, world.rules.all, entry_point);
    if matches!(entry_point, EntryPoint::Review | EntryPoint::Audit) {
        run.written();
    }
    let patch = run_as(kind, entry_point, &mut run).unwrap_or_else(|error| {
        run.undecodable(&error);
        Patch::default()
    });
    if context.is_exceeded() {
        return None;
    }
    Some(match run.conclude(entry_point, patch) {
        Judgement::Review(review) => Judgement::Review(Review { exempted, ..review }),
        questions @ Judgement::Questions(_) => questions,
    })
}

/// Returns the result for an unsupported resource.
/// A supported resource in another version is undetermined.
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

/// Returns the rules for a request, and those that the configuration exempts it from.
fn applicable<'a>(
    entry_point: EntryPoint,
    kind: Kind,
    request: &Request<'_>,
    world: &World<'a>,
) -> (Cow<'a, [&'static Rule]>, Exempted) {
    let (config, user, namespace) = (world.config, &request.user_info, &request.namespace);
    let Some(subresource) = Subresource::named(&request.sub_resource) else {
        return Default::default();
    };
    let served = (entry_point, kind, request.operation, subresource);
    let mut concerned = world.rules.applicable(served, config);
    if request.is_decoded {
        concerned.to_mut().retain(|rule| rule.phase != Phase::Decoding);
    }
    if config.exemptions.all.covers(user, namespace) {
        let exempted = if concerned.is_empty() { Exempted::No } else { Exempted::Wholly };
        return (Cow::default(), exempted);
    }
    if config.exemptions.by_rule.is_empty() {
        return (concerned, Exempted::No);
    }
    let is_exempt = |rule: &&Rule| config.is_exempt(rule.id, user, namespace);
    let (exempt, rules): (Vec<_>, Vec<_>) = concerned.iter().copied().partition(is_exempt);
    let exempted = match (rules.is_empty(), exempt.is_empty()) {
        (_, true) => Exempted::No,
        (true, false) => Exempted::Wholly,
        (false, false) => Exempted::From(exempt.iter().map(|rule| rule.id).collect()),
    };
    (rules.into(), exempted)
}

/// Evaluates the objects of a request as type of `kind`.
/// Returns the patch.
fn run_as(
    kind: Kind,
    entry_point: EntryPoint,
    run: &mut Evaluation<'_, '_>,
) -> Result<Patch, DecodeError> {
    match kind {
        Kind::Shoot => run.objects::<Shoot>(entry_point),
        Kind::Project => run.objects::<Project>(entry_point),
        Kind::CloudProfile => run.objects::<CloudProfile>(entry_point),
        Kind::NamespacedCloudProfile => run.objects::<NamespacedCloudProfile>(entry_point),
        Kind::Seed => run.objects::<Seed>(entry_point),
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
            run.objects::<WebhookConfiguration>(entry_point)
        }
        kind if kind.is_workload() => run.objects::<Workload>(entry_point),
        _ => run.objects::<Named>(entry_point),
    }
}

/// A template in the objects of a request: the new and the stored object that it describes, and the rules for them.
pub(crate) struct Template<'t> {
    /// The kind of the described object.
    pub kind: Kind,
    /// The new and the stored object; the latter is absent on CREATE, and if the template was absent.
    pub objects: [Option<&'t Value>; 2],
    /// The rules, of which those for the operation run.
    pub rules: &'t [&'static Rule],
}

impl Template<'_> {
    /// Evaluates the rules, and reports their results as `moved` changes them: their fields are those of the described object.
    pub(crate) fn judge(
        &self,
        context: &Context<'_>,
        moved: impl FnOnce(&mut Review),
        findings: &mut Findings,
    ) {
        let raw = self.objects.map(|it| it.and_then(|it| to_raw_value(it).ok()));
        let [new, old] = [&raw[0], &raw[1]].map(Option::as_deref);
        if new.is_none() {
            return;
        }
        let user = context.request.user_info.clone();
        let name = |object: Option<&Value>, field: &str| {
            let text = object.and_then(|it| it.pointer(field)).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let request = Request {
            name: name(self.objects[0], "/metadata/name"),
            namespace: name(self.objects[0], "/metadata/namespace"),
            is_converted: context.request.is_converted,
            is_template: true,
            ..Request::of_objects(self.kind, user, [new, old])
        };
        debug_assert!(matches!(request.operation, Operation::Create | Operation::Update));
        let world = World {
            rules: self.rules.into(),
            garden: context.garden(),
            config: context.config,
            now: context.now,
        };
        match judge(EntryPoint::Review, &request, &world) {
            Judgement::Review(mut review) => {
                moved(&mut review);
                findings.adopt(review.findings, review.undetermined);
            }
            Judgement::Questions(questions) => context.ask(questions),
        }
    }
}
