// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use super::listed::{path, report, report_rest};
use crate::admission::{Context, FieldPath, Findings, rule};
use crate::rules::shared::lists::short;
use garden_gate_model::api::Step;

rule! {
    page: include_str!("repeated_field.md"),
    id: "object/repeated-field",
    summary: "rejects duplicate fields",
    phase: Decoding,
    level: Deny,
    entry_point: Review,
    scopes: [
        Shoot [Create, Update] [Itself, Binding, Status];
        Project [Create, Update] [Itself, Status];
        CloudProfile [Create, Update] [Itself, Status];
        NamespacedCloudProfile [Create, Update] [Itself, Status];
        Seed [Create, Update] [Itself, Status];
        ExposureClass [Create, Update];
        SecretBinding [Create, Update];
        CredentialsBinding [Create, Update];
        Quota [Create, Update];
        BackupBucket [Create, Update] [Itself, Status];
        BackupEntry [Create, Update] [Itself, Status];
        ControllerRegistration [Create, Update];
        ControllerDeployment [Create, Update];
        ControllerInstallation [Create, Update] [Itself, Status];
        InternalSecret [Create, Update];
        ShootState [Create, Update];
        WorkloadIdentity [Create, Update];
        Bastion [Create, Update] [Itself, Status];
        ManagedSeed [Create, Update] [Itself, Status];
        ManagedSeedSet [Create, Update] [Itself, Status];
        Gardenlet [Create, Update] [Itself, Status];
        Garden [Create, Update] [Itself, Status];
        Extension [Create, Update] [Itself, Status];
    ],
    findings: {
        REPEATED = "object/repeated-field": "a field is set more than once",
    },
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    if let Some(resource) = context.custom_resource() {
        let decoded = &resource.decoded;
        for (path, name, count) in &decoded.repeated {
            add((path.clone(), short(name), *count), findings);
        }
        report_rest(decoded.repeated_count, decoded.repeated.len(), &REPEATED, findings);
        return;
    }
    let Some((_, strict_errors)) = context.strict_errors() else {
        return;
    };
    for (place, count) in &strict_errors.repeated.first {
        add((path(place), name(place).into(), *count), findings);
    }
    report(&strict_errors.repeated, &REPEATED, findings);
}

fn add((path, name, count): (FieldPath, Cow<'_, str>, usize), findings: &mut Findings) {
    let message = format!("`{name}` is set {}", times(count));
    findings
        .duplicate(&REPEATED, path, message)
        .help("keep one; without a word, only the last one would count");
}

fn name(place: &[Step<'_>]) -> String {
    match place.last() {
        Some(Step::Field(name)) => (*name).to_owned(),
        Some(Step::Unknown(name) | Step::Key(name)) => short(name).into_owned(),
        Some(Step::Index(_)) | None => String::new(),
    }
}

fn times(count: usize) -> String {
    match count {
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}
