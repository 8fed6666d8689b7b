// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::{Change, Context, FieldPath, Findings, Operation, rule};
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Naming, OUT_OF_RANGE, Part, REPEATED, Section, TOO_LONG,
    check as check_form, check_label_of_type, check_metadata, report_repeated,
};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("form.md"),
    id: "workloadidentity/form",
    summary: "rejects invalid audiences, an invalid provider or subject of a WorkloadIdentity",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [WorkloadIdentity [Create, Update]],
    findings: { MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG },
    fixes: Safe,
    check: Judge(check),
}

/// Maximum length of a subject.
const SUBJECT: usize = 255;
/// Length of the UID that an API server assigns.
const UID: usize = 36;

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let identity = Part::whole(context.new_opened());
    check_metadata(context, Naming::SubdomainOrNothing, findings);
    let class = identity.text_at(&["spec", "targetSystem", "type"]);
    let field = FieldPath::new("spec.targetSystem.type");
    check_label_of_type(&MALFORMED, &class, &field, findings);
    let section = Section { kind: "WorkloadIdentity", at: &["spec", "targetSystem"], except: &[] };
    check_form(section, context.new_opened(), Facts::without_shoot(context), findings);
    check_audiences(&identity, findings);
    check_subject(context, &identity, findings);
}

fn check_audiences(identity: &Part<'_>, findings: &mut Findings) {
    let audiences = identity.texts_at(&["spec", "audiences"]);
    if audiences.is_empty() {
        let message = "the identity has no audiences";
        let field = FieldPath::new("spec.audiences");
        findings.required(&MISSING, field, message).help("name the audience of the provider");
    }
    let mut seen = BTreeSet::new();
    for (field, audience) in audiences {
        if audience.is_empty() {
            findings
                .required(&MISSING, field.clone(), "the audience is empty")
                .help("name the audience of the provider");
        }
        if !seen.insert(audience.clone()) {
            _ = report_repeated(format_args!("`{audience}`"), field, findings);
        }
    }
}

/// Checks the subject, which an API server derives from namespace, name and UID of a new object.
fn check_subject(context: &Context<'_>, identity: &Part<'_>, findings: &mut Findings) {
    let old = Part::whole(context.old_opened());
    let request = context.request;
    let is_new = request.operation == Operation::Create;
    let is_manifest = request.is_converted;
    let field = || FieldPath::new("status.sub");
    let text = |path: &[&'static str]| {
        let own = identity.text_at(path);
        if own.is_empty() && is_manifest { old.text_at(path) } else { own }
    };
    let written = text(&["status", "sub"]);
    let [name, uid] = ["name", "uid"].map(|it| match text(&["metadata", it]) {
        none if none.is_empty() && !is_new => old.text_at(&["metadata", it]),
        some => some,
    });
    let namespace = &request.namespace;
    let expected = format!("gardener.cloud:workloadidentity:{namespace}:{name}:{uid}");
    // The API server makes up the rest of the name, and the UID.
    let is_made_up = is_new && (uid.is_empty() || name.is_empty());
    // The status of a manifest that was never stored is unknown.
    let is_unknown = is_manifest && !is_new && uid.is_empty();
    if is_unknown {
        return;
    }
    if written.is_empty() && !is_new {
        let message = "the identity has no subject";
        findings.required(&MISSING, field(), message).help("restore `status.sub`");
    }
    if is_made_up && !written.is_empty() {
        let message = "the API server computes the subject of a new identity from its UID";
        findings.invalid(&MALFORMED, field(), message).help("leave `status.sub` out");
    } else if !is_made_up && written != expected && !(is_new && written.is_empty()) {
        let message = format!("the subject of this identity is `{expected}`");
        findings.invalid(&MALFORMED, field(), message).help("restore `status.sub`");
    }
    let length = expected.len() + if uid.is_empty() { UID } else { 0 };
    if length > SUBJECT {
        let message = format!("the subject has {length} characters, which is more than {SUBJECT}");
        findings.invalid(&TOO_LONG, field(), message).help("choose a shorter name");
    }
}
