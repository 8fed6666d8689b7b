// SPDX-License-Identifier: Apache-2.0
//! The check for permissions with a custom verb, shared by all custom-verb rules.
//!
//! Mirrors `plugin/pkg/global/customverbauthorizer/admission.go`.

use crate::admission::{Context, FieldPath, FindingKind, Findings, Kind};

/// A custom verb that guards a field.
pub(crate) struct GuardedField {
    /// The verb.
    pub verb: &'static str,
    /// The kind of the object.
    pub kind: Kind,
    /// The guarded field.
    pub field: FieldPath,
    /// The guarded action, for messages: "changing the toleration whitelist".
    pub action: &'static str,
}

/// Refuses the request unless the requester has the verb on the object.
pub(crate) fn require(
    context: &Context<'_>,
    guarded: GuardedField,
    object_name: &str,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let GuardedField { verb, kind: object_kind, field, action } = guarded;
    let user = &context.request.user_info.username;
    let object = format!("{object_kind} `{object_name}`");
    let may = context.requester_may(verb, object_kind.resource(), object_name);
    let what = format_args!("whether user `{user}` has the verb `{verb}` on {object}");
    if findings.known(may, &field, what) == Some(false) {
        let message = format!(
            "{action} of {object} needs the verb `{verb}`, which user `{user}` does not have"
        );
        findings.forbid(kind, field, message).help(format!(
            "leave the field as it is, or have somebody with the verb `{verb}` on {} do it",
            object_kind.resource()
        ));
    }
}
