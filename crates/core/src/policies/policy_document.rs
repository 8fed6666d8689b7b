// SPDX-License-Identifier: Apache-2.0
//! Policies in files, and errors in them.

use std::sync::Arc;

use garden_gate_model::api::extensions::ExtensionDefinition;
use garden_gate_model::api::{
    AdmissionPolicy, AdmissionPolicyBinding, GardenPolicy, Kind, MutatingPolicy,
    MutatingPolicyBinding,
};
use garden_gate_text::go::clip;
use garden_gate_text::yaml::{Document, Position, SourceError};

/// Maximum length of a message, in bytes.
pub(super) const LONGEST_MESSAGE: usize = 2_048;
/// Maximum length of the name of a policy in messages, in bytes; valid names are shorter.
const LONGEST_NAME: usize = 300;

/// A policy in a file.
#[derive(Clone, Debug)]
pub enum PolicySource {
    /// A ValidatingAdmissionPolicy.
    Admission(Arc<AdmissionPolicy>),
    /// A ValidatingAdmissionPolicyBinding.
    Binding(Arc<AdmissionPolicyBinding>),
    /// A MutatingAdmissionPolicy.
    Mutating(Arc<MutatingPolicy>),
    /// A MutatingAdmissionPolicyBinding.
    MutatingBinding(Arc<MutatingPolicyBinding>),
    /// A policy of operators.
    Garden(Box<GardenPolicy>),
    /// The definition of an extension.
    Extension(Box<ExtensionDefinition>),
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
    pub fn title(&self) -> String {
        let (kind, metadata) = match &self.source {
            PolicySource::Admission(it) => (Kind::ValidatingAdmissionPolicy.as_str(), &it.metadata),
            PolicySource::Binding(it) => {
                (Kind::ValidatingAdmissionPolicyBinding.as_str(), &it.metadata)
            }
            PolicySource::Mutating(it) => (Kind::MutatingAdmissionPolicy.as_str(), &it.metadata),
            PolicySource::MutatingBinding(it) => {
                (Kind::MutatingAdmissionPolicyBinding.as_str(), &it.metadata)
            }
            PolicySource::Garden(it) => (GardenPolicy::KIND, &it.metadata),
            PolicySource::Extension(it) => (ExtensionDefinition::KIND, &it.metadata),
        };
        title(kind, &metadata.name)
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
            message: clip(format!("{}: {why}", self.title()), LONGEST_MESSAGE),
            help: String::new(),
        }
    }

    /// Returns the position of its name.
    pub fn position(&self) -> Position {
        self.document.position("/metadata/name")
    }
}

/// Returns the title of a policy of any kind, for messages.
pub(super) fn title(kind: &str, name: &str) -> String {
    format!("{kind} `{}`", clip(name, LONGEST_NAME))
}

/// Converts a field such as `spec.validations[0].expression` to a JSON pointer.
pub(super) fn pointer(field: &str) -> String {
    let steps = field.split(['.', '[']).map(|it| it.trim_end_matches(']'));
    steps.map(|step| format!("/{step}")).collect()
}

impl From<SourceError> for PolicyError {
    fn from(error: SourceError) -> Self {
        Self { position: error.position, message: error.message, help: String::new() }
    }
}
