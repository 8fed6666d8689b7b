// SPDX-License-Identifier: Apache-2.0
//! The policies of a garden for one request.
//!
//! Mirrors `pkg/admission/plugin/policy/validating/dispatcher.go` of `k8s.io/apiserver`, which stops at the first refusal.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::allowance::Allowance;
use super::cache::PolicyCache;
use super::compiled::{CompiledPolicy, CompiledValidation, Reason};
use super::converted::{VALUES_OF_COST, weight};
use super::evaluation::{Evaluated, Inputs, Refusal, default_message, evaluate};
use super::extensions::{
    self, CompiledExtension, JudgedConfiguration, JudgedObjects, NamedExtensions,
};
use super::lookups::GardenLookups;
use super::matching::{Matching, matches, matches_rules};
use super::mutating::{SeenRequest, bound_mutating_policies};
use super::objects::{AdmittedObjects, NO_NAMESPACES, NO_USER, namespace_value, request_value};
use super::own::OwnPolicy;
use super::params::{BoundParams, bound_params, searched_params};
use super::position::{FoundField, Search};
use super::unjudged::{UnjudgedPolicy, unreadable_policies};
use crate::admission::{
    FieldPath, Finding, Operation, Origin, Phase, Question, Request, Review, Silenced, UNDECODABLE,
    Undetermined, Verdict, World, heed,
};
use crate::config::{Config, Level};
use crate::garden::Snapshot;
use garden_gate_cel::Deadline;
use garden_gate_model::api::{AdmissionPolicy, AdmissionPolicyBinding, GardenPolicy, Kind};
use garden_gate_text::go::clip;

/// Maximum length of a message or a help, in bytes.
const LONGEST: usize = 2_048;
/// Maximum length of a quoted expression, in bytes.
const LONGEST_EXPRESSION: usize = 300;
/// Maximum number of findings of a level about an object; further ones are left out.
const MOST: usize = 200;
/// Replaces errors of expressions about an object with credentials.
pub(super) const HIDDEN: &str =
    "the reason is not shown, since it could contain credentials of the object";

/// Results of policies that are not part of a verdict.
#[derive(Debug, Default)]
pub struct PolicyRemarks {
    /// Violations that an API server only records in its audit log, one sentence each.
    pub notes: Vec<String>,
    /// Policies that match the request and are not evaluated.
    pub unjudged: Vec<UnjudgedPolicy>,
    /// The results of policies of operators, by their names.
    pub evaluated: Vec<(&'static str, PolicyResult)>,
    /// The configurations that definitions of extensions describe.
    pub configurations: Vec<JudgedConfiguration>,
    /// Questions to the API server; policies whose result depends on the answers are undetermined.
    pub questions: BTreeSet<Question>,
}

/// The result of a policy of operators for a request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PolicyResult {
    /// No validation is violated.
    Accepted,
    /// A validation is violated, at any level.
    Violated,
    /// An expression failed, or exceeded the limit on its cost.
    Failed,
    /// It depends on unknown facts, or a limit of garden-gate was exceeded.
    Undetermined,
}

impl PolicyResult {
    /// All results.
    pub const ALL: [Self; 4] = [Self::Accepted, Self::Violated, Self::Failed, Self::Undetermined];

    /// Returns the name in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Violated => "violated",
            Self::Failed => "failed",
            Self::Undetermined => "undetermined",
        }
    }

    /// Returns the result of an evaluation; `None` if the conditions exclude the request.
    fn of(evaluated: &Evaluated) -> Option<Self> {
        let results = [
            (evaluated.has_failed, Some(Self::Failed)),
            (evaluated.is_limited, Some(Self::Undetermined)),
            (!evaluated.undetermined.is_empty(), Some(Self::Undetermined)),
            (!evaluated.refusals.is_empty(), Some(Self::Violated)),
            (evaluated.is_excluded, None),
        ];
        let found = results.into_iter().find(|(is_found, _)| *is_found);
        found.map_or(Some(Self::Accepted), |(_, result)| result)
    }
}

