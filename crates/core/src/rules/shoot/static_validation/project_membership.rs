// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::{Project, Shoot};

rule! {
    page: include_str!("project_membership.md"),
    id: "shoot/project-membership",
    summary: "rejects a new Shoot in a Project that is being deleted, or with too long a name",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create]],
    reads: [Project],
    findings: {
        DELETING = "shoot/project-deleting": "the Project is being deleted",
        LONG = "shoot/name-too-long": "the names of Project and Shoot together are too long",
    },
    check: Judge(check),
}

/// The maximum total length of both names.
const LENGTH: usize = 21;
/// The length of the suffix that the API server adds to `generateName`.
const RANDOM: usize = 5;

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let namespace = &context.request.namespace;
    let field = FieldPath::new("metadata.namespace");
    match context.project_of_namespace(namespace) {
        Ok(Some(project)) => check_project(context, new, &project, findings),
        Err(why) => findings.undetermined(&field, why.to_string()),
        // `shoot/tolerations-default` reports a missing Project.
        Ok(None) => {}
    }
}

fn check_project(context: &Context<'_>, shoot: &Shoot, project: &Project, findings: &mut Findings) {
    let named = &project.metadata.name;
    let (name, most) = names(context, shoot);
    if named.len() + name.len() > most {
        let message = format!(
            "the names of Project `{named}` and Shoot `{name}` have {} characters together, which is more than {most}",
            named.len() + name.len()
        );
        findings
            .invalid(&LONG, FieldPath::new("name"), message)
            .at(&FieldPath::new("metadata.name"))
            .value(name.as_str())
            .help("choose a shorter name");
    }
    if project.metadata.deletion_timestamp.is_some() {
        let message = format!("Project `{named}` is being deleted");
        let field = FieldPath::new("metadata.namespace");
        findings.forbid(&DELETING, field, message).help("make the Shoot in another Project");
    }
}

/// Returns the name, or its prefix, and the maximum length of it and the Project's name.
fn names(context: &Context<'_>, shoot: &Shoot) -> (String, usize) {
    let prefix = || context.new_json().take(&["metadata", "generateName"]).read::<String>();
    match shoot.metadata.name.as_str() {
        "" => (prefix().unwrap_or_default(), LENGTH - RANDOM),
        name => (name.to_owned(), LENGTH),
    }
}
