// SPDX-License-Identifier: Apache-2.0
use super::{MALFORMED, OUT_OF_RANGE, Part, UNSUPPORTED};
use crate::admission::{FieldPath, Findings, Help};
use garden_gate_text::go::qualified_name_error;

/// Resources that are counted in whole numbers only, in addition to extended resources.
const WHOLE: [&str; 9] = [
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "services.nodeports",
    "services.loadbalancers",
];

/// Validates quantities of resources by name.
///
/// Mirrors ValidateResourceQuantityValue in `pkg/utils/validation/kubernetes/core`.
pub(crate) fn check_amounts(resources: &Part<'_>, findings: &mut Findings) {
    for (resource, amount) in resources.entries() {
        let field = resources.path().child_called(&resource);
        check_amount(&resource, &amount, &field, findings);
    }
}

/// Validates quantities as [`check_amounts`], for the resources of a control plane's components.
pub(crate) fn check_cpu_and_memory(resources: &Part<'_>, findings: &mut Findings) {
    for (resource, amount) in resources.entries() {
        let field = resources.path().child_called(&resource);
        if !["cpu", "memory"].contains(&resource.as_str()) {
            let message = format!("`{resource}` is neither `cpu` nor `memory`");
            findings
                .unsupported(&UNSUPPORTED, field.clone(), message)
                .help(Help::remove("remove it"));
        }
        check_amount(&resource, &amount, &field, findings);
    }
}

/// Validates the quantity of one resource, reported at `field`.
pub(crate) fn check_amount(
    resource: &str,
    amount: &Part<'_>,
    field: &FieldPath,
    findings: &mut Findings,
) {
    let Some(amount) = amount.amount() else {
        return;
    };
    if amount < 0.0 {
        let message = format!("the amount of `{resource}` is negative");
        findings.invalid(&OUT_OF_RANGE, field.clone(), message).help("use 0 or more");
    }
    // Less than a thousandth counts as a thousandth.
    if is_whole(resource) && (amount * 1000.0).ceil() % 1000.0 != 0.0 {
        let message = format!("`{resource}` is counted in whole numbers");
        findings.invalid(&MALFORMED, field.clone(), message).help("use a whole number");
    }
}

fn is_whole(resource: &str) -> bool {
    let is_native = !resource.contains('/') || resource.contains("kubernetes.io/");
    let is_extended = !is_native
        && !resource.starts_with("requests.")
        && qualified_name_error(&format!("requests.{resource}")).is_none();
    WHOLE.contains(&resource) || is_extended
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_whole;

    /// Answers of `IsIntegerResourceName` and `IsExtendedResourceName`.
    #[rstest]
    #[case("pods", true)]
    #[case("cpu", false)]
    #[case("example.com/gpu", true)]
    #[case("requests.example.com/gpu", false)]
    #[case("kubernetes.io/gpu", false)]
    fn extended_resources_are_counted_in_whole_numbers(
        #[case] resource: &str,
        #[case] expected: bool,
    ) {
        assert_eq!(is_whole(resource), expected);
    }
}
