// SPDX-License-Identifier: Apache-2.0
//! Policies of operators, with lookups in the garden.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::compiled::{CompiledPolicy, Flaw};
use super::extensions::{CompiledExtension, KINDS};
use super::lookups::{FIELDS, FUNCTIONS, kinds_of};
use super::matching::{matches_rules, needs_namespace, operations};
use super::names::finding_id;
use crate::admission::{Operation, POLICY_PREFIX, Request};
use crate::config::{Config, KnownExtension, Level, Levels};
use garden_gate_cel::{Activation, Environment, Expression, LookupVariable};
use garden_gate_model::api::extensions::ExtensionDefinition;
use garden_gate_model::api::{
    AdmissionPolicy, AdmissionPolicySpec, GardenPolicy, Kind, MatchResources, ResourceRule,
    WebhookRule,
};

/// A compiled policy of operators.
pub struct OwnPolicy {
    pub(super) compiled: CompiledPolicy,
    /// The level of its findings in each profile.
    pub(super) levels: Levels,
    /// The remedy; may be empty.
    pub(super) help: String,
    /// The extension that it defines; its expressions are evaluated instead of those of the policy.
    pub(super) extension: Option<CompiledExtension>,
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
            unknown_field: None,
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
            extension: None,
        })
    }

    /// Compiles the definition of an extension.
    ///
    /// # Errors
    /// Fails like [`Self::of`].
    pub fn of_extension(definition: &ExtensionDefinition) -> Result<Self, Vec<String>> {
        let name = &definition.metadata.name;
        let id = finding_id(&format!("extension.{name}"));
        let extension = CompiledExtension::of(definition, id, &environment())?;
        let texts = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let resources = KINDS.map(Kind::resource);
        let rule = WebhookRule {
            operations: texts(&["CREATE", "UPDATE"]),
            api_groups: texts(&["core.gardener.cloud"]),
            api_versions: texts(&["*"]),
            resources: texts(&resources),
            scope: None,
        };
        let constraints = MatchResources {
            resource_rules: vec![ResourceRule { rule, ..ResourceRule::default() }],
            ..MatchResources::default()
        };
        let source = AdmissionPolicy {
            metadata: definition.metadata.clone(),
            spec: AdmissionPolicySpec {
                match_constraints: Some(constraints),
                ..AdmissionPolicySpec::default()
            },
            unknown_field: None,
        };
        let compiled = CompiledPolicy::with(&Arc::new(source), id, environment());
        Ok(Self {
            compiled: compiled
                .map_err(|flaws| flaws.into_iter().map(Flaw::plain).collect::<Vec<_>>())?,
            levels: Levels {
                documented: Level::Deny,
                gardener: Level::Deny,
                hardened: Level::Deny,
            },
            help: String::new(),
            extension: Some(extension),
        })
    }

    /// Returns the id of its findings.
    pub fn id(&self) -> &'static str {
        self.compiled.id
    }

    /// Returns the name of the extension that it defines.
    pub fn extension(&self) -> Option<&'static str> {
        self.extension.as_ref().map(CompiledExtension::name)
    }

    /// Describes the extension that it defines, for configurations.
    pub fn known_extension(&self) -> Option<KnownExtension> {
        let defined = self.extension.as_ref()?;
        Some(KnownExtension {
            name: defined.name(),
            newest: defined.extension.newest(),
            settings: defined.settings.clone(),
        })
    }

    /// Returns the aspects of configurations that the definition of an extension does not judge.
    pub fn not_judged(&self) -> BTreeSet<&str> {
        self.extension.iter().flat_map(CompiledExtension::not_judged).collect()
    }

    /// Returns the id without the prefix `policy/`, for labels.
    pub fn label(&self) -> &'static str {
        let id = self.id();
        id.strip_prefix(POLICY_PREFIX).unwrap_or(id)
    }

    /// Returns an estimate of the highest cost of all expressions: lists have 128 elements, and strings 256 characters.
    pub fn cost_bound(&self) -> u64 {
        let bounds = self.expressions().map(Expression::cost_bound);
        bounds.fold(0, u64::saturating_add)
    }

    /// Returns all expressions, without those in schemas.
    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let extension = self.extension.iter().flat_map(CompiledExtension::policies);
        let policies = std::iter::once(&self.compiled).chain(extension);
        policies.flat_map(CompiledPolicy::placed).map(|(_, it)| it)
    }

    /// Returns the error of a policy that costs too much for a server.
    pub fn excessive_cost(&self) -> Option<String> {
        let (bound, limit) = (self.cost_bound(), Self::COST_LIMIT);
        // Servers do not evaluate definitions of extensions.
        (bound > limit && self.extension.is_none()).then(|| {
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
        constraints.is_some_and(needs_namespace)
            || self.expressions().any(|it| it.names("namespaceObject"))
    }

    /// Returns the names of the fields and functions of `garden` that it uses.
    fn lookups(&self) -> impl Iterator<Item = &str> {
        let lookups = self.expressions().flat_map(Expression::lookups);
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
