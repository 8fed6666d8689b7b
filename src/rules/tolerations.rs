//! What Shoots, Projects and the global configuration share about lists of tolerations.

use std::collections::BTreeSet;

use crate::compat::{label_value_error, qualified_name_error};
use crate::engine::{ErrorType, FieldPath, FindingKind, Findings, Offence};
use crate::model::Toleration;

/// Checks the form of a list of tolerations and that no entry is there twice.
///
/// Mirrors ValidateTolerations in `pkg/api/core/validation/project.go`. An entry is a duplicate if an earlier one has
/// the same key and value, or the same key and no value; so the order matters.
pub(super) fn check_form(
    tolerations: &[Toleration],
    path: &FieldPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let mut seen = BTreeSet::new();
    for (index, toleration) in tolerations.iter().enumerate() {
        let path = path.index(index);
        check_key(&toleration.key, &path.child("key"), kind, findings);
        if let Some(value) = &toleration.value {
            check_value(value, &path.child("value"), kind, findings);
        }
        let bare = Toleration::bare(&toleration.key);
        if seen.contains(&bare) || seen.contains(toleration) {
            let message = format!("toleration `{toleration}` repeats an earlier entry of the list");
            let offence = Offence::new(kind, ErrorType::Duplicate, path, message)
                .value(toleration.to_string());
            findings.add(offence.help("remove one of the two; an earlier entry without a value already covers every value of its key"));
        }
        seen.insert(toleration.clone());
    }
}

fn check_key(key: &str, path: &FieldPath, kind: &'static FindingKind, findings: &mut Findings) {
    if key.is_empty() {
        let offence = Offence::new(
            kind,
            ErrorType::Required,
            path.clone(),
            "a toleration needs a key",
        );
        findings.add(offence.help("name the key of the seed taint that is to be tolerated"));
    } else if let Some(why) = qualified_name_error(key) {
        let message = format!("toleration key `{key}` is not a label key: {why}");
        let offence = Offence::new(kind, ErrorType::Invalid, path.clone(), message).value(key);
        findings.add(
            offence.help("use `name` or `dns.prefix/name`, as in `seed.gardener.cloud/protected`"),
        );
    }
}

fn check_value(value: &str, path: &FieldPath, kind: &'static FindingKind, findings: &mut Findings) {
    if let Some(why) = label_value_error(value) {
        let message = format!("toleration value `{value}` is not a label value: {why}");
        let offence = Offence::new(kind, ErrorType::Invalid, path.clone(), message).value(value);
        findings.add(offence.help("use the value of the seed taint, or leave `value` out"));
    }
}

/// Whether `whitelist` covers `toleration`: by its bare key, which stands for every value, or by the very same entry.
pub(super) fn covers(whitelist: &[Toleration], toleration: &Toleration) -> bool {
    whitelist.iter().any(|entry| {
        entry.key == toleration.key && (entry.value.is_none() || entry.value == toleration.value)
    })
}

/// A whitelist for people: sorted, at most five entries.
pub(super) fn describe<'a>(whitelist: impl IntoIterator<Item = &'a Toleration>) -> String {
    let entries: BTreeSet<String> = whitelist
        .into_iter()
        .map(|entry| format!("`{entry}`"))
        .collect();
    if entries.is_empty() {
        return "nothing".to_owned();
    }
    let shown: Vec<&str> = entries.iter().map(String::as_str).take(5).collect();
    let more = entries.len() - shown.len();
    let shown = shown.join(", ");
    if more == 0 {
        shown
    } else {
        format!("{shown} and {more} more")
    }
}
