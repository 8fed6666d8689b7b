// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use garden_gate_model::api::{Seed, WorkloadIdentity};

rule! {
    page: include_str!("backup_workload_identity_type.md"),
    id: "seed/backup-workload-identity-type",
    summary: "rejects a backup WorkloadIdentity of another provider type",
    phase: Admission,
    level: Deny,
    scopes: [Seed [Create, Update]],
    reads: [WorkloadIdentity],
    findings: {
        OTHER_TYPE = "seed/backup-workload-identity-type": "the WorkloadIdentity has another provider type than the backup",
        MISSING = "seed/backup-workload-identity-missing": "the WorkloadIdentity of the backup is not found",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, seed: Change<'_, Seed>, findings: &mut Findings) {
    let Some(backup) = seed.new.and_then(|new| new.spec.backup.as_ref()) else {
        return;
    };
    let reference = &backup.credentials_ref;
    if reference.api_version != "security.gardener.cloud/v1alpha1"
        || reference.kind != "WorkloadIdentity"
    {
        return;
    }
    let path = FieldPath::new("spec.backup.credentialsRef");
    let (namespace, name) = (&reference.namespace, &reference.name);
    let identity = context.get::<WorkloadIdentity>((namespace.as_str(), name.as_str()));
    let what = format_args!("what WorkloadIdentity `{namespace}/{name}` is for");
    let Some(identity) = findings.known(identity, &path, what) else {
        return;
    };
    let (kind, message) = match identity {
        Some(identity) => {
            let (of, wanted) = (&identity.spec.target_system.kind, &backup.provider);
            if of == wanted {
                return;
            }
            let message = format!(
                "WorkloadIdentity `{namespace}/{name}` is for `{of}`, but the backup for `{wanted}`"
            );
            (&OTHER_TYPE, message)
        }
        None => {
            let message = format!("there is no WorkloadIdentity `{namespace}/{name}`");
            (&MISSING, message)
        }
    };
    findings
        .forbid(kind, path, message)
        .help("use a WorkloadIdentity for the provider of the backup");
}
