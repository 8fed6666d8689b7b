// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use garden_gate_model::api::NamespacedCloudProfile;

rule! {
    page: include_str!("parent.md"),
    id: "namespacedcloudprofile/parent",
    summary: "rejects an invalid or changed parent",
    phase: Static,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    findings: {
        MALFORMED = "namespacedcloudprofile/parent": "the parent has no name or is not a CloudProfile",
        CHANGED = "namespacedcloudprofile/parent-changed": "the parent was changed",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(_: &Context<'_>, profile: Write<'_, NamespacedCloudProfile>, findings: &mut Findings) {
    let new = profile.new;
    let path = FieldPath::new("spec.parent");
    let parent = &new.spec.parent;
    if parent.kind != "CloudProfile" {
        let message = format!("a parent of kind `{}` is not possible", parent.kind);
        let (kind, path) = (&MALFORMED, path.child("kind"));
        findings
            .unsupported(kind, path, message)
            .value(parent.kind.as_str())
            .help("set the kind to `CloudProfile`");
    }
    if parent.name.is_empty() {
        let message = "a NamespacedCloudProfile needs a parent";
        findings.required(&MALFORMED, path.child("name"), message).help("name a CloudProfile");
    }
    if let Some(old) = profile.old.map(|old| &old.spec.parent).filter(|old| *old != parent) {
        let message = format!("the parent is immutable; it was {} `{}`", old.kind, old.name);
        findings
            .invalid(&CHANGED, path, message)
            .value(parent.name.as_str())
            .help(Help::restore("put the old parent back"));
    }
}
