// SPDX-License-Identifier: Apache-2.0
//! Policies in files: those of API servers, their bindings, and policies of operators.

use std::sync::Arc;

use super::own::OwnPolicy;
use super::policy_document::{PolicyDocument, PolicyError, PolicySource};
use super::policy_kind::{PolicyKind, policy_kind};
use super::validation::{Errors, check_types};
use garden_gate_text::yaml::{self, Document};

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
        PolicyKind::Extension => PolicySource::Extension(Box::new(document.decode()?)),
        PolicyKind::Admission => PolicySource::Admission(Arc::new(document.decode()?)),
        PolicyKind::Binding => PolicySource::Binding(Arc::new(document.decode()?)),
        PolicyKind::Mutating => PolicySource::Mutating(Arc::new(document.decode()?)),
        PolicyKind::MutatingBinding => PolicySource::MutatingBinding(Arc::new(document.decode()?)),
    };
    Ok(Some(PolicyDocument { source, document }))
}

/// Validates all documents, and compiles the policies of operators among them.
///
/// # Errors
/// Returns all errors, with positions.
pub fn own_policies(documents: &[PolicyDocument]) -> Result<Vec<OwnPolicy>, Vec<PolicyError>> {
    let (mut policies, mut errors) = (Vec::new(), Vec::new());
    for document in documents {
        let invalid = Errors::of(document);
        let compiled = match &document.source {
            PolicySource::Garden(policy) => Some(OwnPolicy::of(policy)),
            PolicySource::Extension(definition) => Some(OwnPolicy::of_extension(definition)),
            PolicySource::Admission(_)
            | PolicySource::Binding(_)
            | PolicySource::Mutating(_)
            | PolicySource::MutatingBinding(_) => None,
        };
        match compiled {
            Some(Ok(policy)) => policies.push(policy),
            Some(Err(whys)) => {
                let whys = whys.into_iter().filter(|why| !invalid.include(why));
                errors.extend(whys.map(|why| document.error(why)));
            }
            None => {}
        }
        errors.extend(invalid.placed(document));
    }
    if errors.is_empty() { Ok(policies) } else { Err(errors) }
}
