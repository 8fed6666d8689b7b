//! Policies with compiled expressions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::expressions::{CompileError, Environment, Expression, ResultType};
use super::names::finding_id;
use crate::admission::{ErrorType, Phase};
use crate::api::{AdmissionPolicy, AdmissionPolicySpec, Validation};

/// Maximum number of expressions of a policy.
const MOST: usize = 1_000;

/// The named variables of a policy in order.
pub(super) type Variables = Vec<(String, Result<Expression, CompileError>)>;

/// A policy with compiled expressions.
pub(super) struct CompiledPolicy {
    /// The id of its findings.
    pub(super) id: &'static str,
    pub(super) source: Arc<AdmissionPolicy>,
    pub(super) variables: Variables,
    pub(super) conditions: Vec<Expression>,
    pub(super) validations: Vec<CompiledValidation>,
    /// The values of entries of the audit log.
    pub(super) annotations: Vec<Expression>,
}

/// A validation with compiled expressions.
pub(super) struct CompiledValidation {
    pub(super) expression: Expression,
    /// The message of a refusal; may be empty.
    pub(super) message: String,
    /// `None` if there is none, or it cannot be evaluated.
    pub(super) message_expression: Option<Expression>,
    pub(super) reason: Reason,
}

/// The reason of a refusal, which determines the HTTP status.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Reason {
    /// 422.
    #[default]
    Invalid,
    /// 403.
    Forbidden,
    /// 401.
    Unauthorized,
    /// 413.
    RequestEntityTooLarge,
}

impl Reason {
    fn named(name: Option<&str>) -> Option<Self> {
        match name {
            None | Some("Invalid") => Some(Self::Invalid),
            Some("Forbidden") => Some(Self::Forbidden),
            Some("Unauthorized") => Some(Self::Unauthorized),
            Some("RequestEntityTooLarge") => Some(Self::RequestEntityTooLarge),
            Some(_) => None,
        }
    }

    /// Returns the type of the error in findings.
    pub(super) fn error(self) -> ErrorType {
        match self {
            Self::Invalid => ErrorType::Invalid,
            Self::Forbidden => ErrorType::Forbidden,
            Self::Unauthorized | Self::RequestEntityTooLarge => ErrorType::Denied,
        }
    }

    /// Returns the phase with the HTTP status of the reason, or with that of admission.
    pub(super) fn phase(self) -> Phase {
        match self {
            Self::Invalid => Phase::Static,
            Self::Forbidden | Self::Unauthorized | Self::RequestEntityTooLarge => Phase::Admission,
        }
    }
}

/// The reason why a policy is not evaluated.
pub(super) enum Flaw {
    /// It is invalid: the place with the error, and an explanation, which may be empty.
    Invalid(String, String),
    /// It exceeds a limit, or uses anything that is not implemented.
    Unsupported(String),
}

impl Flaw {
    /// Describes the reason for a policy of an API server, which does not store invalid ones.
    fn in_garden(self) -> String {
        const REFUSED: &str = "so that an API server refuses the policy";
        match self {
            Self::Invalid(what, why) if why.is_empty() => format!("{what}, {REFUSED}"),
            Self::Invalid(what, why) => format!("{what}, {REFUSED}: {why}"),
            Self::Unsupported(why) => why,
        }
    }

    /// Describes the reason for any policy.
    pub(super) fn plain(self) -> String {
        match self {
            Self::Invalid(what, why) if why.is_empty() => what,
            Self::Invalid(what, why) => format!("{what}: {why}"),
            Self::Unsupported(why) => why,
        }
    }

    fn is_unsupported(&self) -> bool {
        matches!(self, Self::Unsupported(_))
    }
}

impl CompiledPolicy {
    /// Compiles a policy of an API server.
    ///
    /// # Errors
    /// Fails with the reason if the policy is invalid, or uses anything that is not implemented.
    pub(super) fn of(source: &Arc<AdmissionPolicy>) -> Result<Self, String> {
        let environment = match source.spec.param_kind.is_some() {
            true => Environment::admission().with_params(),
            false => Environment::admission(),
        };
        let id = finding_id(&source.metadata.name);
        Self::with(source, id, environment).map_err(Flaw::in_garden)
    }