/// The policies that are evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Policies<'a> {
    /// The compiled ValidatingAdmissionPolicies of the garden; `None` if an API server evaluates them, and calls the webhooks of
    /// extensions.
    pub cache: Option<&'a PolicyCache>,
    /// Those of operators.
    pub own: &'a [OwnPolicy],
    /// Whether the requesting user is known; otherwise expressions about the user are not evaluated.
    pub is_user_known: bool,
    /// Whether the verdict is enforced, so that a policy that cannot be evaluated is undetermined.
    pub is_enforced: bool,
}

/// Evaluates policies for a request, and adds their findings to its verdict by rules.
///
/// They see the object after defaults and all changes of rules. Requests that are refused before are not evaluated.
pub fn judge(
    request: &Request<'_>,
    review: &mut Review,
    world: &World<'_>,
    policies: Policies<'_>,
) -> PolicyRemarks {
    let allowance = Allowance::of_request(&Deadline::default());
    judge_within(request, review, world, (policies, &allowance))
}

/// Evaluates like [`judge()`], within an allowance that may be shared by several evaluations for an object.
pub fn judge_within(
    request: &Request<'_>,
    review: &mut Review,
    world: &World<'_>,
    limited: (Policies<'_>, &Allowance),
) -> PolicyRemarks {
    let remarks = run(request, review, world, limited);
    // Without a limit on the time there is always a result.
    remarks.unwrap_or_default()
}

/// Evaluates like [`judge()`], with a limit on the work: `None` above about a millisecond.
///
/// Results that must be explained, which is expensive, also count as too much work.
pub fn judge_quickly(
    request: &Request<'_>,
    review: &mut Review,
    world: &World<'_>,
    policies: Policies<'_>,
) -> Option<PolicyRemarks> {
    run(request, review, world, (policies, &Allowance::quick()))
}

fn run(
    request: &Request<'_>,
    review: &mut Review,
    world: &World<'_>,
    (policies, allowance): (Policies<'_>, &Allowance),
) -> Option<PolicyRemarks> {
    let mut remarks = PolicyRemarks::default();
    let extensions =
        policies.cache.map(|_| NamedExtensions::of(request, world.garden, policies.own));
    let cache = policies.cache.filter(|_| world.garden.has_admission_policies());
    let has_extensions = extensions.as_ref().is_some_and(|it| !it.types.is_empty());
    let is_idle = cache.is_none() && policies.own.is_empty() && !has_extensions;
    if is_idle || !is_reached(request, review) {
        return Some(remarks);
    }
    let named = |it: &&OwnPolicy| match (&it.extension, &extensions) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(extension), Some(named)) => named.include(extension),
    };
    let mut own = own_policies(request, review, world.config, policies.own.iter().filter(named));
    if let Some(named) = &extensions {
        // Operators may know an extension better.
        let shipped = named.shipped().filter(|shipped| {
            let mut others = own.iter().filter_map(|it| it.extension.as_ref());
            !others.any(|it| shipped.extension.as_ref().is_some_and(|own| it.shares_type(own)))
        });
        let shipped: Vec<&OwnPolicy> = shipped.collect();
        own.extend(own_policies(request, review, world.config, shipped.into_iter()));
    }
    let is_quick = allowance.is_quick();
    let bound = match cache {
        Some(cache) => bound_policies(request, world.garden, cache, &mut remarks),
        None => Vec::new(),
    };
    let is_applied = world.config.mutating_admission_policies && request.sub_resource.is_empty();
    let changing = match cache {
        Some(cache) if !is_applied => {
            bound_mutating_policies(request, world.garden, cache, &mut remarks.unjudged)
        }
        _ => Vec::new(),
    };
    if own.is_empty() && bound.is_empty() && changing.is_empty() {
        return Some(remarks);
    }
    let seen = (world, policies.is_user_known);
    let objects = AdmittedObjects::of(request, review, seen);
    let [object, old_object] = objects.values();
    let lookups = GardenLookups::new(request, (world.garden, is_quick), objects.object());
    let inputs = Inputs {
        object,
        old_object,
        request: request_value(request, policies.is_user_known),
        namespace: namespace_value(request, world.garden),
        params: garden_gate_cel::Value::Null,
        now: garden_gate_cel::Value::timestamp(world.now),
        lookups: &lookups,
        account: &allowance.garden,
    };
    let mut run = Run {
        request,
        world,
        objects: &objects,
        inputs,
        is_enforced: policies.is_enforced,
        findings: Vec::new(),
        undetermined: Vec::new(),
        is_limited: false,
        remarks,
    };
    if let Some(cache) = cache {
        for (policy, bindings) in bound {
            run.policy(policy, &bindings, cache);
        }
        let seen = SeenRequest { request, garden: world.garden, objects: &objects, cache };
        for policy in &changing {
            if let Some(unjudged) = seen.unjudged(policy, &mut run.inputs) {
                run.unjudge(unjudged);
            }
        }
    }
    run.inputs.account = &allowance.own;
    for policy in own {
        match (&policy.extension, &extensions) {
            (Some(extension), Some(named)) => run.extension(policy, extension, named),
            _ => run.own(policy),
        }
        if is_quick && (run.has_results() || run.is_limited) {
            return None;
        }
    }
    let mut remarks = run.add_to(review);
    remarks.questions = lookups.questions();
    Some(remarks)
}

