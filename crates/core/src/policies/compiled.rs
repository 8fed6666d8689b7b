// SPDX-License-Identifier: Apache-2.0
//! Policies with compiled expressions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::names::finding_id;
use super::validation::{self, StoredError};
use crate::admission::{ErrorType, Phase};
use garden_gate_cel::{CompileError, Environment, Expression, ResultType};
use garden_gate_model::api::{AdmissionPolicy, AdmissionPolicySpec, MutatingPolicy, Validation};

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
    /// The values of entries of the audit log, with the positions in the policy.
    pub(super) annotations: Vec<(usize, Expression)>,
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
    /// 413.
    RequestEntityTooLarge,
}

impl Reason {
    /// Returns the reason of a valid policy.
    fn named(name: Option<&str>) -> Self {
        match name {
            Some("Forbidden") => Self::Forbidden,
            Some("RequestEntityTooLarge") => Self::RequestEntityTooLarge,
            _ => Self::Invalid,
        }
    }

    /// Returns the type of the error in findings.
    pub(super) fn error(self) -> ErrorType {
        match self {
            Self::Invalid => ErrorType::Invalid,
            Self::Forbidden => ErrorType::Forbidden,
            Self::RequestEntityTooLarge => ErrorType::Denied,
        }
    }

    /// Returns the phase with the HTTP status of the reason, or with that of admission.
    pub(super) fn phase(self) -> Phase {
        match self {
            Self::Invalid => Phase::Static,
            Self::Forbidden | Self::RequestEntityTooLarge => Phase::Admission,
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
    /// Returns the reason for an error in a policy of a garden.
    pub(super) fn stored(error: StoredError) -> Self {
        match error {
            StoredError::Refused(why) => Self::Invalid(why, String::new()),
            StoredError::UnknownField(why) => {
                Self::Unsupported(format!("{why}, whose effect is not known"))
            }
        }
    }

    /// Describes the reason for a policy of an API server, which does not store invalid ones.
    pub(super) fn in_garden(self) -> String {
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
    /// Fails with the first reason if the policy is invalid, or uses anything that is not implemented.
    pub(super) fn of(source: &Arc<AdmissionPolicy>) -> Result<Self, String> {
        let first = match validation::of_policy(source) {
            Some(error) => Err(Some(Flaw::stored(error))),
            None => Self::admission(source).map_err(|flaws| flaws.into_iter().next()),
        };
        first.map_err(|flaw| flaw.map(Flaw::in_garden).unwrap_or_default())
    }

    /// Compiles a valid policy of an API server like [`Self::of`].
    ///
    /// # Errors
    /// Fails with all reasons.
    pub(super) fn admission(source: &Arc<AdmissionPolicy>) -> Result<Self, Vec<Flaw>> {
        let id = finding_id(&source.metadata.name);
        let compiled = Self::with(source, id, environment(&source.spec))?;
        match compiled.conditions_with_variables() {
            flaws if flaws.is_empty() => Ok(compiled),
            flaws => Err(flaws),
        }
    }

    /// Compiles the conditions of a MutatingAdmissionPolicy.
    ///
    /// # Errors
    /// Fails with the first reason if they are invalid, or use anything that is not implemented.
    pub(super) fn conditions_of(source: &Arc<MutatingPolicy>) -> Result<Self, String> {
        let conditions = Arc::new(source.without_mutations());
        let compiled = Self::admission(&conditions).map_err(|flaws| flaws.into_iter().next());
        compiled.map_err(|flaw| flaw.map(Flaw::plain).unwrap_or_default())
    }

    /// Returns the variables that expressions of the policy may use.
    pub(super) fn environment(&self) -> Environment {
        let mut environment = environment(&self.source.spec);
        for (name, variable) in &self.variables {
            environment.add_variable(name, variable);
        }
        environment
    }

    /// Compiles a policy whose expressions may use the names of an environment.
    ///
    /// # Errors
    /// Fails with all reasons, of which there is at least one.
    pub(super) fn with(
        source: &Arc<AdmissionPolicy>,
        id: &'static str,
        environment: Environment,
    ) -> Result<Self, Vec<Flaw>> {
        let spec = &source.spec;
        check_size(spec).map_err(|flaw| vec![flaw])?;
        let mut compiler = Compiler::new(environment);
        let variables = compiler.variables(spec);
        let conditions = spec
            .match_conditions
            .iter()
            .enumerate()
            .filter_map(|(index, condition)| {
                let place = format!("spec.matchConditions[{index}].expression");
                compiler.required(place, &condition.expression)
            })
            .collect();
        let validations = spec
            .validations
            .iter()
            .enumerate()
            .filter_map(|(index, it)| compiler.validation(index, it))
            .collect();
        let annotations =
            spec.audit_annotations.iter().enumerate().filter_map(|(index, annotation)| {
                let place = format!("spec.auditAnnotations[{index}].valueExpression");
                let types = [ResultType::String, ResultType::Null];
                // It only adds an entry to the audit log.
                let compiled = compiler.optional(place, &annotation.value_expression, &types);
                Some((index, compiled?))
            });
        let annotations = annotations.collect();
        if !compiler.flaws.is_empty() {
            return Err(compiler.flaws);
        }
        let compiled = Self {
            id,
            source: Arc::clone(source),
            variables,
            conditions,
            validations,
            annotations,
        };
        match compiled.unsupported_variable() {
            Some(flaw) => Err(vec![flaw]),
            None => Ok(compiled),
        }
    }

    /// Returns the errors of conditions that use a variable, which an API server refuses.
    fn conditions_with_variables(&self) -> Vec<Flaw> {
        let conditions =
            self.conditions.iter().enumerate().filter(|(_, it)| !it.variables().is_empty());
        let errors = conditions.map(|(index, _)| {
            format!("`spec.matchConditions[{index}].expression` uses `variables`, which conditions of a ValidatingAdmissionPolicy cannot; write the expression of the variable instead")
        });
        errors.map(Flaw::Unsupported).collect()
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
            placed.push((format!("spec.matchConditions[{index}].expression"), expression));
        }
        for (index, validation) in self.validations.iter().enumerate() {
            let place = |field: &str| format!("spec.validations[{index}].{field}");
            placed.push((place("expression"), &validation.expression));
            if let Some(expression) = &validation.message_expression {
                placed.push((place("messageExpression"), expression));
            }
        }
        for (index, expression) in &self.annotations {
            let place = format!("spec.auditAnnotations[{index}].valueExpression");
            placed.push((place, expression));
        }
        placed
    }

    /// Returns the expressions that decide.
    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let validations = self.validations.iter().map(|it| &it.expression);
        self.conditions.iter().chain(validations)
    }

    /// Returns the variables that expressions use, also through others.
    pub(super) fn variables_of<'a>(
        &'a self,
        expressions: impl IntoIterator<Item = &'a Expression>,
    ) -> Vec<&'a (String, Result<Expression, CompileError>)> {
        let names = expressions.into_iter().flat_map(Expression::variables);
        let mut open: Vec<&str> = names.map(String::as_str).collect();
        let declared = self.variables.iter().rev();
        let declared: BTreeMap<&str, _> = declared.map(|it| (it.0.as_str(), it)).collect();
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        while let Some(name) = open.pop() {
            if !seen.insert(name) {
                continue;
            }
            let Some(variable) = declared.get(name).copied() else {
                continue;
            };
            if let (_, Ok(expression)) = variable {
                open.extend(expression.variables().iter().map(String::as_str));
            }
            found.push(variable);
        }
        found
    }

    /// Returns the first unsupported variable that a deciding expression uses.
    fn unsupported_variable(&self) -> Option<Flaw> {
        self.unsupported_variable_of(self.expressions())
    }

    /// Returns the first unsupported variable that an expression uses.
    pub(super) fn unsupported_variable_of<'a>(
        &'a self,
        expressions: impl IntoIterator<Item = &'a Expression>,
    ) -> Option<Flaw> {
        let mut variables = self.variables_of(expressions).into_iter();
        variables.find_map(|(name, compiled)| {
            let error = compiled.as_ref().err()?;
            Some(flaw(&format!("variables.{name}"), error))
        })
    }
}