    /// Compiles a policy whose expressions may use the names of an environment.
    pub(super) fn with(
        source: &Arc<AdmissionPolicy>,
        id: &'static str,
        mut environment: Environment,
    ) -> Result<Self, Flaw> {
        let spec = &source.spec;
        check(spec)?;
        let mut variables = Variables::new();
        let mut unsupported: Vec<(String, String)> = Vec::new();
        for (index, variable) in spec.variables.iter().enumerate() {
            let compiled = Expression::compile(&variable.expression, &environment);
            if let Err(error) = &compiled {
                match flaw(&format!("spec.variables[{index}].expression"), error) {
                    Flaw::Unsupported(why) => {
                        unsupported.push((format!("variables.{}", variable.name), why));
                    }
                    flaw => return Err(flaw),
                }
            }
            environment.add_variable(&variable.name, &compiled);
            variables.push((variable.name.clone(), compiled));
        }
        let compile = |place: String, text: &str, types: &[ResultType]| {
            let compiled = Expression::compile_as(text, types, &environment);
            compiled.map_err(|error| {
                // The type of such a variable is not known.
                let mut unsupported = unsupported.iter();
                let used = unsupported.find(|(name, _)| text.contains(name.as_str()));
                match (&error, used) {
                    (CompileError::Type { .. }, Some((_, why))) => Flaw::Unsupported(why.clone()),
                    _ => flaw(&place, &error),
                }
            })
        };
        let mut compiled = Self {
            id,
            source: Arc::clone(source),
            variables,
            conditions: Vec::new(),
            validations: Vec::new(),
            annotations: Vec::new(),
        };
        for (index, condition) in spec.match_conditions.iter().enumerate() {
            let place = format!("spec.matchConditions[{index}].expression");
            let expression = compile(place, &condition.expression, &[ResultType::Bool]);
            compiled.conditions.push(expression?);
        }
        for (index, validation) in spec.validations.iter().enumerate() {
            let place = |field: &str| format!("spec.validations[{index}].{field}");
            let expression = compile(
                place("expression"),
                &validation.expression,
                &[ResultType::Bool],
            );
            let text = validation.message_expression.as_str();
            let message_expression = match text {
                "" => None,
                text => match compile(place("messageExpression"), text, &[ResultType::String]) {
                    Ok(expression) => Some(expression),
                    // The verdict does not depend on it.
                    Err(flaw) if flaw.is_unsupported() => None,
                    Err(flaw) => return Err(flaw),
                },
            };
            compiled.validations.push(CompiledValidation {
                expression: expression?,
                message: validation.message.trim().to_owned(),
                message_expression,
                reason: reason(&place("reason"), validation)?,
            });
        }
        for (index, annotation) in spec.audit_annotations.iter().enumerate() {
            let place = format!("spec.auditAnnotations[{index}].valueExpression");
            let types = [ResultType::String, ResultType::Null];
            match compile(place, &annotation.value_expression, &types) {
                Ok(expression) => compiled.annotations.push(expression),
                // It only adds an entry to the audit log.
                Err(flaw) if flaw.is_unsupported() => {}
                Err(flaw) => return Err(flaw),
            }
        }
        match compiled.unsupported_variable() {
            Some(flaw) => Err(flaw),
            None => Ok(compiled),
        }
    }

    /// Returns the name of the policy.
    pub(super) fn name(&self) -> &str {
        &self.source.metadata.name
    }

    /// Reports whether errors refuse a request.
    pub(super) fn fails(&self) -> bool {
        self.source.spec.failure_policy.as_deref() != Some("Ignore")
    }

    /// Returns all expressions with their fields, such as `spec.validations[0].expression`.
    pub(super) fn placed(&self) -> Vec<(String, &Expression)> {
        let mut placed = Vec::new();
        for (index, (_, variable)) in self.variables.iter().enumerate() {
            if let Ok(expression) = variable {
                placed.push((format!("spec.variables[{index}].expression"), expression));
            }
        }
        for (index, expression) in self.conditions.iter().enumerate() {
            placed.push((
                format!("spec.matchConditions[{index}].expression"),
                expression,
            ));
        }
        for (index, validation) in self.validations.iter().enumerate() {
            let place = |field: &str| format!("spec.validations[{index}].{field}");
            placed.push((place("expression"), &validation.expression));
            if let Some(expression) = &validation.message_expression {
                placed.push((place("messageExpression"), expression));
            }
        }
        placed
    }