/// Returns the policies of operators that concern a request, and records exemptions from others.
fn own_policies<'p>(
    request: &Request<'_>,
    review: &mut Review,
    config: &Config,
    own: impl Iterator<Item = &'p OwnPolicy>,
) -> Vec<&'p OwnPolicy> {
    let own = own.filter(|it| it.concerns(request, config));
    let (exempt, own): (Vec<&OwnPolicy>, Vec<&OwnPolicy>) =
        own.partition(|it| it.is_exempt(request, config));
    let is_wholly = config.exemptions.all.covers(&request.user_info, &request.namespace);
    let exempt = exempt.iter().map(|it| it.id());
    exempt.for_each(|id| review.exempted.add((!is_wholly).then_some(id)));
    own
}

/// A policy of a garden, with its bindings.
type BoundPolicy<'a> = (&'a Arc<AdmissionPolicy>, Vec<&'a Arc<AdmissionPolicyBinding>>);

/// Returns the bound policies of a garden whose rules match a request.
fn bound_policies<'a>(
    request: &Request<'_>,
    garden: &'a Snapshot,
    cache: &PolicyCache,
    remarks: &mut PolicyRemarks,
) -> Vec<BoundPolicy<'a>> {
    let kinds = [Kind::ValidatingAdmissionPolicy, Kind::ValidatingAdmissionPolicyBinding];
    remarks.unjudged.extend(unreadable_policies(garden, kinds));
    let is_concerned = |it: &&Arc<AdmissionPolicy>| {
        let constraints = it.spec.match_constraints.as_ref();
        constraints.is_none_or(|it| matches_rules(it, request)) || cache.matches_unknown(it)
    };
    let policies = garden.admission_policies().filter(is_concerned);
    let policies: Vec<&Arc<AdmissionPolicy>> = policies.collect();
    let Some(bindings) = garden.admission_policy_bindings() else {
        let why =
            "the garden has no ValidatingAdmissionPolicyBinding, so that its effect is not known";
        let unjudged = policies.iter().map(|it| UnjudgedPolicy::new(&it.metadata.name, why));
        remarks.unjudged.extend(unjudged);
        return Vec::new();
    };
    let mut bound: BTreeMap<&str, Vec<&Arc<AdmissionPolicyBinding>>> = BTreeMap::new();
    for binding in bindings {
        let of_policy = bound.entry(&binding.spec.policy_name).or_default();
        of_policy.push(binding);
    }
    let policies = policies.into_iter().filter_map(|policy| {
        let bindings = bound.remove(policy.metadata.name.as_str())?;
        Some((policy, bindings))
    });
    policies.collect()
}

/// Reports whether an API server calls admission plugins for policies.
pub(super) fn is_reached(request: &Request<'_>, review: &Review) -> bool {
    let is_of_garden = request.kind().is_some_and(|kind: Kind| !kind.is_outside_garden());
    let has_object = match request.operation {
        Operation::Create | Operation::Update => request.object.is_some(),
        Operation::Delete => request.old_object.is_some(),
        Operation::Connect => false,
    };
    let is_before = |it: &Finding| {
        let is_early = matches!(it.phase, Phase::Decoding | Phase::Mutating);
        it.level == Level::Deny && (is_early || it.finding == UNDECODABLE)
    };
    is_of_garden && has_object && !review.findings.iter().any(is_before)
}

