//! Whose a Shoot is.

use std::sync::Arc;

use crate::engine::{Context, FieldPath, Findings, finding_kinds};
use crate::garden::Lookup;
use crate::model::Project;

finding_kinds! {
    pub(in crate::rules) PROJECT_MISSING = "shoot/project-missing": "no Project owns the Shoot's namespace",
}

/// The Project that owns the Shoot's namespace; if there is none, or none is known, the findings say so.
///
/// Mirrors ProjectForNamespaceFromLister in `plugin/pkg/utils/project.go`.
pub(in crate::rules) fn project_of(
    context: &Context<'_>,
    findings: &mut Findings,
) -> Option<Arc<Project>> {
    let namespace = &context.request.namespace;
    let path = FieldPath::new("metadata.namespace");
    match context.project_of_namespace(namespace) {
        Lookup::Found(project) => Some(project),
        Lookup::Absent | Lookup::Unconfirmed => {
            let message = format!("no Project owns namespace `{namespace}`");
            findings
                .forbid(&PROJECT_MISSING, path, message)
                .value(namespace.clone())
                .help("create the Project first, or use the namespace of an existing one");
            None
        }
        Lookup::Unknown(why) => {
            let message = format!("cannot tell which Project owns namespace `{namespace}`: {why}");
            findings.undetermined(&path, message);
            None
        }
    }
}
