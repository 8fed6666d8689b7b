// SPDX-License-Identifier: Apache-2.0
//! Verdicts about objects as MutatingAdmissionPolicies leave them.

use std::collections::BTreeSet;

use ::json_patch::{self, Patch};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::invocations::{Invocation, InvocationKey, PolicyFailure};
use super::object::{MutableObject, dotted};
use super::pass::{MOST_FIELDS, Pass};
use super::{SeenRequest, bound_mutating_policies};
use crate::admission::{
    Check, ErrorType, FieldPath, Finding, Operation, Origin, Phase, Request, Review, Stage,
    Undetermined, Verdict, World,
};
use crate::config::Level;
use crate::policies::allowance::Allowance;
use crate::policies::evaluation::Inputs;
use crate::policies::judge::{HIDDEN, Policies, PolicyRemarks, is_reached, judge_within};
use crate::policies::names::finding_id;
use crate::policies::objects::{
    AdmittedObjects, NO_NAMESPACES, NO_USER, namespace_value, request_value,
};
use crate::policies::policy_document::LONGEST_MESSAGE;
use crate::policies::unjudged::UnjudgedPolicy;
use crate::rules;
use garden_gate_cel::{EvaluationError, Lookups, Value};
use garden_gate_model::api::Kind;
use garden_gate_text::go::clip;

