//! Policies of operators, with lookups in the garden.

use std::fmt;
use std::sync::Arc;

use super::compiled::{CompiledPolicy, Flaw};
use super::lookups::{FIELDS, FUNCTIONS, kinds_of};
use super::matching::{matches_rules, needs_namespace, operations};
use super::names::finding_id;
use crate::admission::{Operation, POLICY_PREFIX, Request};
use crate::config::{Config, Level, Levels};
use garden_gate_cel::{Activation, Environment, LookupVariable};
use garden_gate_model::api::{AdmissionPolicy, GardenPolicy, Kind};

/// A compiled policy of operators.
pub struct OwnPolicy {
    pub(super) compiled: CompiledPolicy,
    /// The level of its findings in each profile.
    pub(super) levels: Levels,
    /// The remedy; may be empty.
    pub(super) help: String,
}

impl fmt::Debug for OwnPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnPolicy").field("id", &self.id()).finish_non_exhaustive()
    }
}

impl OwnPolicy {
    /// Maximum of [`Self::cost_bound`] in servers: the cost of expressions that an API server allows a policy.
    pub const COST_LIMIT: u64 = Activation::BUDGET;

    /// Compiles a policy.
    ///
    /// # Errors
    /// Fails with all reasons if it is invalid, or uses anything that is not implemented. A reason may begin with a field in
    /// backticks.
    pub fn of(policy: &GardenPolicy) -> Result<Self, Vec<String>> {
        let spec = &policy.spec;
        let level = spec.level.as_deref().unwrap_or("deny").parse();
        let level: Level = level.map_err(|why| vec![format!("`spec.level`: {why}")])?;
        if spec.policy.param_kind.is_some() {
            return Err(vec!["`spec.paramKind` is an unknown field".to_owned()]);
        }
        let source = Arc::new(AdmissionPolicy {
            metadata: policy.metadata.clone(),
            spec: spec.policy.clone(),
        });
        let id = match spec.id.as_str() {
            "" => policy.metadata.name.as_str(),
            id => id,
        };
        let compiled = CompiledPolicy::with(&source, finding_id(id), environment());
        Ok(Self {
            compiled: compiled
                .map_err(|flaws| flaws.into_iter().map(Flaw::plain).collect::<Vec<_>>())?,
            levels: Levels { documented: level, gardener: level, hardened: level },
            help: spec.help.clone(),
        })
    }

    /// Returns the id of its findings.
    pub fn id(&self) -> &'static str {
        self.compiled.id
    }

    /// Returns the id without the prefix `policy/`, for labels.
    pub fn label(&self) -> &'static str {
        let id = self.id();
        id.strip_prefix(POLICY_PREFIX).unwrap_or(id)
    }

    /// Returns an estimate of the highest cost of all expressions: lists have 128 elements, and strings 256 characters.
    pub fn cost_bound(&self) -> u64 {
        let placed = self.compiled.placed();
        let bounds = placed.iter().map(|(_, it)| it.cost_bound());
        bounds.fold(0, u64::saturating_add)
    }

    /// Returns the error of a policy that costs too much for a server.
    pub fn excessive_cost(&self) -> Option<String> {
        let (bound, limit) = (self.cost_bound(), Self::COST_LIMIT);
        (bound > limit).then(|| {
            format!(
                "the estimated cost of its expressions is {bound}, above the limit of {limit} for servers; nest fewer macros over lists"
            )
        })
    }

    /// Returns the kinds of the objects that its expressions look up.
    pub fn reads(&self) -> impl Iterator<Item = Kind> {
        let lookups = self.lookups();
        lookups.flat_map(|name| kinds_of(name).iter().copied())
    }

    /// Returns the requests that its rules match, for objects of judged kinds.
    pub fn requests(&self) -> Vec<(Kind, Operation)> {
        let constraints = self.compiled.source.spec.match_constraints.iter();
        let requests = constraints.flat_map(|constraints| {
            let kinds = Kind::judged().filter(|kind| !kind.is_outside_garden());
            kinds.flat_map(|kind| operations(constraints, kind).map(move |it| (kind, it)))
        });
        requests.collect()
    }

    /// Reports whether it depends on more of a Namespace than the name.
    pub fn needs_namespace(&self) -> bool {
        let constraints = self.compiled.source.spec.match_constraints.as_ref();
        let placed = self.compiled.placed();
        constraints.is_some_and(needs_namespace)
            || placed.iter().any(|(_, it)| it.names("namespaceObject"))
    }

    /// Returns the names of the fields and functions of `garden` that it uses.
    fn lookups(&self) -> impl Iterator<Item = &str> {
        let placed = self.compiled.placed();
        let lookups = placed.into_iter().flat_map(|(_, it)| it.lookups());
        lookups.map(|it| it.name.as_str())
    }

    /// Returns the level of its findings.
    pub fn level(&self, config: &Config) -> Level {
        config.level(self.id(), self.id(), self.levels)
    }

    /// Reports whether the configuration lowers a refusal to this level.
    pub(super) fn is_lowered(&self, level: Level, config: &Config) -> bool {
        config.is_lowered(level, self.levels)
    }

    /// Reports whether any of these policies is evaluated for requests like this one.
    pub fn any_concerns(policies: &[Self], request: &Request<'_>, config: &Config) -> bool {
        let mut policies = policies.iter();
        policies.any(|it| it.concerns(request, config) && !it.is_exempt(request, config))
    }

    /// Reports whether it is enabled and its rules match a request.
    pub(super) fn concerns(&self, request: &Request<'_>, config: &Config) -> bool {
        let constraints = self.compiled.source.spec.match_constraints.as_ref();
        constraints.is_some_and(|it| matches_rules(it, request)) && self.level(config) != Level::Off
    }

    /// Reports whether the configuration exempts a request from it.
    pub(super) fn is_exempt(&self, request: &Request<'_>, config: &Config) -> bool {
        let (user, namespace) = (&request.user_info, request.namespace.as_str());
        config.exemptions.all.covers(user, namespace)
            || config.is_exempt(self.id(), user, namespace)
    }
}

/// Returns the names that expressions of operators may use.
pub(super) fn environment() -> Environment {
    Environment::admission().with_lookups(LookupVariable {
        name: "garden",
        fields: &FIELDS,
        functions: &FUNCTIONS,
    })
}
