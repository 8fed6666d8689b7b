// SPDX-License-Identifier: Apache-2.0
//! Secrets that configurations name by their names in `spec.resources`.

use crate::admission::{Context, ErrorType, FieldPath, FindingKind, Findings};
use crate::rules::extensions::resources::{Resources, missing_object};
use crate::rules::shared::lists::short;
use garden_gate_model::api::Kind;

/// Returns the references that name no Secret of `spec.resources`.
///
/// If a listed Secret does not exist, reports that and returns `None`: the component loses all other errors then.
pub(crate) fn unlisted<'c>(
    context: &Context<'_>,
    references: impl Iterator<Item = (FieldPath, &'c str)>,
    missing: &'static FindingKind,
    findings: &mut Findings,
) -> Option<Vec<(FieldPath, &'c str)>> {
    let listed = Resources::of(context);
    let mut unlisted = Vec::new();
    for (field, name) in references {
        let Ok(secret) = listed.of_kind(name, Kind::Secret) else {
            unlisted.push((field, name));
            continue;
        };
        if let Some(key) = missing_object(context, Kind::Secret, &secret.object) {
            let message = format!("there is no {key}, which `spec.resources` lists as `{name}`");
            findings
                .report(missing, ErrorType::Denied, FieldPath::root(), message)
                .at(&field)
                .help("create the Secret first");
            return None;
        }
    }
    Some(unlisted)
}

/// Reports references that name no Secret of `spec.resources`.
pub(crate) fn report_unlisted(
    unlisted: Vec<(FieldPath, &str)>,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    for (field, name) in unlisted {
        let message = format!("`spec.resources` lists no Secret with the name `{}`", short(name));
        findings
            .invalid(kind, field, message)
            .value(name)
            .help("add the Secret to `spec.resources` with this `name`");
    }
}
