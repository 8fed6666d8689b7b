//! Policies in files: ValidatingAdmissionPolicies, their bindings, and policies of operators.

use std::sync::Arc;

use super::own::OwnPolicy;
use super::policy_kind::{PolicyKind, policy_kind};
use super::validation::{Errors, check_types};
use crate::api::{AdmissionPolicy, AdmissionPolicyBinding, GardenPolicy, Kind};
use crate::yaml::{self, Document, Position, SourceError};

/// A policy in a file.
#[derive(Clone, Debug)]
pub enum PolicySource {
    /// A ValidatingAdmissionPolicy.
    Admission(Arc<AdmissionPolicy>),
    /// A ValidatingAdmissionPolicyBinding.
    Binding(Arc<AdmissionPolicyBinding>),
    /// A policy of operators.
    Garden(Box<GardenPolicy>),
}

/// A policy with its position in the file.
#[derive(Clone, Debug)]
pub struct PolicyDocument {
    /// The policy.
    pub source: PolicySource,
    /// The document, for positions.
    pub document: Document,
}

/// An error in a policy.
#[derive(Clone, Debug)]
pub struct PolicyError {
    /// The position in the file.
    pub position: Position,
    /// The error.
    pub message: String,
    /// The remedy; may be empty.
    pub help: String,
}

impl PolicyDocument {
    /// Returns the title, such as GardenPolicy `pool-size`.
    #[must_use]
    pub fn title(&self) -> String {
        let (kind, metadata) = match &self.source {
            PolicySource::Admission(it) => (Kind::ValidatingAdmissionPolicy.as_str(), &it.metadata),
            PolicySource::Binding(it) => (
                Kind::ValidatingAdmissionPolicyBinding.as_str(),
                &it.metadata,
            ),
            PolicySource::Garden(it) => (GardenPolicy::KIND, &it.metadata),
        };
        format!("{kind} `{}`", metadata.name)
    }

    /// Returns an error of the policy, whose message may begin with the field in backticks.
    pub(super) fn error(&self, why: String) -> PolicyError {
        let field = why.strip_prefix('`').and_then(|rest| rest.split_once('`'));
        let position = match field {
            Some((field, _)) => self.document.position(&pointer(field)),
            None => self.position(),
        };
        PolicyError {
            position,
            message: format!("{}: {why}", self.title()),
            help: String::new(),
        }
    }

    /// Returns the position of its name.
    #[must_use]
    pub fn position(&self) -> Position {
        self.document.position("/metadata/name")
    }
}

/// Parses the policies and bindings in a YAML or JSON text; other documents are skipped.
///
/// # Errors
/// Fails on invalid syntax, on unknown kinds of the API groups of policies, and on fields of wrong types.
pub fn policies_in(text: &str) -> Result<Vec<PolicyDocument>, PolicyError> {
    let documents = yaml::parse(text)?;
    let mut policies = Vec::new();
    for document in documents {
        let items = document.part("/items").and_then(|items| items.items());
        for document in items.unwrap_or_else(|| vec![document]) {
            policies.extend(policy(document)?);
        }
    }
    Ok(policies)
}

fn policy(document: Document) -> Result<Option<PolicyDocument>, PolicyError> {
    let Some(kind) = policy_kind(&document)? else {
        return Ok(None);
    };
    check_types(&document, kind)?;
    let source = match kind {
        PolicyKind::Garden => PolicySource::Garden(Box::new(document.decode()?)),
        PolicyKind::Admission => PolicySource::Admission(Arc::new(document.decode()?)),
        PolicyKind::Binding => PolicySource::Binding(Arc::new(document.decode()?)),
    };
    Ok(Some(PolicyDocument { source, document }))
}

/// Converts a field such as `spec.validations[0].expression` to a JSON pointer.
pub(super) fn pointer(field: &str) -> String {
    let steps = field.split(['.', '[']).map(|it| it.trim_end_matches(']'));
    steps.map(|step| format!("/{step}")).collect()
}

impl From<SourceError> for PolicyError {
    fn from(error: SourceError) -> Self {
        Self {
            position: error.position,
            message: error.message,
            help: String::new(),
        }
    }
}

/// Validates all documents, and compiles the policies of operators among them.
///
/// # Errors
/// Returns all errors, with positions.
pub fn own_policies(documents: &[PolicyDocument]) -> Result<Vec<OwnPolicy>, Vec<PolicyError>> {
    let (mut policies, mut errors) = (Vec::new(), Vec::new());
    for document in documents {
        let invalid = Errors::of(document);
        if let PolicySource::Garden(policy) = &document.source {
            match OwnPolicy::of(policy) {
                Ok(policy) => policies.push(policy),
                Err(whys) => {
                    let whys = whys.into_iter().filter(|why| !invalid.include(why));
                    errors.extend(whys.map(|why| document.error(why)));
                }
            }
        }
        errors.extend(invalid.placed(document));
    }
    match errors.is_empty() {
        true => Ok(policies),
        false => Err(errors),
    }
}
