// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, rule};
use crate::rules::shared::validation::Part;

rule! {
    page: include_str!("finalizer_added.md"),
    id: "object/finalizer-added",
    summary: "rejects finalizers added during deletion",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [
        Shoot [Update] [Itself, Binding, Status];
        Project [Update] [Itself, Status];
        CloudProfile [Update] [Itself, Status];
        NamespacedCloudProfile [Update] [Itself, Status];
        Seed [Update] [Itself, Status];
        ExposureClass [Update];
        SecretBinding [Update];
        CredentialsBinding [Update];
        Quota [Update];
        BackupBucket [Update] [Itself, Status];
        BackupEntry [Update] [Itself, Status];
        ControllerRegistration [Update];
        ControllerDeployment [Update];
        ControllerInstallation [Update] [Itself, Status];
        InternalSecret [Update];
        ShootState [Update];
        WorkloadIdentity [Update];
        Bastion [Update] [Itself, Status];
        ManagedSeed [Update] [Itself, Status];
        ManagedSeedSet [Update] [Itself, Status];
        Gardenlet [Update] [Itself, Status];
    ],
    findings: { ADDED = "object/finalizer-added": "a finalizer is added during deletion" },
    fixes: Suggestion,
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    if old.at(&["metadata", "deletionTimestamp"]).is_none() {
        return;
    }
    let finalizers = |object: &Part<'_>| object.texts_at(&["metadata", "finalizers"]);
    let known = finalizers(&old);
    let is_known = |finalizer: &str| known.iter().any(|(_, it)| it == finalizer);
    for (place, finalizer) in finalizers(&new) {
        if !is_known(&finalizer) {
            let message =
                format!("finalizer `{finalizer}` is added to an object that is being deleted");
            let field = FieldPath::new("metadata.finalizers");
            findings
                .forbid(&ADDED, field, message)
                .at(&place)
                .value(finalizer)
                .help(Help::remove("leave it out"));
        }
    }
}
