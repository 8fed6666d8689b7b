use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::{Seed, WorkloadIdentity};

rule! {
    /// ## What it checks
    /// If the credentials of a Seed's backup are a WorkloadIdentity, it exists, and its `spec.targetSystem.type` is the
    /// provider of the backup.
    ///
    /// ## Why
    /// An identity of one provider has no access to the storage of another one.
    ///
    /// ## Applies to
    /// Seeds, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   backup:
    ///     provider: gcp
    ///     credentialsRef:
    ///       apiVersion: security.gardener.cloud/v1alpha1
    ///       kind: WorkloadIdentity   # with targetSystem.type aws
    ///       namespace: garden
    ///       name: backup
    /// ```
    ///
    /// ## How to fix
    /// Use a WorkloadIdentity for the provider of the backup.
    ///
    /// ## Gardener
    /// validateCredentialsRef in `plugin/pkg/seed/validator/admission.go` (403; a WorkloadIdentity that does not exist is an
    /// internal error there, 500).
    id: "seed/backup-workload-identity-type",
    summary: "the WorkloadIdentity of a Seed's backup is for the backup's provider",
    phase: Admission,
    level: Deny,
    scopes: [Seed [Create, Update]],
    reads: [WorkloadIdentity],
    findings: {
        OTHER_TYPE = "seed/backup-workload-identity-type": "the WorkloadIdentity is for another provider than the backup",
        MISSING = "seed/backup-workload-identity-missing": "there is no such WorkloadIdentity",
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
    let identity = context
        .get::<WorkloadIdentity>((namespace.as_str(), name.as_str()))
        .answer();
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
