// SPDX-License-Identifier: Apache-2.0
//! Identifiers of AWS. Source: `pkg/apis/aws/validation/filter.go`.

use crate::admission::ErrorType;
use crate::rules::extensions::provider_shoots::Syntax;

macro_rules! resource_id {
    ($name:literal, $prefix:literal, $empty:expr) => {
        Syntax {
            name: $name,
            matches: |it| is_resource_id(it, concat!($prefix, "-")),
            longest: 255,
            empty: $empty,
            example: concat!("`", $prefix, "-0123456789abcdef0`"),
        }
    };
}

pub(super) const SECURITY_GROUP: Syntax =
    resource_id!("ID of a security group", "sg", Some(ErrorType::Required));
pub(super) const SUBNET: Syntax =
    resource_id!("ID of a subnet", "subnet", Some(ErrorType::Required));
pub(super) const VPC: Syntax = resource_id!("ID of a VPC", "vpc", Some(ErrorType::Required));
pub(super) const ELASTIC_IP: Syntax = resource_id!("ID of an Elastic IP", "eipalloc", None);
pub(super) const SNAPSHOT: Syntax = resource_id!("ID of a snapshot", "snap", None);
pub(super) const CAPACITY_RESERVATION: Syntax =
    resource_id!("ID of a capacity reservation", "cr", Some(ErrorType::Required));

pub(super) const ZONE: Syntax = Syntax {
    name: "name of a zone",
    matches: |it| it.chars().all(|c| is_lower_or_digit(c) || c == '-'),
    longest: 255,
    empty: None,
    example: "`eu-west-1a`",
};
pub(super) const TAG: Syntax = Syntax {
    name: "key of a tag",
    matches: |it| it.chars().all(|c| is_word(c) || " +-=.:/@".contains(c)),
    longest: 128,
    empty: Some(ErrorType::Required),
    example: "letters, digits, spaces, and `+-=.:/@_`",
};
pub(super) const INGRESS_CLASS: Syntax = Syntax {
    name: "name of an IngressClass",
    matches: |it| it.chars().all(|c| is_lower_or_digit(c) || ".-".contains(c)),
    longest: 253,
    empty: Some(ErrorType::Required),
    example: "`alb`",
};
pub(super) const INSTANCE_PROFILE: Syntax = Syntax {
    name: "name of an instance profile",
    matches: |it| it.chars().all(|c| is_word(c) || "+=,.@-".contains(c)),
    longest: 128,
    empty: Some(ErrorType::Required),
    example: "letters, digits, and `+=,.@-_`",
};
pub(super) const INSTANCE_PROFILE_ARN: Syntax = Syntax {
    name: "ARN of an instance profile",
    matches: |it| {
        let rest = it.strip_prefix("arn:");
        rest.is_some_and(|it| {
            let is_allowed = |c| is_word(c) || " +=,.@-/:".contains(c);
            !it.is_empty() && it.chars().all(is_allowed)
        })
    },
    longest: 255,
    empty: None,
    example: "`arn:aws:iam::123456789012:instance-profile/nodes`",
};
pub(super) const RESOURCE_GROUP_ARN: Syntax = Syntax {
    name: "ARN of a resource group",
    matches: is_resource_group,
    longest: 255,
    empty: Some(ErrorType::Required),
    example: "`arn:aws:resource-groups:eu-west-1:123456789012:group/reserved`",
};

fn is_resource_id(text: &str, prefix: &str) -> bool {
    let rest = text.strip_prefix(prefix).unwrap_or_default();
    !rest.is_empty() && rest.chars().all(is_lower_or_digit)
}

/// Matches `^arn:[\w-]+:resource-groups:[\w+=,.@\-\/:]+$`.
fn is_resource_group(text: &str) -> bool {
    let Some((partition, group)) =
        text.strip_prefix("arn:").and_then(|rest| rest.split_once(":resource-groups:"))
    else {
        return false;
    };
    let is_partition = |c| is_word(c) || c == '-';
    let is_group = |c| is_word(c) || "+=,.@-/:".contains(c);
    !partition.is_empty()
        && partition.chars().all(is_partition)
        && !group.is_empty()
        && group.chars().all(is_group)
}

fn is_lower_or_digit(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

/// Reports whether Go's `\w` matches.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{INSTANCE_PROFILE_ARN, RESOURCE_GROUP_ARN, SNAPSHOT, SUBNET, TAG};
    use crate::rules::extensions::provider_shoots::Syntax;

    #[rstest]
    #[case::subnet(SUBNET, "subnet-0a", true)]
    #[case::subnet_prefix_only(SUBNET, "subnet-", false)]
    #[case::subnet_upper_case(SUBNET, "subnet-0A", false)]
    #[case::subnet_empty(SUBNET, "", false)]
    #[case::snapshot_empty(SNAPSHOT, "", true)]
    #[case::tag(TAG, "a b/c:d@e_f", true)]
    #[case::tag_other_letter(TAG, "ä", false)]
    #[case::arn(INSTANCE_PROFILE_ARN, "arn:aws:iam::1:instance-profile/my profile", true)]
    #[case::arn_prefix_only(INSTANCE_PROFILE_ARN, "arn:", false)]
    #[case::group(RESOURCE_GROUP_ARN, "arn:aws-cn:resource-groups:eu:1:group/x", true)]
    #[case::group_without_partition(RESOURCE_GROUP_ARN, "arn::resource-groups:x", false)]
    #[case::group_of_other_service(RESOURCE_GROUP_ARN, "arn:aws:ec2:x", false)]
    fn identifiers(#[case] syntax: Syntax, #[case] value: &str, #[case] expected: bool) {
        assert_eq!(syntax.accepts(value), expected);
    }

    #[test]
    fn length_is_counted_in_characters() {
        assert!(TAG.accepts(&"x".repeat(128)));
        assert!(!TAG.accepts(&"x".repeat(129)));
    }
}
