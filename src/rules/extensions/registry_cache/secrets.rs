//! Secrets that configurations name by their names in `spec.resources`.

use std::collections::BTreeMap;

use crate::admission::{Context, ErrorType, FieldPath, FindingKind, Findings};
use crate::api::Kind;
use crate::garden::ObjectKey;
use crate::rules::shared::lists::short;
use crate::rules::shared::references::RESOURCES;
use crate::rules::shared::validation::Part;

/// Returns the references that name no Secret of `spec.resources`.
///
/// If a listed Secret does not exist, reports that and returns `None`: the component loses all other errors then.
pub(in crate::rules::extensions) fn unlisted<'c>(
    context: &Context<'_>,
    references: impl Iterator<Item = (FieldPath, &'c str)>,
    missing: &'static FindingKind,
    findings: &mut Findings,
) -> Option<Vec<(FieldPath, &'c str)>> {
    let listed = listed(context);
    let mut unlisted = Vec::new();
    for (field, name) in references {
        let Some(secret) = listed.get(name).and_then(Option::as_ref) else {
            unlisted.push((field, name));
            continue;
        };
        let key = ObjectKey::new(Kind::Secret, &context.request.namespace, secret);
        if context.named(&key) == Ok(None) {
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
pub(in crate::rules::extensions) fn report_unlisted(
    unlisted: Vec<(FieldPath, &str)>,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    for (field, name) in unlisted {
        let message = format!(
            "`spec.resources` lists no Secret with the name `{}`",
            short(name)
        );
        findings
            .invalid(kind, field, message)
            .value(name)
            .help("add the Secret to `spec.resources` with this `name`");
    }
}

/// Returns the names of the listed resources; with the name of the object if it is a Secret.
fn listed(context: &Context<'_>) -> BTreeMap<String, Option<String>> {
    let mut listed = BTreeMap::new();
    for resource in Part::whole(context.new_opened()).items_at(RESOURCES) {
        let is_secret = resource.text_at(&["resourceRef", "kind"]) == "Secret";
        let secret = is_secret.then(|| resource.text_at(&["resourceRef", "name"]));
        let name = resource.text_at(&["name"]);
        listed.entry(name).or_insert(secret);
    }
    listed
}
