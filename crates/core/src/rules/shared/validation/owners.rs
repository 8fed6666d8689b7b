// SPDX-License-Identifier: Apache-2.0
use super::{MALFORMED, Part};
use crate::admission::{FieldPath, Findings, Help};

/// Validates the owner references of an object.
///
/// Mirrors ValidateOwnerReferences in `k8s.io/apimachinery/pkg/api/validation`, which reports them without an index.
pub(super) fn check_owners(metadata: &Part<'_>, findings: &mut Findings) {
    let owners = metadata.items_at(&["ownerReferences"]);
    let field = || FieldPath::new("metadata.ownerReferences");
    for owner in &owners {
        for name in ["apiVersion", "kind", "name", "uid"] {
            let text = owner.text_at(&[name]);
            let is_missing = match name {
                "apiVersion" => !has_version(&text),
                _ => text.is_empty(),
            };
            if is_missing {
                let message = format!("the owner has no `{name}`");
                findings
                    .invalid(&MALFORMED, field().child(name), message)
                    .at(owner.path())
                    .help(format!("set `{name}`"));
            }
        }
        if owner.text_at(&["apiVersion"]) == "v1" && owner.text_at(&["kind"]) == "Event" {
            let message = "an Event cannot own anything";
            findings
                .invalid(&MALFORMED, field(), message)
                .at(owner.path())
                .help(Help::remove("remove it"));
        }
    }
    let controllers = owners.iter().filter(|it| it.flag_at(&["controller"]) == Some(true));
    if controllers.count() > 1 {
        let message = "several owners are the controller";
        let help = "keep one of them";
        findings.invalid(&MALFORMED, field(), message).help(help);
    }
}

fn has_version(api_version: &str) -> bool {
    let parts: Vec<&str> = api_version.split('/').collect();
    matches!(parts[..], [version] | [_, version] if !version.is_empty())
}