/// The evaluation of all policies for a request.
struct Run<'a> {
    request: &'a Request<'a>,
    world: &'a World<'a>,
    objects: &'a AdmittedObjects,
    inputs: Inputs<'a>,
    is_enforced: bool,
    findings: Vec<Finding>,
    undetermined: Vec<Undetermined>,
    /// Whether a limit of garden-gate was exceeded.
    is_limited: bool,
    remarks: PolicyRemarks,
}

/// The source of a refusal or of an undetermined result.
#[derive(Clone, Copy)]
struct Origins<'a> {
    policy: &'a CompiledPolicy,
    /// `None` for an error of the policy itself.
    binding: Option<&'a AdmissionPolicyBinding>,
    /// The policy, if it is one of operators.
    own: Option<&'a OwnPolicy>,
}

impl Origins<'_> {
    /// Returns the title of the policy.
    fn title(&self) -> String {
        match self.own {
            Some(_) => format!("{} `{}`", GardenPolicy::KIND, self.policy.name()),
            None => format!("ValidatingAdmissionPolicy `{}`", self.policy.name()),
        }
    }

    /// Returns the message of a refusal or warning, as an API server words it.
    fn message(&self, level: Level, message: &str) -> String {
        let name = self.policy.name();
        let binding = self.binding.map(|it| it.metadata.name.as_str());
        match (self.own, level, binding) {
            (Some(_), ..) => message.to_owned(),
            (None, Level::Deny, None) => {
                format!("ValidatingAdmissionPolicy '{name}' denied request: {message}")
            }
            (None, Level::Deny, Some(binding)) => format!(
                "ValidatingAdmissionPolicy '{name}' with binding '{binding}' denied request: {message}"
            ),
            (None, _, binding) => {
                let binding = binding.unwrap_or_default();
                format!(
                    "Validation failed for ValidatingAdmissionPolicy '{name}' with binding '{binding}': {message}"
                )
            }
        }
    }
}

/// The effects of a violation, as a binding demands.
#[derive(Clone, Copy)]
struct Actions {
    /// `None` if the request is neither refused nor answered with a warning.
    level: Option<Level>,
    is_audited: bool,
}

impl Actions {
    /// Returns the actions of a valid binding.
    fn of(binding: &AdmissionPolicyBinding) -> Self {
        let actions = &binding.spec.validation_actions;
        let has = |wanted: &str| actions.iter().any(|it| it == wanted);
        Self {
            level: match (has("Deny"), has("Warn")) {
                (true, _) => Some(Level::Deny),
                (false, true) => Some(Level::Warn),
                (false, false) => None,
            },
            is_audited: has("Audit"),
        }
    }
}

