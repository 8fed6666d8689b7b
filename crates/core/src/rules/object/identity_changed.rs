// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::validation::{CHANGED, MISSING, Part};
use garden_gate_model::api::{Kind, Named};

rule! {
    page: include_str!("identity_changed.md"),
    id: "object/identity-changed",
    summary: "rejects an update with another name, UID or time, or without a resource version",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [
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
    findings: { CHANGED, MISSING },
    check: Judge(check),
}

/// Kinds that can be updated without a resource version.
const UNCONDITIONAL: [Kind; 1] = [Kind::InternalSecret];

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    // `kubectl apply` sends patches of manifests.
    if context.request.is_converted {
        return;
    }
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    for (name, field) in [("name", "metadata.name"), ("uid", "metadata.uid")] {
        let [written, stored] = [&new, &old].map(|it| it.text_at(&["metadata", name]));
        let is_left_out = written.is_empty() && name == "uid";
        if written != stored && !is_left_out {
            let message = format!("`{field}` is `{written}`, that of the stored object `{stored}`");
            findings
                .invalid(&CHANGED, FieldPath::new(field), message)
                .help("update the object under its own name");
        }
    }
    for (name, field) in [
        ("creationTimestamp", "metadata.creationTimestamp"),
        ("deletionTimestamp", "metadata.deletionTimestamp"),
    ] {
        let [written, stored] = [&new, &old].map(|it| it.text_at(&["metadata", name]));
        if !written.is_empty() && written != stored {
            let message = format!("only the API server sets `{field}`");
            findings
                .invalid(&CHANGED, FieldPath::new(field), message)
                .help("put the old value back, or leave it out");
        }
    }
    let is_needed = !context.request.kind().is_some_and(|it| UNCONDITIONAL.contains(&it));
    let version = new.text_at(&["metadata", "resourceVersion"]);
    let had_version = !old.text_at(&["metadata", "resourceVersion"]).is_empty();
    if is_needed && version.is_empty() && had_version {
        let message = "an update needs the resource version of the stored object";
        findings
            .invalid(&MISSING, FieldPath::new("metadata.resourceVersion"), message)
            .help("read the object again, and change that");
    }
}
