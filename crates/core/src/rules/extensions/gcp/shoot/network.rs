// SPDX-License-Identifier: Apache-2.0
//! The network of a Shoot. Source: `pkg/apis/gcp/validation/shoot.go`.

use super::judged::{Judged, NETWORK};
use crate::admission::{FieldPath, Findings, Help};
use crate::rules::extensions::provider_shoots::check_overlay;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::gardener::extensions::Documents;
use garden_gate_text::go::is_before;

/// The first version that checks IP families.
const CHECKS_FAMILIES: ExtensionVersion = ExtensionVersion::new(1, 40);
/// The first version that allows IPv4 with IPv6, from Kubernetes 1.31.
const ALLOWS_BOTH: ExtensionVersion = ExtensionVersion::new(1, 43);
/// The first version that allows IPv4 with IPv6 for all versions of Kubernetes.
const ALWAYS_ALLOWS_BOTH: ExtensionVersion = ExtensionVersion::new(1, 51);
/// The first version that checks the overlay network in conjunction with IPv6.
const CHECKS_OVERLAY: ExtensionVersion = ExtensionVersion::new(1, 44);
/// The first version that needs the overlay network to be disabled explicitly with IPv6.
const NEEDS_OVERLAY: ExtensionVersion = ExtensionVersion::new(1, 47);

pub(super) fn check(judged: &Judged<'_>, documents: &Documents<'_>, findings: &mut Findings) {
    let networking = judged.shoot.networking();
    if networking.nodes.is_none() {
        let place = FieldPath::new("spec.networking.nodes");
        let message = "a Shoot on Google Cloud needs a CIDR of nodes";
        findings.required(&NETWORK, place, message).help("set it, for example to `10.250.0.0/16`");
    }
    let has_ipv6 = networking.has("IPv6");
    if has_ipv6 && judged.version >= CHECKS_FAMILIES {
        let (version, kubernetes) = (judged.version, &judged.shoot.spec.kubernetes.version);
        let message = match networking.has("IPv4") {
            false => Some("Google Cloud does not support IPv6 without IPv4".to_owned()),
            true if version >= ALWAYS_ALLOWS_BOTH => None,
            true if version < ALLOWS_BOTH => {
                Some(format!("`gcp` of version {version} does not support IPv4 with IPv6"))
            }
            true if is_before(kubernetes, 1, 31) => Some(format!(
                "`gcp` of version {version} does not support IPv4 with IPv6 before Kubernetes 1.31"
            )),
            true => None,
        };
        if let Some(message) = message {
            let place = FieldPath::new("spec.networking.ipFamilies");
            findings
                .invalid(&NETWORK, place, message)
                .help(Help::set("set `ipFamilies: [IPv4]`", serde_json::json!(["IPv4"])));
        }
    }
    if has_ipv6 && judged.version >= CHECKS_OVERLAY {
        let must_be_set = judged.version >= NEEDS_OVERLAY;
        check_overlay(documents, must_be_set, &NETWORK, findings);
    }
}
