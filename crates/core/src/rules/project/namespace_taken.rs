// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::Project;

rule! {
    page: include_str!("namespace_taken.md"),
    id: "project/namespace-taken",
    summary: "rejects a namespace that another Project uses",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Project [Create, Update]],
    reads: [Project],
    findings: { TAKEN = "project/namespace-taken": "another Project has the namespace" },
    check: Judge(check),
}

fn check(context: &Context<'_>, project: Write<'_, Project>, findings: &mut Findings) {
    let new = project.new;
    let had_one = project.old.is_some_and(|old| old.spec.namespace.is_some());
    if had_one || new.metadata.deletion_timestamp.is_some() {
        return;
    }
    let Some(namespace) = &new.spec.namespace else {
        return;
    };
    // Another Project of the same change is not stored yet.
    let is_other = |it: &Arc<Project>| {
        let metadata = &it.metadata;
        metadata.name != new.metadata.name && metadata.creation_timestamp.is_some()
    };
    let owner = context.projects_of_namespace(namespace).find(is_other);
    if let Some(owner) = owner {
        let owner = &owner.metadata.name;
        let message = format!("namespace `{namespace}` is that of Project `{owner}`");
        findings
            .forbid(&TAKEN, FieldPath::new("spec.namespace"), message)
            .value(namespace.as_str())
            .help("choose another one, or leave it out");
    }
}
