// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use serde::de::DeserializeOwned;

use crate::admission::{ErrorType, FieldPath, FindingKind, Findings};
use crate::rules::extensions::{Component, Failure};
use crate::rules::shared::lists::short;
use garden_gate_model::api::extensions::ConfigurationPlace;
use garden_gate_model::gardener::extensions::Document;

/// Decodes the `providerConfig` of the profile that a Shoot references; reports at `place` that this is impossible.
pub(crate) fn decode_profile<T: DeserializeOwned>(
    component: &Component<'_, '_>,
    (text, is_lenient): (&str, bool),
    (name, place, kind): (&str, &FieldPath, &'static FindingKind),
    findings: &mut Findings,
) -> Option<T> {
    let (_, class) = component.extension.resource;
    let document = Document {
        place: ConfigurationPlace::CloudProfile,
        index: 0,
        runtime: 0,
        class: Cow::Borrowed(class),
        text: Cow::Borrowed(text),
    };
    let failure = Failure::without_field(kind);
    let mut config = None;
    findings.would_find(|findings| {
        config = if is_lenient {
            component.decode_leniently(&document, &failure, findings)
        } else {
            component.decode(&document, &failure, findings)
        };
    });
    if config.is_none() {
        let message =
            format!("the `providerConfig` of profile `{}` cannot be decoded", short(name));
        findings
            .report(kind, ErrorType::Decode, FieldPath::root(), message)
            .at(place)
            .help("use another profile, or let a garden operator correct its `providerConfig`");
    }
    config
}