/// Judges a request by rules and policies, after the changes of MutatingAdmissionPolicies.
///
/// `judge` evaluates the rules for a request. It is called again for the changed object, as an API server calls its plugins again.
/// Without the setting `mutatingAdmissionPolicies`, the policies are not applied.
pub fn decide(
    request: &Request<'_>,
    world: &World<'_>,
    limited: (Policies<'_>, &Allowance),
    judge: &mut dyn FnMut(&Request<'_>) -> Review,
) -> (Review, PolicyRemarks) {
    let mut review = judge(request);
    let first = mutated((request, &review), world, limited, None);
    let Some(object) = first.object.as_deref() else {
        let remarks = conclude((request, &mut review), world, limited, first);
        return (review, remarks);
    };
    let changed = with_object(request, object);
    let mut second_review = judge(&changed);
    let mut again = mutated((&changed, &second_review), world, limited, Some(&first.again));
    let last_object = again.object.take();
    let last = match last_object.as_deref() {
        Some(object) => {
            let last = with_object(request, object);
            second_review = judge(&last);
            last
        }
        None => changed,
    };
    let (mut unjudged, mut notes) = (first.unjudged, first.notes);
    again.unjudged.retain(|it| !unjudged.contains(it));
    unjudged.append(&mut again.unjudged);
    again.notes.retain(|it| !notes.contains(it));
    notes.append(&mut again.notes);
    let all = Mutated { notes, unjudged, object: None, ..again };
    let mut last_review = second_review;
    let remarks = conclude((&last, &mut last_review), world, limited, all);
    (merged((request, review), (&last, last_review)), remarks)
}

/// Maximum length of the names of policies in a message, in bytes.
const LONGEST_NAMES: usize = 500;

/// The changes of policies to an object.
#[derive(Default)]
struct Mutated {
    /// The changed object; `None` without a change, and if it is not known.
    object: Option<Box<RawValue>>,
    findings: Vec<Finding>,
    undetermined: Vec<Undetermined>,
    unjudged: Vec<UnjudgedPolicy>,
    notes: Vec<String>,
    /// The policies that are applied again.
    again: BTreeSet<InvocationKey>,
    /// Whether reports must not show values of the object.
    is_secret: bool,
}

impl Mutated {
    fn refuse(&mut self, failure: &PolicyFailure, error: ErrorType) {
        let id = finding_id(&failure.policy);
        self.findings.push(Finding {
            rule: id,
            finding: id,
            level: Level::Deny,
            would_deny: false,
            origin: Origin::Gardener,
            error,
            field: FieldPath::root().to_string(),
            pointer: FieldPath::root().pointer(),
            value: Json::Null,
            message: clip(self.shown(failure).message(), LONGEST_MESSAGE),
            help: "correct the policy, its binding or its parameters".to_owned(),
            machines: None,
            fixes: Vec::new(),
            phase: Phase::Mutating,
        });
    }

    /// Returns an error without values of an object with credentials.
    fn shown(&self, failure: &PolicyFailure) -> PolicyFailure {
        let mut shown = failure.clone();
        if self.is_secret {
            HIDDEN.clone_into(&mut shown.message);
        }
        shown
    }

    /// Adds a policy with an unknown effect.
    fn undecided(&mut self, policy: &str, why: &str, is_enforced: bool) {
        let is_known = [NO_USER, NO_NAMESPACES].contains(&why);
        let why = if self.is_secret && !is_known { HIDDEN } else { why };
        if !is_enforced && is_known {
            self.unjudged.push(UnjudgedPolicy::mutating(policy, why));
            return;
        }
        let kind = Kind::MutatingAdmissionPolicy;
        let message = format!("cannot tell how {kind} `{policy}` changes the object: {why}");
        let message = clip(message, LONGEST_MESSAGE);
        self.undetermined.push(Undetermined::new(finding_id(policy), String::new(), message));
    }
}

impl Mutated {
    /// Adds the result of the application of policies.
    fn add(&mut self, pass: Pass, request: &Request<'_>, is_enforced: bool) {
        for failure in &pass.errors {
            self.refuse(failure, ErrorType::Invalid);
        }
        if let Some(failure) = &pass.server_error {
            self.refuse(failure, ErrorType::InternalError);
        }
        for (policy, why) in &pass.unknown {
            self.undecided(policy, why, is_enforced);
        }
        let is_final = !self.findings.is_empty() || !self.undetermined.is_empty();
        if is_final || pass.changed.is_empty() {
            return;
        }
        self.object = pass.object.to_sent(request);
        for (policy, pointers) in pass.changed.iter().filter(|(_, it)| !it.is_empty()) {
            let fields = pointers.iter().map(|it| dotted(it));
            // Keys of maps may be values of the object.
            let first = |it: &str| it.split('.').next().unwrap_or_default().to_owned();
            let fields: BTreeSet<String> =
                fields.map(|it| if self.is_secret { first(&it) } else { it }).collect();
            let named: Vec<String> =
                fields.iter().take(MOST_FIELDS).map(|it| format!("`{it}`")).collect();
            let others = if fields.len() > MOST_FIELDS { " and other fields" } else { "" };
            let kind = Kind::MutatingAdmissionPolicy;
            let note = format!("{kind} `{policy}` changes {}{others}", named.join(", "));
            self.notes.push(clip(note, LONGEST_MESSAGE));
        }
        self.again = pass.again;
    }

    /// Adds that the result depends on the order of policies.
    fn depends_on_order(&mut self, policies: BTreeSet<String>) {
        let names: Vec<String> = policies.iter().map(|it| format!("`{it}`")).collect();
        let why = format!(
            "the result depends on the order of {}, which is random in an API server",
            clip(names.join(", "), LONGEST_NAMES)
        );
        let first = policies.first().map_or("", String::as_str);
        self.undecided(first, &why, true);
    }
}

/// Evaluates the policies for a request; the second time only those of `again`.
fn mutated(
    (request, review): (&Request<'_>, &Review),
    world: &World<'_>,
    (policies, allowance): (Policies<'_>, &Allowance),
    again: Option<&BTreeSet<InvocationKey>>,
) -> Mutated {
    let is_secret = request.kind().is_some_and(Kind::holds_credentials);
    let mut result = Mutated { is_secret, ..Mutated::default() };
    let Some(cache) = policies.cache.filter(|_| applies(request, review, world)) else {
        return result;
    };
    let bound = bound_mutating_policies(request, world.garden, cache, &mut result.unjudged);
    let Some((first, _)) = bound.first() else {
        return result;
    };
    let seen = (world, policies.is_user_known);
    let (objects, object) = match AdmittedObjects::mutable(request, review, seen) {
        Ok((objects, object)) => (objects, MutableObject::new(object)),
        Err(why) => {
            result.undecided(&first.metadata.name, &why, policies.is_enforced);
            return result;
        }
    };
    let [_, old_object] = objects.values();
    let mut inputs = Inputs {
        object: object.value(),
        old_object,
        request: request_value(request, policies.is_user_known),
        namespace: namespace_value(request, world.garden),
        params: Value::Null,
        now: Value::Null,
        lookups: &NoLookups,
        account: &allowance.garden,
    };
    let seen = SeenRequest { request, garden: world.garden, objects: &objects, cache };
    let found = seen.invocations(&bound, &inputs);
    for failure in &found.errors {
        result.refuse(failure, ErrorType::Invalid);
    }
    for (policy, why) in &found.unknown {
        result.undecided(policy, why, policies.is_enforced);
    }
    let changing = (request, world.config.gardener_version);
    let pass = Pass::of(&found.all, (&object, again), &mut inputs, changing);
    if again.is_none() && found.all.len() > 1 {
        // The order in an API server is random.
        let reverse: Vec<&Invocation> = found.all.iter().rev().collect();
        let other = Pass::of(reverse.iter().copied(), (&object, None), &mut inputs, changing);
        let forward = pass.clone().repeated(&found.all, &mut inputs, changing);
        let other = other.repeated(reverse, &mut inputs, changing);
        let overlapping: BTreeSet<String> =
            forward.overlapping.union(&other.overlapping).cloned().collect();
        if forward.is_like(&other) && !overlapping.is_empty() {
            result.depends_on_order(overlapping);
            return result;
        }
        if !forward.is_like(&other) {
            let policies = forward.changed.keys().chain(other.changed.keys());
            result.depends_on_order(policies.cloned().collect());
            return result;
        }
    }
    result.add(pass, request, policies.is_enforced);
    result
}

/// Reports whether an API server applies policies to the object of a request.
///
/// They are already applied to an object that an API server sends.
fn applies(request: &Request<'_>, review: &Review, world: &World<'_>) -> bool {
    let is_written = matches!(request.operation, Operation::Create | Operation::Update);
    world.config.mutating_admission_policies
        && request.is_converted
        && is_written
        && request.sub_resource.is_empty()
        && is_reached(request, review)
}

/// Returns a request with another new object, which is already decoded.
fn with_object<'r>(request: &Request<'r>, object: &'r RawValue) -> Request<'r> {
    Request {
        uid: request.uid.clone(),
        resource: request.resource.clone(),
        sub_resource: request.sub_resource.clone(),
        name: request.name.clone(),
        namespace: request.namespace.clone(),
        operation: request.operation,
        user_info: request.user_info.clone(),
        object: Some(object),
        old_object: request.old_object,
        dry_run: request.dry_run,
        opened: None,
        nested: request.nested,
        fields: [None, None],
        is_converted: request.is_converted,
        is_decoded: true,
        is_stored: request.is_stored,
        is_template: request.is_template,
        other_copies: request.other_copies,
    }
}

/// Adds the results of mutating policies to a verdict, and evaluates the policies that validate.
fn conclude(
    (request, review): (&Request<'_>, &mut Review),
    world: &World<'_>,
    limited: (Policies<'_>, &Allowance),
    mutated: Mutated,
) -> PolicyRemarks {
    review.findings.extend(mutated.findings);
    review.undetermined.extend(mutated.undetermined);
    if review.verdict() != Verdict::Allowed {
        review.withhold();
    }
    let mut remarks = judge_within(request, review, world, limited);
    remarks.unjudged.splice(..0, mutated.unjudged);
    remarks.notes.splice(..0, mutated.notes);
    remarks
}

/// Combines the verdict about the object as sent with that about the changed one.
///
/// Findings about the text of the object, and about the object before any change, are those of the first one.
fn merged(
    (request, first): (&Request<'_>, Review),
    (changed, last): (&Request<'_>, Review),
) -> Review {
    let is_early = |rule: &str| {
        rules::find(rule).is_some_and(|rule| {
            rule.phase == Phase::Decoding
                || matches!(rule.stage, Stage::Written | Stage::Received)
                || matches!(rule.check, Check::Written(_))
        })
    };
    // A policy may copy credentials to any field. Policies that validate do not show them.
    let is_secret = request.kind().is_some_and(Kind::holds_credentials);
    let is_hidden = |rule: &str| is_secret && !rule.starts_with("policy/");
    let (early, other): (Vec<Finding>, Vec<Finding>) =
        first.findings.into_iter().partition(|it| is_early(it.rule));
    let mut findings = early;
    findings.extend(last.findings.into_iter().filter(|it| !is_early(it.rule)).map(|mut it| {
        // Fixes are for the text of the object as sent.
        let is_same = |known: &&Finding| {
            (known.finding, &known.pointer, &known.message)
                == (it.finding, &it.pointer, &it.message)
        };
        let known = other.iter().find(is_same);
        it.fixes = known.map(|it| it.fixes.clone()).unwrap_or_default();
        if known.is_none() && is_hidden(it.rule) {
            hide(&mut it);
        }
        it
    }));
    let (mut undetermined, known): (Vec<Undetermined>, Vec<Undetermined>) =
        first.undetermined.into_iter().partition(|it| is_early(it.rule));
    undetermined.extend(last.undetermined.into_iter().filter(|it| !is_early(it.rule)).map(|it| {
        if is_hidden(it.rule) && !known.contains(&it) {
            Undetermined { field: String::new(), message: HIDDEN.to_owned(), ..it }
        } else {
            it
        }
    }));
    let mut review = Review {
        findings,
        silenced: last.silenced,
        undetermined,
        exempted: last.exempted,
        patch: patch(request, changed, &last.patch, &last.withheld),
        withheld: Patch::default(),
        extension_edits: last.extension_edits,
        looked_up: first.looked_up.union(last.looked_up),
    };
    if review.verdict() != Verdict::Allowed {
        review.withhold();
    }
    review
}

/// Removes values of the object from a finding.
fn hide(finding: &mut Finding) {
    HIDDEN.clone_into(&mut finding.message);
    "correct the policy, its binding or its parameters".clone_into(&mut finding.help);
    finding.field = FieldPath::root().to_string();
    finding.pointer = FieldPath::root().pointer();
    finding.value = Json::Null;
}

/// Returns the changes from the object as sent to the changed one with the changes of rules; none if they have no JSON patch.
fn patch(request: &Request<'_>, changed: &Request<'_>, patch: &Patch, withheld: &Patch) -> Patch {
    let [sent, after] = [request, changed].map(|it| {
        let text = it.object.map_or("null", RawValue::get);
        serde_json::from_str::<Json>(text)
    });
    let (Ok(sent), Ok(mut after)) = (sent, after) else {
        return Patch::default();
    };
    let further = if patch.is_empty() { withheld } else { patch };
    match json_patch::patch(&mut after, further) {
        Ok(()) => json_patch::diff(&sent, &after),
        Err(_) => Patch::default(),
    }
}

/// The lookups of policies that cannot have any.
struct NoLookups;

impl Lookups for NoLookups {
    fn field(&self, name: &str) -> Result<Value, EvaluationError> {
        Err(EvaluationError::Undetermined(format!("the lookup `{name}` is unknown")))
    }

    fn call(&self, name: &str, _: &[Value]) -> Result<Value, EvaluationError> {
        self.field(name)
    }
}
