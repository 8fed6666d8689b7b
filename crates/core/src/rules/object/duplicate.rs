// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, rule};

rule! {
    page: include_str!("duplicate.md"),
    id: "object/duplicate",
    summary: "warns about copies of an object with other content in a change",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Review,
    scopes: [
        Shoot [Create, Update];
        Project [Create, Update];
        CloudProfile [Create, Update];
        NamespacedCloudProfile [Create, Update];
        Seed [Create, Update];
        ExposureClass [Create, Update];
        SecretBinding [Create, Update];
        CredentialsBinding [Create, Update];
        Quota [Create, Update];
        BackupBucket [Create, Update];
        BackupEntry [Create, Update];
        ControllerRegistration [Create, Update];
        ControllerDeployment [Create, Update];
        ControllerInstallation [Create, Update];
        InternalSecret [Create, Update];
        ShootState [Create, Update];
        WorkloadIdentity [Create, Update];
        Bastion [Create, Update];
        ManagedSeed [Create, Update];
        ManagedSeedSet [Create, Update];
        Gardenlet [Create, Update];
        ValidatingWebhookConfiguration [Create, Update];
        MutatingWebhookConfiguration [Create, Update];
    ],
    findings: { DUPLICATE = "object/duplicate": "a new copy of an object has other content" },
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    let Some(copies) = context.request.other_copies else {
        return;
    };
    findings
        .forbid(&DUPLICATE, FieldPath::new("metadata.name"), copies.to_owned())
        .help("keep one of them, or review each with its own garden");
}
