// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, rule};
use crate::rules::shared::validation::{MALFORMED, TOO_LONG, check_kept_metadata};

rule! {
    page: include_str!("metadata_malformed.md"),
    id: "object/metadata-malformed",
    summary: "rejects invalid metadata in status updates and changes of an ExposureClass",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [
        Shoot [Update] [Status];
        Project [Update] [Status];
        CloudProfile [Update] [Status];
        NamespacedCloudProfile [Update] [Status];
        Seed [Update] [Status];
        ExposureClass [Update];
        BackupBucket [Update] [Status];
        BackupEntry [Update] [Status];
        ControllerInstallation [Update] [Status];
        Bastion [Update] [Status];
        ManagedSeed [Update] [Status];
        ManagedSeedSet [Update] [Status];
        Gardenlet [Update] [Status];
    ],
    findings: { MALFORMED, TOO_LONG },
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    check_kept_metadata(context, findings);
}
