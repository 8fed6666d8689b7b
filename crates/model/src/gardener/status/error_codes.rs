// SPDX-License-Identifier: Apache-2.0
use crate::api::ShootStatus;

/// A code in `status.lastErrors[].codes`, `status.conditions[].codes` or `status.constraints[].codes`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ErrorCode {
    /// The code.
    pub code: &'static str,
    /// The meaning.
    pub meaning: &'static str,
    /// Whether Gardener retries automatically.
    ///
    /// Otherwise it waits until the Shoot is changed or `retry` is requested.
    pub is_retried: bool,
    /// Whether Gardener's documentation agrees with that.
    pub is_documented: bool,
}

/// Every code. Mirrors HasNonRetryableErrorCode in `pkg/api/core/v1beta1/helper/errors.go`.
pub const ERROR_CODES: &[ErrorCode] = &[
    final_code("ERR_INFRA_UNAUTHENTICATED", "the infrastructure does not accept the credentials"),
    final_code("ERR_INFRA_UNAUTHORIZED", "the credentials lack permissions on the infrastructure"),
    final_code("ERR_INFRA_QUOTA_EXCEEDED", "a quota of the infrastructure account is used up"),
    final_code(
        "ERR_INFRA_DEPENDENCIES",
        "something in the infrastructure account stands in the way, for example a resource that is still in use",
    ),
    final_code("ERR_CONFIGURATION_PROBLEM", "the configuration of the Shoot cannot work"),
    ErrorCode {
        is_documented: false,
        ..final_code(
            "ERR_INFRA_RATE_LIMITS_EXCEEDED",
            "the infrastructure limits the rate of requests",
        )
    },
    ErrorCode {
        is_documented: false,
        ..final_code("ERR_PROBLEMATIC_WEBHOOK", "a webhook of the cluster stands in Gardener's way")
    },
    retried_code(
        "ERR_RETRYABLE_INFRA_DEPENDENCIES",
        "something in the infrastructure account stands in the way for a while",
    ),
    retried_code(
        "ERR_INFRA_RESOURCES_DEPLETED",
        "the infrastructure has no machines of that type left",
    ),
    retried_code(
        "ERR_CLEANUP_CLUSTER_RESOURCES",
        "resources of the cluster could not be deleted in time",
    ),
    retried_code(
        "ERR_RETRYABLE_CONFIGURATION_PROBLEM",
        "the configuration of the Shoot cannot work now, but may later",
    ),
];

const fn final_code(code: &'static str, meaning: &'static str) -> ErrorCode {
    ErrorCode { code, meaning, is_retried: false, is_documented: true }
}

const fn retried_code(code: &'static str, meaning: &'static str) -> ErrorCode {
    ErrorCode { code, meaning, is_retried: true, is_documented: true }
}

/// Returns the entry of a code; `None` if Gardener does not have it.
pub fn error_code(code: &str) -> Option<&'static ErrorCode> {
    ERROR_CODES.iter().find(|known| known.code == code)
}

/// Reports whether Gardener retries the last operation automatically.
///
/// A single final code prevents that.
///
/// Gardener also stops after too many attempts, which the status does not show.
pub fn is_retried(status: &ShootStatus) -> bool {
    let codes = status.error_codes();
    codes.into_iter().filter_map(error_code).all(|code| code.is_retried)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::{ERROR_CODES, is_retried};

    #[rstest]
    #[case(&[], true)]
    #[case(&["ERR_CLEANUP_CLUSTER_RESOURCES"], true)]
    #[case(&["ERR_CLEANUP_CLUSTER_RESOURCES", "ERR_INFRA_RATE_LIMITS_EXCEEDED"], false)]
    #[case(&["ERR_PROBLEMATIC_WEBHOOK"], false)]
    #[case(&["ERR_OF_THE_FUTURE"], true)]
    fn one_final_code_ends_the_operation(#[case] codes: &[&str], #[case] retried: bool) {
        let status = json!({"lastErrors": [{"codes": codes}]});
        assert_eq!(is_retried(&serde_json::from_value(status).unwrap()), retried);
    }

    #[test]
    fn seven_codes_are_final_and_four_are_not() {
        let retried = ERROR_CODES.iter().filter(|code| code.is_retried).count();
        assert_eq!((ERROR_CODES.len(), retried), (11, 4));
    }
}
