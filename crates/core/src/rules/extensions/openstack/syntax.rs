// SPDX-License-Identifier: Apache-2.0
//! Names and identifiers of OpenStack. Source: `pkg/apis/openstack/validation/filter.go`.

use crate::admission::{ErrorType, FindingKind, Findings};
use crate::rules::extensions::provider_shoots::Syntax;
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_text::go::is_uuid;

/// The first version that validates names, and most identifiers.
pub(super) const CHECKS_SYNTAX: ExtensionVersion = ExtensionVersion::new(1, 49);

pub(super) const NAME: Syntax = Syntax {
    name: "name in OpenStack",
    matches: |it| !it.contains(['{', '}', '[', ']', '\n']),
    longest: 255,
    empty: Some(ErrorType::Required),
    example: "`external-1`, without braces, brackets and line breaks",
};

/// Reports a string that is not a UUID.
pub(super) fn check_uuid(
    text: &str,
    place: &ReportedPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    if !is_uuid(text) {
        let message = format!("`{}` is not a UUID", short(text));
        place
            .report((kind, ErrorType::Invalid), message, findings)
            .value(text)
            .help("write it like `0fa8ce44-1d62-4e1b-8e44-3b3a4f6d2a1c`");
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::NAME;

    #[rstest]
    #[case::spaces("External Network (1)", true)]
    #[case::pattern("fip-*", true)]
    #[case::brackets("a[0]", false)]
    #[case::line_break("a\n", false)]
    #[case::empty("", false)]
    fn names(#[case] name: &str, #[case] expected: bool) {
        assert_eq!(NAME.accepts(name), expected);
    }
}