impl Run<'_> {
    fn policy(
        &mut self,
        source: &Arc<AdmissionPolicy>,
        bindings: &[&Arc<AdmissionPolicyBinding>],
        cache: &PolicyCache,
    ) {
        let name = source.metadata.name.as_str();
        let seen = (self.objects, self.world.garden);
        let constraints = source.spec.match_constraints.as_ref();
        let matching = constraints.map(|it| matches(it, self.request, seen));
        if matching == Some(Matching::No) && !cache.matches_unknown(source) {
            return;
        }
        let compiled = cache.get(source);
        let policy = match &*compiled {
            Ok(policy) => policy,
            Err(why) => {
                self.unjudged(name, why);
                return;
            }
        };
        let origins = Origins { policy, binding: None, own: None };
        let bindings = self.valid(name, bindings, cache);
        let levels = bindings.iter().filter_map(|it| Actions::of(it).level);
        match matching {
            // A compiled policy has constraints.
            None | Some(Matching::No) => {}
            Some(Matching::Yes) => {
                for binding in bindings {
                    self.binding(policy, binding);
                }
            }
            Some(Matching::Unknown(why)) => self.undecided(origins, levels.max(), None, why),
            Some(Matching::Failed(why)) => self.misconfigured(origins, &why),
        }
    }

    /// Returns the valid bindings of a policy; for others, the policy is not evaluated.
    fn valid<'b>(
        &mut self,
        policy: &str,
        bindings: &[&'b Arc<AdmissionPolicyBinding>],
        cache: &PolicyCache,
    ) -> Vec<&'b AdmissionPolicyBinding> {
        let mut valid = Vec::new();
        for &binding in bindings {
            match &*cache.binding_error(binding) {
                None => valid.push(&**binding),
                Some(why) => self.unjudged(policy, why),
            }
        }
        valid
    }

    /// Judges the configurations of an extension, and the object that names it.
    fn extension(
        &mut self,
        policy: &OwnPolicy,
        extension: &CompiledExtension,
        named: &NamedExtensions<'_>,
    ) {
        let seen = JudgedObjects {
            request: self.request,
            world: self.world,
            objects: self.objects,
            documents: &named.documents,
        };
        let judged = extensions::judge((extension, policy.id()), seen, &mut self.inputs);
        let Some(judged) = judged else { return };
        self.remarks.configurations.extend(judged.configurations);
        if !judged.is_judged {
            return;
        }
        let result = match (judged.undetermined.is_empty(), judged.findings.is_empty()) {
            (false, _) => PolicyResult::Undetermined,
            (true, false) => PolicyResult::Violated,
            (true, true) => PolicyResult::Accepted,
        };
        self.remarks.evaluated.push((policy.label(), result));
        self.findings.extend(judged.findings);
        self.undetermined.extend(judged.undetermined);
        self.inputs.params = garden_gate_cel::Value::Null;
    }

    /// Evaluates a policy of operators.
    fn own(&mut self, own: &OwnPolicy) {
        let origins = Origins { policy: &own.compiled, binding: None, own: Some(own) };
        let level = own.level(self.world.config);
        let seen = (self.objects, self.world.garden);
        let constraints = own.compiled.source.spec.match_constraints.as_ref();
        // A compiled policy has constraints.
        let matching = constraints.map_or(Matching::No, |it| matches(it, self.request, seen));
        match matching {
            Matching::No => {}
            Matching::Yes => {
                let actions = Actions { level: Some(level), is_audited: false };
                self.params(origins, actions, None);
            }
            Matching::Unknown(why) => {
                self.remarks.evaluated.push((own.label(), PolicyResult::Undetermined));
                self.undecided(origins, Some(level), None, why);
            }
            Matching::Failed(why) => {
                self.remarks.evaluated.push((own.label(), PolicyResult::Failed));
                self.misconfigured(origins, &why);
            }
        }
    }

    fn binding(&mut self, policy: &CompiledPolicy, binding: &AdmissionPolicyBinding) {
        let spec = &binding.spec;
        let origins = Origins { policy, binding: Some(binding), own: None };
        let actions = Actions::of(binding);
        let seen = (self.objects, self.world.garden);
        let limits = spec.match_resources.as_ref();
        let matching = limits.map_or(Matching::Yes, |it| matches(it, self.request, seen));
        match matching {
            Matching::Yes => {}
            Matching::No => return,
            Matching::Unknown(why) => {
                self.undecided(origins, actions.level, None, why);
                return;
            }
            Matching::Failed(why) => {
                self.misconfigured(origins, &why);
                return;
            }
        }
        let searched = searched_params(
            policy.source.spec.param_kind.as_ref(),
            spec.param_ref.as_ref(),
            self.world.garden,
        );
        self.inputs.account.spend(searched);
        if let Some(limit) = self.inputs.account.exceeded() {
            self.is_limited = true;
            if policy.fails() {
                self.undecided(origins, actions.level, None, limit.to_string());
            }
            return;
        }
        let params = bound_params(
            policy.source.spec.param_kind.as_ref(),
            spec.param_ref.as_ref(),
            &self.request.namespace,
            self.world.garden,
        );
        match params {
            BoundParams::Each(each) => {
                for params in each {
                    self.params(origins, actions, params.as_deref());
                    // The result would be the same for the others.
                    if self.inputs.account.exceeded().is_some() {
                        break;
                    }
                }
            }
            BoundParams::Failed(why) => self.misconfigured(origins, &why),
            BoundParams::Unknown(why) => self.undecided(origins, actions.level, None, why),
            BoundParams::Omitted(why) => self.unjudged(policy.name(), &why),
        }
    }

    /// Evaluates a policy with one parameter.
    fn params(&mut self, origins: Origins<'_>, actions: Actions, params: Option<&Value>) {
        let params = params.map_or(garden_gate_cel::Value::Null, garden_gate_cel::Value::from_json);
        self.inputs.account.spend(weight(&params) / VALUES_OF_COST);
        self.inputs.params = params;
        let evaluated = evaluate(origins.policy, &self.inputs);
        self.is_limited |= evaluated.is_limited;
        if let Some(own) = origins.own {
            let result = PolicyResult::of(&evaluated).map(|it| (own.label(), it));
            self.remarks.evaluated.extend(result);
        }
        for refusal in evaluated.refusals {
            let refusal = self.without_credentials(origins.policy, refusal);
            let level = if refusal.is_unconditional && origins.own.is_none() {
                Some(Level::Deny)
            } else {
                actions.level
            };
            match level {
                Some(level) => self.refused(origins, level, &refusal),
                None if actions.is_audited => self.recorded(origins, &refusal.message),
                None => {}
            }
        }
        for (validation, why) in evaluated.undetermined {
            let is_known = why == NO_USER || why == NO_NAMESPACES;
            let why = if self.is_secret() && !is_known { HIDDEN.to_owned() } else { why };
            self.undecided(origins, actions.level, validation, why);
        }
    }

    /// Reports whether reports must not show values of the object.
    fn is_secret(&self) -> bool {
        self.request.kind().is_some_and(Kind::holds_credentials)
    }

    /// Replaces a computed message about an object with credentials by the literal one.
    fn without_credentials(&self, policy: &CompiledPolicy, refusal: Refusal) -> Refusal {
        if !self.is_secret() {
            return refusal;
        }
        let validation = refusal.validation.and_then(|it| policy.validations.get(it));
        let message = validation.map_or_else(|| HIDDEN.to_owned(), default_message);
        Refusal { message, ..refusal }
    }

    /// Adds a finding.
    fn refused(&mut self, origins: Origins<'_>, level: Level, refusal: &Refusal) {
        let policy = origins.policy;
        let (field, value, help) = self.about(origins, refusal);
        let would_deny = origins.own.is_some_and(|own| own.is_lowered(level, self.world.config));
        let finding = Finding {
            rule: policy.id,
            finding: policy.id,
            level,
            would_deny,
            origin: match origins.own {
                Some(_) => Origin::GardenGate,
                None => Origin::Gardener,
            },
            error: refusal.reason.error(),
            field: field.to_string(),
            pointer: field.pointer(),
            value,
            message: clip(origins.message(level, &refusal.message), LONGEST),
            help,
            machines: None,
            fixes: Vec::new(),
            phase: refusal.reason.phase(),
        };
        add(&mut self.findings, finding, |it| (it.level, it.would_deny));
    }

    /// Returns the field and the value that a refusal is about, and its help.
    fn about(&self, origins: Origins<'_>, refusal: &Refusal) -> (FieldPath, Value, String) {
        let policy = origins.policy;
        let validation = refusal.validation.and_then(|it| policy.validations.get(it));
        let Some(validation) = validation else {
            let help = "correct the policy, its binding or its parameters";
            return (FieldPath::root(), Value::Null, help.to_owned());
        };
        let (field, value) = self.field(policy, validation);
        let value = value.filter(|_| !self.is_secret());
        let value = value.map_or(Value::Null, garden_gate_cel::Value::to_scalar);
        let help = match origins.own.map(|own| own.help.as_str()) {
            Some(help) if !help.is_empty() => clip(help, LONGEST),
            _ => {
                let text = validation.expression.text();
                let text: Vec<&str> = text.split_whitespace().collect();
                let text = clip(text.join(" "), LONGEST_EXPRESSION);
                format!("the policy requires `{text}`")
            }
        };
        (field, value, help)
    }

    /// Returns the field that a validation is about.
    fn field<'s>(
        &'s self,
        policy: &'s CompiledPolicy,
        validation: &'s CompiledValidation,
    ) -> FoundField<'s> {
        let search = Search {
            policy,
            expression: &validation.expression,
            objects: self.objects,
            inputs: &self.inputs,
        };
        search.field()
    }

    /// Adds an error of a policy or a binding, which refuses requests whatever the binding demands.
    fn misconfigured(&mut self, origins: Origins<'_>, why: &str) {
        if !origins.policy.fails() {
            return;
        }
        let what = match origins.binding {
            Some(_) => "binding",
            None => "policy",
        };
        let refusal = Refusal {
            message: format!("failed to configure {what}: {why}"),
            reason: Reason::Invalid,
            validation: None,
            is_unconditional: true,
            is_error: true,
        };
        self.refused(origins, Level::Deny, &refusal);
    }

    /// Adds a note on a violation that is only recorded.
    fn recorded(&mut self, origins: Origins<'_>, message: &str) {
        let binding = origins.binding.map_or("", |it| it.metadata.name.as_str());
        let note = format!(
            "ValidatingAdmissionPolicy `{}` with binding `{binding}` records a violation in the audit log: {message}",
            origins.policy.name()
        );
        add(&mut self.remarks.notes, clip(note, LONGEST), |_| ());
    }

    /// Adds an undetermined result, or a policy that is not evaluated if the garden or the command omits the facts.
    fn undecided(
        &mut self,
        origins: Origins<'_>,
        level: Option<Level>,
        validation: Option<usize>,
        why: String,
    ) {
        let policy = origins.policy;
        if !self.is_enforced && [NO_USER, NO_NAMESPACES].contains(&why.as_str()) {
            self.unjudge(UnjudgedPolicy { title: origins.title(), why });
            return;
        }
        let Some(level) = level else { return };
        let validation = validation.and_then(|it| policy.validations.get(it));
        let field = validation.map_or_else(FieldPath::root, |it| self.field(policy, it).0);
        let title = origins.title();
        let message = format!("cannot tell whether {title} accepts the object: {why}");
        let undetermined = Undetermined {
            level,
            would_deny: origins.own.is_some_and(|own| own.is_lowered(level, self.world.config)),
            ..Undetermined::new(policy.id, field.to_string(), clip(message, LONGEST))
        };
        add(&mut self.undetermined, undetermined, |it| (it.level, it.would_deny));
    }

    fn unjudged(&mut self, policy: &str, why: &str) {
        self.unjudge(UnjudgedPolicy::new(policy, why));
    }

    fn unjudge(&mut self, unjudged: UnjudgedPolicy) {
        if !self.remarks.unjudged.contains(&unjudged) {
            self.remarks.unjudged.push(unjudged);
        }
    }

    /// Reports whether any result is not plain acceptance.
    fn has_results(&self) -> bool {
        !(self.findings.is_empty() && self.undetermined.is_empty())
    }

    /// Adds the results to a verdict, without silenced warnings.
    fn add_to(self, review: &mut Review) -> PolicyRemarks {
        let World { config, now, .. } = *self.world;
        let annotations = self.objects.annotations();
        let (kept, silenced) = heed(&annotations, (config, now), self.findings);
        review.findings.extend(kept);
        for it in silenced {
            add_silenced(review, it);
        }
        review.undetermined.extend(self.undetermined);
        if review.verdict() != Verdict::Allowed {
            review.withhold();
        }
        self.remarks
    }
}

/// Adds a result once, unless there are too many of its level: those of another level must not displace it.
fn add<T: PartialEq, L: PartialEq>(results: &mut Vec<T>, result: T, level: impl Fn(&T) -> L) {
    let own = level(&result);
    let of_level = results.iter().filter(|it| level(it) == own).count();
    if of_level < MOST && !results.contains(&result) {
        results.push(result);
    }
}

fn add_silenced(review: &mut Review, mut silenced: Silenced) {
    match review.silenced.iter_mut().find(|it| it.id == silenced.id) {
        Some(known) => known.findings.append(&mut silenced.findings),
        None => review.silenced.push(silenced),
    }
}
