// SPDX-License-Identifier: Apache-2.0
//! Detection of the nodes' addresses. Source: `ValidateIPAutoDetectionMethod` of networking-calico.

use crate::admission::{FieldPath, FindingKind, Findings, Help};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_text::go::{dns_subdomain_error, is_regexp, is_strict_address, is_strict_network};

const OPTIONS: &[&str] =
    &["first-found", "kubernetes-internal-ip", "can-reach", "interface", "skip-interface", "cidr"];

/// Checks a method, reported as `field` at `real`.
pub(super) fn check(
    method: &str,
    field: &FieldPath,
    real: &FieldPath,
    invalid: &'static FindingKind,
    findings: &mut Findings,
) {
    let (option, parameter) = match method.split_once('=') {
        Some((option, parameter)) => (option, Some(parameter)),
        None => (method, None),
    };
    let given = parameter.unwrap_or_default();
    let problem: Option<(String, Help)> = match option {
        "first-found" | "kubernetes-internal-ip" => parameter.map(|_| {
            let message = format!("`{option}` has no parameter");
            (message, Help::set(format!("write `{option}`"), option))
        }),
        "can-reach" | "interface" | "skip-interface" | "cidr" if given.is_empty() => Some((
            format!("`{option}` has no value"),
            format!("write it like `{}`", example(option)).into(),
        )),
        "cidr" if !is_strict_network(given) => Some((
            format!("`{}` is not a CIDR in its canonical form", short(given)),
            "write a single CIDR without host bits, like `cidr=10.0.0.0/8`".into(),
        )),
        "can-reach" if !is_strict_address(given) && dns_subdomain_error(given).is_some() => Some((
            format!(
                "`{}` is neither an IP address in its canonical form nor a DNS name",
                short(given)
            ),
            "write it like `can-reach=10.0.0.1` or `can-reach=www.example.com`".into(),
        )),
        "interface" | "skip-interface" => match is_regexp(given) {
            Some(true) => None,
            Some(false) => Some((
                format!("`{}` is not a regular expression of Go", short(given)),
                format!("write it like `{}`", example(option)).into(),
            )),
            None => {
                let message = format!(
                    "whether `{}` is a regular expression of Go is not known",
                    short(given)
                );
                return findings.undetermined(real, message);
            }
        },
        "can-reach" | "cidr" => None,
        "" if parameter.is_none() => {
            let message = "the method of detection is empty".to_owned();
            Some((message, one_of(option, OPTIONS)))
        }
        _ => Some((
            format!("`{}` is not a method of detection", short(option)),
            one_of(option, OPTIONS),
        )),
    };
    if let Some((message, help)) = problem {
        findings.invalid(invalid, field.clone(), message).at(real).value(method).help(help);
    }
}

/// Returns a method with this option.
fn example(option: &str) -> &'static str {
    match option {
        "can-reach" => "can-reach=10.0.0.1",
        "cidr" => "cidr=10.0.0.0/8",
        "interface" => "interface=eth.*",
        _ => "skip-interface=docker.*",
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::example;

    #[rstest]
    fn example_has_the_option_and_a_value(
        #[values("can-reach", "cidr", "interface", "skip-interface")] option: &str,
    ) {
        let (found, value) = example(option).split_once('=').unwrap();
        assert_eq!(found, option);
        assert!(!value.is_empty());
    }
}
