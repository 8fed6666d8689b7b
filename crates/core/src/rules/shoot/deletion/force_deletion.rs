// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, FindingKind, Findings, Help, Write, rule};
use crate::rules::shoot::operation::FORCE_DELETION;
use garden_gate_model::api::Shoot;
use garden_gate_text::go::parse_bool;

rule! {
    page: include_str!("force_deletion.md"),
    id: "shoot/force-deletion",
    summary: "rejects force deletion of a Shoot that is not being deleted or has no suitable error",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        REMOVED = "shoot/force-deletion-removed": "the confirmation of force deletion is removed",
        NOT_DELETING = "shoot/force-deletion-not-deleting": "the Shoot is not being deleted",
        NO_ERROR_CODE = "shoot/force-deletion-no-error-code": "no error code of the Shoot allows force deletion",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// Codes of errors that only the owner of the Shoot can solve.
const CODES: [&str; 5] = [
    "ERR_CLEANUP_CLUSTER_RESOURCES",
    "ERR_CONFIGURATION_PROBLEM",
    "ERR_INFRA_DEPENDENCIES",
    "ERR_INFRA_UNAUTHENTICATED",
    "ERR_INFRA_UNAUTHORIZED",
];

fn check(_: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    match (shoot.old.is_some_and(is_forced), is_forced(new)) {
        (true, false) => {
            let message = "force deletion cannot be taken back once it was asked for";
            add(
                &REMOVED,
                new,
                message.to_owned(),
                Help::restore("put the annotation back"),
                findings,
            );
        }
        (false, true) => check_begin(new, findings),
        _ => {}
    }
}

fn check_begin(shoot: &Shoot, findings: &mut Findings) {
    if shoot.metadata.deletion_timestamp.is_none() {
        let message = "force deletion can be asked for only while the Shoot is being deleted";
        add(&NOT_DELETING, shoot, message.to_owned(), "delete the Shoot first", findings);
    }
    let codes = shoot.status.error_codes();
    if !CODES.iter().any(|code| codes.contains(code)) {
        let message = format!(
            "force deletion needs an error with one of the codes `{}` in `status.lastErrors`",
            CODES.join("`, `")
        );
        let help = "let deletion go on; force it when it has failed with such a code";
        add(&NO_ERROR_CODE, shoot, message, help, findings);
    }
}

fn add(
    kind: &'static FindingKind,
    shoot: &Shoot,
    message: String,
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    let field = FieldPath::new("metadata.annotations").key(FORCE_DELETION);
    findings.forbid(kind, field, message).value(shoot.annotation(FORCE_DELETION)).help(help);
}

fn is_forced(shoot: &Shoot) -> bool {
    shoot.annotation(FORCE_DELETION).and_then(parse_bool) == Some(true)
}