/// Returns the variables that each policy of an API server has.
fn environment(spec: &AdmissionPolicySpec) -> Environment {
    match spec.param_kind {
        Some(_) => Environment::admission().with_params(),
        None => Environment::admission(),
    }
}

/// Compiles the expressions of a policy, and collects all errors.
struct Compiler {
    environment: Environment,
    /// The names of the variables that cannot be compiled, with the reasons.
    failed: BTreeMap<String, Failure>,
    flaws: Vec<Flaw>,
}

/// The reason why a variable cannot be compiled.
enum Failure {
    /// It is invalid, which is reported.
    Reported,
    /// It uses anything that is not implemented.
    Unsupported(String),
}

impl Compiler {
    fn new(environment: Environment) -> Self {
        Self { environment, failed: BTreeMap::new(), flaws: Vec::new() }
    }

    /// Compiles and declares the variables.
    fn variables(&mut self, spec: &AdmissionPolicySpec) -> Variables {
        let mut variables = Variables::new();
        for (index, variable) in spec.variables.iter().enumerate() {
            let compiled = Expression::compile(&variable.expression, &self.environment);
            if let Err(error) = &compiled {
                let place = format!("spec.variables[{index}].expression");
                let failure = match self.flaw(&place, &variable.expression, error) {
                    Some(Flaw::Unsupported(why)) => Failure::Unsupported(why),
                    flaw => {
                        self.flaws.extend(flaw);
                        Failure::Reported
                    }
                };
                self.failed.insert(variable.name.clone(), failure);
            }
            self.environment.add_variable(&variable.name, &compiled);
            variables.push((variable.name.clone(), compiled));
        }
        variables
    }

