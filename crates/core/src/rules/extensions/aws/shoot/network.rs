// SPDX-License-Identifier: Apache-2.0
//! The network of a Shoot. Source: `pkg/apis/aws/validation/shoot.go`.

use super::judged::{Judged, NETWORK};
use crate::admission::{FieldPath, Findings};
use crate::rules::extensions::provider_shoots::check_overlay;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::gardener::extensions::Documents;

/// The first version that checks the overlay network in conjunction with IPv6.
const CHECKS_IPV6: ExtensionVersion = ExtensionVersion::new(1, 65);

pub(super) fn check(judged: &Judged<'_>, documents: &Documents<'_>, findings: &mut Findings) {
    let networking = judged.shoot.networking();
    if networking.nodes.is_none() && networking.has("IPv4") {
        let place = FieldPath::new("spec.networking.nodes");
        findings
            .required(&NETWORK, place, "a Shoot on AWS needs a CIDR of nodes")
            .help("set it, for example to `10.250.0.0/16`");
    }
    if networking.has("IPv6") && judged.version >= CHECKS_IPV6 {
        check_overlay(documents, true, &NETWORK, findings);
    }
}
