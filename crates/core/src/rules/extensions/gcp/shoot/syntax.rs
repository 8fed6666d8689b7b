// SPDX-License-Identifier: Apache-2.0
//! Identifiers of Google Cloud. Source: `pkg/apis/gcp/validation/filter.go`.

use crate::admission::ErrorType;
use crate::rules::extensions::provider_shoots::Syntax;

/// Maximum length of most identifiers.
const LONGEST: usize = 250;

pub(super) const RESOURCE: Syntax = Syntax {
    name: "name of a resource of Google Cloud",
    matches: is_resource_name,
    longest: 63,
    empty: Some(ErrorType::Invalid),
    example: "`my-network`",
};
pub(super) const ACCELERATOR: Syntax = Syntax {
    name: "type of GPUs",
    matches: |it| it.chars().all(|c| is_lower_or_digit(c) || c == '-'),
    longest: LONGEST,
    empty: Some(ErrorType::Invalid),
    example: "`nvidia-tesla-t4`",
};
pub(super) const CPU_PLATFORM: Syntax = Syntax {
    name: "CPU platform",
    matches: |it| it.chars().all(|c| c.is_ascii_alphanumeric() || is_space(c)),
    longest: LONGEST,
    empty: Some(ErrorType::Invalid),
    example: "`Intel Ice Lake`",
};
pub(super) const SOURCE_IMAGE: Syntax = Syntax {
    name: "path of an image",
    matches: |it| it.chars().all(|c| is_lower_or_digit(c) || "-/".contains(c)),
    longest: LONGEST,
    empty: Some(ErrorType::Invalid),
    example: "`projects/my-project/global/images/my-image`",
};
pub(super) const KMS_KEY: Syntax = Syntax {
    name: "name of a key of Cloud KMS",
    matches: |it| it.chars().all(|c| c.is_ascii_alphanumeric() || "-_/".contains(c)),
    longest: LONGEST,
    empty: Some(ErrorType::Invalid),
    example: "`projects/my-project/locations/global/keyRings/my-ring/cryptoKeys/my-key`",
};
pub(super) const SERVICE_ACCOUNT: Syntax = Syntax {
    name: "e-mail address of a service account",
    matches: is_service_account,
    longest: LONGEST,
    empty: Some(ErrorType::Invalid),
    example: "`name@my-project.iam.gserviceaccount.com`",
};
pub(super) const SCOPE: Syntax = Syntax {
    name: "scope of a service account",
    matches: |it| {
        let rest = it.strip_prefix("https://www.googleapis.com/");
        let is_allowed = |c| is_lower_or_digit(c) || "-./_".contains(c);
        rest.is_some_and(|it| !it.is_empty() && it.chars().all(is_allowed))
    },
    longest: LONGEST,
    empty: Some(ErrorType::Invalid),
    example: "`https://www.googleapis.com/auth/cloud-platform`",
};

/// Matches `^[a-z]([-a-z0-9]*[a-z0-9])?$`.
fn is_resource_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.ends_with(is_lower_or_digit)
        && text.chars().all(|c| is_lower_or_digit(c) || c == '-')
}

/// Matches `^[a-zA-Z0-9\-_\.]+@[a-zA-Z0-9\-\.]+\.gserviceaccount\.com$`.
fn is_service_account(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else {
        return false;
    };
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let is_in_project = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
    let project = domain.strip_suffix(".gserviceaccount.com");
    !name.is_empty()
        && name.chars().all(is_in_name)
        && project.is_some_and(|it| !it.is_empty() && it.chars().all(is_in_project))
}

fn is_lower_or_digit(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

/// Reports whether Go's `\s` matches: ASCII white space without vertical tabs.
fn is_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\u{c}' | '\r' | ' ')
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{CPU_PLATFORM, KMS_KEY, RESOURCE, SCOPE, SERVICE_ACCOUNT};
    use crate::rules::extensions::provider_shoots::Syntax;

    #[rstest]
    #[case::resource(RESOURCE, "a-1", true)]
    #[case::resource_of_one_letter(RESOURCE, "a", true)]
    #[case::resource_begins_with_digit(RESOURCE, "1a", false)]
    #[case::resource_ends_with_hyphen(RESOURCE, "a-", false)]
    #[case::resource_empty(RESOURCE, "", false)]
    #[case::platform(CPU_PLATFORM, "Intel Ice\tLake", true)]
    #[case::platform_vertical_tab(CPU_PLATFORM, "Intel\u{b}Ice", false)]
    #[case::key(KMS_KEY, "projects/My_project", true)]
    #[case::key_with_version(KMS_KEY, "key:1", false)]
    #[case::account(SERVICE_ACCOUNT, "a.b@p.iam.gserviceaccount.com", true)]
    #[case::account_without_project(SERVICE_ACCOUNT, "a@gserviceaccount.com", false)]
    #[case::account_with_empty_project(SERVICE_ACCOUNT, "a@.gserviceaccount.com", false)]
    #[case::account_with_two_names(SERVICE_ACCOUNT, "a@b@p.gserviceaccount.com", false)]
    #[case::account_without_name(SERVICE_ACCOUNT, "@p.gserviceaccount.com", false)]
    #[case::scope(SCOPE, "https://www.googleapis.com/auth/x.y_z", true)]
    #[case::scope_prefix_only(SCOPE, "https://www.googleapis.com/", false)]
    #[case::scope_upper_case(SCOPE, "https://www.googleapis.com/Auth", false)]
    fn identifiers(#[case] syntax: Syntax, #[case] value: &str, #[case] expected: bool) {
        assert_eq!(syntax.accepts(value), expected);
    }
}
