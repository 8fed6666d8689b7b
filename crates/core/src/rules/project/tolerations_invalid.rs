// SPDX-License-Identifier: Apache-2.0
use std::cell::LazyCell;

use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::tolerations::{Whitelist, check_form, describe};
use garden_gate_model::api::{Project, ProjectTolerations};

rule! {
    page: include_str!("tolerations_invalid.md"),
    id: "project/tolerations-invalid",
    summary: "rejects invalid tolerations of a Project and defaults missing from its whitelist",
    phase: Static,
    level: Deny,
    scopes: [Project [Create, Update]],
    findings: {
        INVALID = "project/tolerations-invalid": "a toleration has a missing or malformed key, a malformed value, or is a duplicate",
        DEFAULT_NOT_WHITELISTED = "project/toleration-default-not-whitelisted": "a default toleration is not covered by the Project's own whitelist",
    },
    fixes: Safe,
    check: Judge(check),
}

/// Namespaces that Projects may not have; validation stops at such a Project.
const RESERVED_NAMESPACES: [&str; 3] =
    ["gardener-system-seed-lease", "gardener-system-shoot-issuer", "gardener-system-public"];

fn check(_: &Context<'_>, project: Write<'_, Project>, findings: &mut Findings) {
    let spec = &project.new.spec;
    let reserved =
        spec.namespace.as_deref().is_some_and(|namespace| RESERVED_NAMESPACES.contains(&namespace));
    let Some(lists) = spec.tolerations.as_ref().filter(|_| !reserved) else {
        return;
    };
    let path = FieldPath::new("spec.tolerations");
    check_form(&lists.defaults, &path.child("defaults"), &INVALID, findings);
    check_form(&lists.whitelist, &path.child("whitelist"), &INVALID, findings);
    check_defaults(lists, &path.child("defaults"), findings);
}

fn check_defaults(lists: &ProjectTolerations, path: &FieldPath, findings: &mut Findings) {
    let whitelist = Whitelist::of(&lists.whitelist);
    let allowed = LazyCell::new(|| describe(&lists.whitelist));
    for (index, default) in lists.defaults.iter().enumerate() {
        if !whitelist.covers(default) {
            findings.report_lazily(&DEFAULT_NOT_WHITELISTED, |findings| {
                let message = format!(
                    "default toleration `{default}` is not on the Project's own whitelist; whitelisted: {}",
                    *allowed
                );
                findings
                    .forbid(&DEFAULT_NOT_WHITELISTED, path.index(index), message)
                    .value(default.to_string())
                    .help("add it to spec.tolerations.whitelist, or remove the default");
            });
        }
    }
}
