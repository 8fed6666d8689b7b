//! Policies of operators, with lookups in the garden.

use std::fmt;
use std::sync::Arc;

use super::compiled::CompiledPolicy;
use super::expressions::Environment;
use super::lookups::{FIELDS, FUNCTIONS};
use super::matching::matches_rules;
use super::names::finding_id;
use crate::admission::Request;
use crate::api::{AdmissionPolicy, GardenPolicy};
use crate::config::{Config, Level, Levels};

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
        f.debug_struct("OwnPolicy")
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}

impl OwnPolicy {
    /// Compiles a policy.
    ///
    /// # Errors
    /// Fails with the reason if it is invalid, or uses anything that is not implemented.
    pub fn of(policy: &GardenPolicy) -> Result<Self, String> {
        let spec = &policy.spec;
        let level = spec.level.as_deref().unwrap_or("deny").parse();
        let level: Level = level.map_err(|why| format!("`spec.level`: {why}"))?;
        if spec.policy.param_kind.is_some() {
            return Err("it cannot have `spec.paramKind`".to_owned());
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
            compiled: compiled.map_err(|flaw| flaw.plain())?,
            levels: Levels {
                documented: level,
                gardener: level,
                hardened: level,
            },
            help: spec.help.clone(),
        })
    }

    /// Returns the id of its findings.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.compiled.id
    }

    /// Returns the level of its findings.
    pub(super) fn level(&self, config: &Config) -> Level {
        config.level(self.id(), self.id(), self.levels)
    }

    /// Reports whether the configuration lowers a refusal to this level.
    pub(super) fn is_lowered(&self, level: Level, config: &Config) -> bool {
        config.is_lowered(level, self.levels)
    }

    /// Reports whether its rules match a request that the configuration does not exempt from it.
    pub(super) fn concerns(&self, request: &Request<'_>, config: &Config) -> bool {
        let constraints = self.compiled.source.spec.match_constraints.as_ref();
        let (user, namespace) = (&request.user_info, request.namespace.as_str());
        constraints.is_some_and(|it| matches_rules(it, request))
            && self.level(config) != Level::Off
            && !config.exemptions.all.covers(user, namespace)
            && !config.is_exempt(self.id(), user, namespace)
    }
}

/// Returns the names that expressions of operators may use.
pub(super) fn environment() -> Environment {
    Environment::admission().with_garden(&FIELDS, &FUNCTIONS)
}
