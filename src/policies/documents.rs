//! Policies in files: ValidatingAdmissionPolicies, and those of operators.

use std::sync::Arc;

use super::own::OwnPolicy;
use crate::api::{AdmissionPolicy, GardenPolicy, Kind, group_and_version};
use crate::config::did_you_mean;
use crate::yaml::{self, Document, Position, SourceError};

/// A policy in a file.
#[derive(Clone, Debug)]
pub enum PolicySource {
    /// A ValidatingAdmissionPolicy.
    Admission(Arc<AdmissionPolicy>),
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
        match &self.source {
            PolicySource::Admission(it) => {
                format!("ValidatingAdmissionPolicy `{}`", it.metadata.name)
            }
            PolicySource::Garden(it) => format!("{} `{}`", GardenPolicy::KIND, it.metadata.name),
        }
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

/// Parses the policies in a YAML or JSON text; other documents are skipped.
///
/// # Errors
/// Fails on invalid syntax, on fields that policies of operators do not have, and on fields of wrong types.
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
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let (api_version, kind) = (text("/apiVersion"), text("/kind"));
    let source = if kind == GardenPolicy::KIND {
        if api_version != GardenPolicy::API_VERSION {
            return Err(PolicyError {
                position: document.position("/apiVersion"),
                message: format!("`{api_version}` of {kind} is not known"),
                help: format!("write `{}`", GardenPolicy::API_VERSION),
            });
        }
        check_fields(&document)?;
        PolicySource::Garden(Box::new(document.decode()?))
    } else {
        let (group, _) = group_and_version(&api_version);
        if Kind::of_manifest(group, &kind) != Some(Kind::ValidatingAdmissionPolicy) {
            return Ok(None);
        }
        PolicySource::Admission(Arc::new(document.decode()?))
    };
    if text("/metadata/name").is_empty() {
        return Err(PolicyError {
            position: document.position("/metadata"),
            message: format!("the {kind} has no `metadata.name`"),
            help: "name it; the name is part of the id of its findings".to_owned(),
        });
    }
    Ok(Some(PolicyDocument { source, document }))
}

/// Fails on a field of `spec` that policies of operators do not have.
fn check_fields(document: &Document) -> Result<(), PolicyError> {
    let spec = document.part("/spec").map(|it| it.to_value());
    let fields = spec.as_ref().and_then(|it| it.as_object());
    let mut names = fields.into_iter().flat_map(|it| it.keys());
    let unknown = names.find(|name| !GardenPolicy::FIELDS.contains(&name.as_str()));
    let Some(name) = unknown else { return Ok(()) };
    let help = match name.as_str() {
        "paramKind" => {
            Some("write the values into the policy, or look them up in the garden".to_owned())
        }
        name => did_you_mean(name, &GardenPolicy::FIELDS),
    };
    Err(PolicyError {
        position: document.key_position(&format!("/spec/{name}")),
        message: format!("{} has no field `spec.{name}`", GardenPolicy::KIND),
        help: help.unwrap_or_else(|| format!("the fields are {}", GardenPolicy::FIELDS.join(", "))),
    })
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

/// Compiles the policies of operators among documents.
///
/// # Errors
/// Returns all errors, with positions.
pub fn own_policies(documents: &[PolicyDocument]) -> Result<Vec<OwnPolicy>, Vec<PolicyError>> {
    let (mut policies, mut errors) = (Vec::new(), Vec::new());
    for document in documents {
        let PolicySource::Garden(policy) = &document.source else {
            continue;
        };
        match OwnPolicy::of(policy) {
            Ok(policy) => policies.push(policy),
            Err(whys) => {
                let whys = whys.into_iter();
                errors.extend(whys.map(|why| document.error(why)));
            }
        }
    }
    match errors.is_empty() {
        true => Ok(policies),
        false => Err(errors),
    }
}
