// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use crate::admission::{ErrorType, FindingKind, Findings};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_text::go::Quantity;

/// Resources of nodes whose capacity is checked.
pub(crate) const CAPACITIES: [&str; 3] = ["cpu", "gpu", "memory"];

/// Checks the resources in the node template of a worker pool.
///
/// Mirrors validateNodeTemplate in `pkg/apis/*/validation/worker.go` of providers.
pub(crate) fn check_node_template(
    capacity: &BTreeMap<String, Option<Quantity>>,
    virtual_capacity: &BTreeMap<String, Option<Quantity>>,
    (place, kind): (&ReportedPath, &'static FindingKind),
    findings: &mut Findings,
) {
    for (name, quantity) in capacity {
        if CAPACITIES.contains(&name.as_str()) {
            let at = place.child("capacity").child_called(name);
            check_not_negative(name, quantity.as_ref(), &at, kind, findings);
        }
    }
    for (name, quantity) in virtual_capacity {
        let place = || place.child("virtualCapacity").child_called(name);
        check_not_negative(name, quantity.as_ref(), &place(), kind, findings);
        if nanos(quantity.as_ref()) % Quantity::ONE != 0 {
            let message = format!("`{}` is not a whole number", short(name));
            place()
                .report((kind, ErrorType::Invalid), message, findings)
                .help("use a whole number");
        }
    }
}

fn check_not_negative(
    name: &str,
    quantity: Option<&Quantity>,
    place: &ReportedPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    if nanos(quantity) < 0 {
        let message = format!("`{}` is negative", short(name));
        place.report((kind, ErrorType::Invalid), message, findings).help("use 0 or more");
    }
}

/// Returns the billionths of a quantity; `null` is 0.
fn nanos(quantity: Option<&Quantity>) -> i128 {
    quantity.map_or(0, Quantity::nanos)
}
