// SPDX-License-Identifier: Apache-2.0
//! Ignored tags. Source: `ValidateIgnoreTags` in `pkg/apis/aws/validation`.

use super::judged::{CHECKS_SYNTAX, INFRASTRUCTURE, Judged, in_infrastructure};
use super::syntax::TAG;
use crate::admission::{ErrorType, Findings};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;

/// The key that the extension itself sets.
const RESERVED: &str = "Name";
/// The prefixes of keys that Kubernetes and Gardener set.
const RESERVED_PREFIXES: [&str; 2] = ["kubernetes.io", "gardener.cloud"];

pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    let Some(tags) = &judged.infrastructure.ignore_tags else {
        return;
    };
    for (index, key) in tags.keys.iter().enumerate() {
        let place = || in_infrastructure("ignoreTags.keys").index(index);
        if is_malformed(judged, key, &place, findings) {
            continue;
        }
        if key == RESERVED || RESERVED_PREFIXES.iter().any(|it| key.starts_with(it)) {
            report(key, &place(), findings);
        }
    }
    for (index, prefix) in tags.key_prefixes.iter().enumerate() {
        let place = || in_infrastructure("ignoreTags.keyPrefixes").index(index);
        if is_malformed(judged, prefix, &place, findings) {
            continue;
        }
        let covers = |it: &str| it.starts_with(prefix.as_str()) || prefix.starts_with(it);
        if RESERVED.starts_with(prefix.as_str()) || RESERVED_PREFIXES.into_iter().any(covers) {
            report(prefix, &place(), findings);
        }
    }
}

fn is_malformed(
    judged: &Judged<'_>,
    key: &str,
    place: &dyn Fn() -> ReportedPath,
    findings: &mut Findings,
) -> bool {
    let is_malformed = judged.version >= CHECKS_SYNTAX && !TAG.accepts(key);
    if is_malformed {
        TAG.check(key, &place(), &INFRASTRUCTURE, findings);
    }
    is_malformed
}

fn report(key: &str, place: &ReportedPath, findings: &mut Findings) {
    let message = format!("tags with `{}` cannot be ignored: they are reserved", short(key));
    place
        .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
        .value(key)
        .help("ignore tags other than `Name`, `kubernetes.io…` and `gardener.cloud…`");
}
