// SPDX-License-Identifier: Apache-2.0
//! The Project that owns a Shoot's namespace.

use std::sync::Arc;

use crate::admission::{Context, FieldPath, Findings, finding_kinds};
use garden_gate_model::api::Project;

finding_kinds! {
    pub(crate) PROJECT_MISSING = "shoot/project-missing": "no Project owns the Shoot's namespace",
}

/// Returns the Project that owns the Shoot's namespace.
///
/// Adds a finding if it does not exist or is unknown.
///
/// Mirrors ProjectForNamespaceFromLister in `plugin/pkg/utils/project.go`.
pub(crate) fn project_of(context: &Context<'_>, findings: &mut Findings) -> Option<Arc<Project>> {
    let namespace = &context.request.namespace;
    let path = FieldPath::new("metadata.namespace");
    let owner = context.project_of_namespace(namespace);
    let what = format_args!("which Project owns namespace `{namespace}`");
    let project = findings.known(owner, &path, what)?;
    if project.is_none() {
        let message = format!("no Project owns namespace `{namespace}`");
        findings
            .forbid(&PROJECT_MISSING, path, message)
            .value(namespace.clone())
            .help("create the Project first, or use the namespace of an existing one");
    }
    project
}
