// SPDX-License-Identifier: Apache-2.0
//! IPv6 CIDR blocks of zones. Source: `pkg/apis/alicloud/validation/infrastructure.go`.

use std::collections::HashSet;

use super::judged::{INFRASTRUCTURE, Judged, in_infrastructure};
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::shared::lists::{list, short};
use crate::rules::shared::reported_path::ReportedPath;

/// The regions with network load balancers, which dual-stack networking needs.
const REGIONS: &[&str] = &[
    "ap-northeast-1",
    "ap-northeast-2",
    "ap-southeast-1",
    "ap-southeast-3",
    "ap-southeast-5",
    "ap-southeast-6",
    "ap-southeast-7",
    "cn-beijing",
    "cn-chengdu",
    "cn-guangzhou",
    "cn-hangzhou",
    "cn-heyuan",
    "cn-hongkong",
    "cn-qingdao",
    "cn-shanghai",
    "cn-shenzhen",
    "cn-wulanchabu",
    "cn-zhangjiakou",
    "eu-central-1",
    "eu-west-1",
    "na-south-1",
    "us-east-1",
    "us-west-1",
];
/// The possible IPv6 CIDR blocks of a zone.
const BLOCKS: core::ops::RangeInclusive<i64> = 0..=255;

/// Checks dual-stack networking, if it is enabled.
pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    let dual_stack = judged.infrastructure.dual_stack.as_ref();
    if dual_stack.is_none_or(|it| !it.enabled) {
        return;
    }
    let region = judged.shoot.spec.region.as_str();
    if !REGIONS.contains(&region) {
        let place =
            ReportedPath { own: FieldPath::new("region"), real: FieldPath::new("spec.region") };
        let message = format!(
            "region `{}` has no network load balancers, which dual-stack networking needs",
            short(region)
        );
        place
            .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
            .value(region)
            .help(format!("remove `dualStack`, or use one of {}", list(REGIONS)));
    }
    check_blocks(judged, findings);
}

fn check_blocks(judged: &Judged<'_>, findings: &mut Findings) {
    let networks = &judged.infrastructure.networks;
    let mut seen = HashSet::new();
    for (index, zone) in networks.zones.iter().enumerate() {
        let place = in_infrastructure("networks.zones").index(index).child("ipv6CidrBlock");
        let block = match zone.ipv6_cidr_block {
            None if networks.vpc.id.is_some() => {
                let message = "in an existing VPC, each zone needs an IPv6 CIDR block";
                place
                    .report((&INFRASTRUCTURE, ErrorType::Required), message, findings)
                    .help("set `ipv6CidrBlock` to a number from 0 to 255");
                continue;
            }
            None => i64::try_from(index).unwrap_or(i64::MAX),
            Some(block) if !BLOCKS.contains(&block) => {
                let message = format!("{block} is not an IPv6 CIDR block");
                place
                    .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
                    .value(block)
                    .help("use a number from 0 to 255");
                continue;
            }
            Some(block) => block,
        };
        if !seen.insert(block) {
            let message = format!("IPv6 CIDR block {block} is also that of another zone");
            place
                .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
                .value(block)
                .help("set `ipv6CidrBlock` to another number from 0 to 255");
        }
    }
}