    /// Returns the expressions that decide.
    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let validations = self.validations.iter().map(|it| &it.expression);
        self.conditions.iter().chain(validations)
    }

    /// Returns the variables that an expression uses, also through others.
    pub(super) fn variables_of(
        &self,
        expression: &Expression,
    ) -> Vec<&(String, Result<Expression, CompileError>)> {
        let mut open: Vec<&str> = expression.variables().iter().map(String::as_str).collect();
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        while let Some(name) = open.pop() {
            if !seen.insert(name) {
                continue;
            }
            let Some(variable) = self.variables.iter().find(|(own, _)| own == name) else {
                continue;
            };
            if let (_, Ok(expression)) = variable {
                open.extend(expression.variables().iter().map(String::as_str));
            }
            found.push(variable);
        }
        found
    }

    /// Returns the first unsupported variable that an expression uses.
    fn unsupported_variable(&self) -> Option<Flaw> {
        let mut variables = self.expressions().flat_map(|it| self.variables_of(it));
        variables.find_map(|(name, compiled)| {
            let error = compiled.as_ref().err()?;
            Some(flaw(&format!("variables.{name}"), error))
        })
    }
}

/// Fails if a policy is invalid, or has too many expressions.
fn check(spec: &AdmissionPolicySpec) -> Result<(), Flaw> {
    let refused = |what: &str| Err(Flaw::Invalid(what.to_owned(), String::new()));
    let constraints = spec.match_constraints.as_ref();
    if constraints.is_none_or(|it| it.resource_rules.is_empty()) {
        return refused("`spec.matchConstraints.resourceRules` is missing");
    }
    if spec.validations.is_empty() && spec.audit_annotations.is_empty() {
        return refused("`spec.validations` is missing");
    }
    if let Some(other) = spec.failure_policy.as_deref()
        && !matches!(other, "Fail" | "Ignore")
    {
        return refused("`spec.failurePolicy` is neither `Fail` nor `Ignore`");
    }
    let parts = [
        ("variables", spec.variables.len()),
        ("matchConditions", spec.match_conditions.len()),
        ("validations", spec.validations.len()),
        ("auditAnnotations", spec.audit_annotations.len()),
    ];
    match parts.into_iter().find(|(_, count)| *count > MOST) {
        Some((name, count)) => Err(Flaw::Unsupported(format!(
            "it has {count} `spec.{name}`; at most {MOST} are evaluated"
        ))),
        None => Ok(()),
    }
}

fn reason(place: &str, validation: &Validation) -> Result<Reason, Flaw> {
    let reason = Reason::named(validation.reason.as_deref());
    reason.ok_or_else(|| {
        let reasons = "Unauthorized, Forbidden, Invalid, RequestEntityTooLarge";
        Flaw::Invalid(format!("`{place}` is not one of {reasons}"), String::new())
    })
}

fn flaw(place: &str, error: &CompileError) -> Flaw {
    match error {
        CompileError::Unsupported { name } => {
            Flaw::Unsupported(format!("`{place}` uses `{name}`, which is not implemented"))
        }
        CompileError::TooComplex => {
            Flaw::Unsupported(format!("`{place}` is too complex to be evaluated"))
        }
        error => Flaw::Invalid(format!("`{place}` does not compile"), error.to_string()),
    }
}

/// Compiled policies, so that each is compiled once for many objects.
#[derive(Default)]
pub struct PolicyCache(Mutex<BTreeMap<usize, CachedPolicy>>);

/// A policy, which stays in memory so that its address is not reused, and the result of compiling it.
type CachedPolicy = (Arc<AdmissionPolicy>, Arc<Result<CompiledPolicy, String>>);

impl PolicyCache {
    /// Returns a compiled policy, or the reason why it is not evaluated.
    pub(super) fn get(&self, policy: &Arc<AdmissionPolicy>) -> Arc<Result<CompiledPolicy, String>> {
        let address = Arc::as_ptr(policy).addr();
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = cached.entry(address).or_insert_with(|| {
            let compiled = CompiledPolicy::of(policy);
            (Arc::clone(policy), Arc::new(compiled))
        });
        Arc::clone(&entry.1)
    }
}

impl fmt::Debug for PolicyCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicyCache").finish_non_exhaustive()
    }
}