    fn validation(&mut self, index: usize, validation: &Validation) -> Option<CompiledValidation> {
        let place = |field: &str| format!("spec.validations[{index}].{field}");
        let expression = self.required(place("expression"), &validation.expression);
        let message_expression = match validation.message_expression.as_str() {
            "" => None,
            text => self.message(place("messageExpression"), text),
        };
        Some(CompiledValidation {
            expression: expression?,
            message: validation.message.trim().to_owned(),
            message_expression,
            reason: Reason::named(validation.reason.as_deref()),
        })
    }

    /// Compiles an expression that decides.
    fn required(&mut self, place: String, text: &str) -> Option<Expression> {
        self.compile(place, text, (&[ResultType::Bool], true))
    }

    /// Compiles an expression that is omitted if it uses anything that is not implemented.
    fn optional(&mut self, place: String, text: &str, types: &[ResultType]) -> Option<Expression> {
        self.compile(place, text, (types, false))
    }

    /// Compiles an expression for a message, on which the verdict does not depend.
    fn message(&mut self, place: String, text: &str) -> Option<Expression> {
        let environment = self.environment.clone().without_authorizer();
        let compiled = Expression::compile_as(text, &[ResultType::String], &environment);
        self.compiled(&place, text, (compiled, false))
    }

    fn compile(
        &mut self,
        place: String,
        text: &str,
        (types, is_required): (&[ResultType], bool),
    ) -> Option<Expression> {
        let compiled = Expression::compile_as(text, types, &self.environment);
        self.compiled(&place, text, (compiled, is_required))
    }

    fn compiled(
        &mut self,
        place: &str,
        text: &str,
        (compiled, is_required): (Result<Expression, CompileError>, bool),
    ) -> Option<Expression> {
        match compiled {
            Ok(expression) => Some(expression),
            Err(error) => {
                let flaw =
                    self.flaw(place, text, &error).filter(|it| is_required || !it.is_unsupported());
                self.flaws.extend(flaw);
                None
            }
        }
    }

    /// Returns the error of an expression; `None` if it follows from that of a variable.
    fn flaw(&self, place: &str, text: &str, error: &CompileError) -> Option<Flaw> {
        // The type of such a variable is not known.
        let used = variable_names(text).find_map(|name| self.failed.get(name));
        match (error, used) {
            (CompileError::Type { .. }, Some(Failure::Reported)) => None,
            (CompileError::Type { .. }, Some(Failure::Unsupported(why))) => {
                Some(Flaw::Unsupported(why.clone()))
            }
            _ => Some(flaw(place, error)),
        }
    }
}

/// Returns all names after `variables.` in the text of an expression that may not compile.
fn variable_names(text: &str) -> impl Iterator<Item = &str> {
    let texts = text.split("variables.").skip(1);
    texts.map(|rest| {
        let is_end = |it: char| it != '_' && !it.is_ascii_alphanumeric();
        rest.find(is_end).map_or(rest, |end| &rest[..end])
    })
}

/// Fails if a policy has too many expressions.
fn check_size(spec: &AdmissionPolicySpec) -> Result<(), Flaw> {
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

pub(super) fn flaw(place: &str, error: &CompileError) -> Flaw {
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
