// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::ErrorType::TooLong;
use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::project::members::{MemberSubject, check_members, check_subject};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Naming, Part, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED, check_metadata,
    check_selector, report_repeated,
};
use garden_gate_model::api::{Project, ProjectMember, Subject, Versions};
use garden_gate_text::go::dns_label_error;

rule! {
    page: include_str!("form.md"),
    id: "project/form",
    summary: "rejects invalid names, namespaces, members and descriptions of a Project",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Project [Create, Update]],
    findings: {
        MALFORMED, MISSING, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED,
        NAMESPACE = "project/namespace-unfit": "the namespace is not allowed for the Project",
        OWNERS = "project/two-owners": "more than one member is the owner",
    },
    fixes: Safe,
    check: Judge(check),
}

/// Maximum length of a Project's name, in characters.
const NAME: usize = 10;

fn check(context: &Context<'_>, change: Write<'_, Project>, findings: &mut Findings) {
    let new = change.new;
    let project = Part::whole(context.new_opened());
    check_metadata(context, Naming::Subdomain, findings);
    check_name(&project.text_at(&["metadata", "name"]), findings);
    if let Some(namespace) = project.at(&["spec", "namespace"]) {
        check_namespace(&namespace, findings);
    }
    if let Some(owner) = project.at(&["spec", "owner"]) {
        check_subject(&MemberSubject::completed(&owner), findings);
    }
    // Gardener sets the creator on CREATE, whatever the manifest says.
    if let Some(creator) = project.at(&["spec", "createdBy"]).filter(|_| change.old.is_some()) {
        check_subject(&MemberSubject::sent(&creator), findings);
    }
    let is_corrected = !context.runs(JUDGES_OWNERS) && project.at(&["spec", "owner"]).is_some();
    let owners = (!is_corrected).then_some(&OWNERS);
    check_members(&project, owner_added(&project, new), owners, findings);
    let old = change.old.is_some().then(|| Part::whole(context.old_opened()));
    for field in ["description", "purpose"] {
        check_text(&project, old.as_ref(), field, findings);
    }
    check_approval(&project, findings);
}

/// The versions that validate the role `owner` of members; before, it was corrected first.
const JUDGES_OWNERS: Versions = Versions::since(149);

/// Returns the owner, if Gardener adds it as a member.
fn owner_added(sent: &Part<'_>, stored: &Project) -> Option<Subject> {
    let members = sent.at(&["spec", "members"]).map(|it| it.items().len());
    let added = stored.spec.members.get(members.unwrap_or_default());
    added.map(ProjectMember::subject)
}

fn check_name(name: &str, findings: &mut Findings) {
    let field = || FieldPath::new("metadata.name");
    if name.len() > NAME {
        let message = format!("the name has {} characters, which is more than {NAME}", name.len());
        findings
            .report(&TOO_LONG, TooLong, field(), message)
            .help(format!("choose a name of at most {NAME} characters"));
    }
    if name.contains("--") {
        let message = "the name has two hyphens in a row";
        findings
            .invalid(&MALFORMED, field(), message)
            .help(format!("write `{}`", single_hyphens(name)));
    }
}

/// Replaces consecutive hyphens in the name by one.
fn single_hyphens(name: &str) -> String {
    let parts: Vec<&str> = name.split('-').filter(|it| !it.is_empty()).collect();
    parts.join("-")
}

/// Checks the prefix and the syntax. Namespaces that Gardener reserves lack the prefix.
fn check_namespace(namespace: &Part<'_>, findings: &mut Findings) {
    let name = namespace.text().unwrap_or_default();
    let why = match name.as_str() {
        it if it != "garden" && !it.starts_with("garden-") => {
            Some("it does not begin with `garden-`")
        }
        it => dns_label_error(it),
    };
    if let Some(why) = why {
        let message = format!("`{name}` cannot be the namespace of a Project: {why}");
        findings
            .invalid(&NAMESPACE, namespace.path().clone(), message)
            .help(Help::remove("leave it out, or write it like `garden-dev`"));
    }
}

/// Allowed characters in addition to letters, digits and white space.
const SPECIAL: &str = ".,:-_/\\";

fn check_text(
    project: &Part<'_>,
    old: Option<&Part<'_>>,
    name: &'static str,
    findings: &mut Findings,
) {
    let Some(text) = project.at(&["spec", name]) else {
        return;
    };
    let words = text.text().unwrap_or_default();
    if words.is_empty() {
        let message = format!("`{name}` is empty");
        findings
            .required(&MISSING, text.path().clone(), message)
            .help("write something, or leave it out");
    }
    let stored = old.and_then(|it| it.at(&["spec", name])?.text());
    if stored.as_ref() == Some(&words) {
        return;
    }
    let is_plain = |it: &char| it.is_alphanumeric() || it.is_whitespace() || SPECIAL.contains(*it);
    if let Some(odd) = words.chars().find(|it| !is_plain(it)) {
        let message = format!("`{name}` has the character `{odd}`");
        findings
            .forbid(&MALFORMED, text.path().clone(), message)
            .help(format!("use letters, digits, spaces and {SPECIAL}"));
    }
}

fn check_approval(project: &Part<'_>, findings: &mut Findings) {
    let mut known = BTreeSet::new();
    for rule in project.items_at(&["spec", "dualApprovalForDeletion"]) {
        let resource = rule.text_at(&["resource"]);
        let field = rule.path().child("resource");
        if resource.is_empty() {
            findings.required(&MISSING, field, "the resource is not set").help("use shoots");
        } else {
            if resource != "shoots" {
                let message = format!("`{resource}` cannot be protected in this way");
                findings.unsupported(&UNSUPPORTED, field.clone(), message).help("use shoots");
            }
            if known.contains(&resource) {
                report_repeated(format_args!("`{resource}`"), field, findings);
            }
            known.insert(resource);
        }
        if let Some(selector) = rule.at(&["selector"]) {
            check_selector(&selector, findings);
        }
    }
}
