// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shared::rotation::is_ready_for_rotation_start;
use crate::rules::shoot::encryption::{actual, provider, wanted};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("encryption_change.md"),
    id: "shoot/encryption-change",
    summary: "rejects a change of encryption at rest during a rotation or another change",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        ROTATING = "shoot/encryption-change-while-rotating": "encryption is changed during the rotation of its key",
        PROVIDER = "shoot/encryption-provider-immutable": "the encryption provider is changed" until 143,
        PENDING = "shoot/encryption-change-pending": "encryption is changed while an earlier change is in progress",
        EARLY = "shoot/encryption-change-before-creation": "the encryption provider is changed before the Shoot is created",
        BOTH = "shoot/encryption-changed-twice": "encryption provider and resources are changed at the same time",
    },
    check: Judge(check),
}

const CONFIG: &str = "spec.kubernetes.kubeAPIServer.encryptionConfig";

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let resources = wanted(new) != wanted(old);
    let provides = provider(new) != provider(old);
    let is_immutable = context.runs(PROVIDER.versions);
    if provides && is_immutable {
        let field = FieldPath::new(format!("{CONFIG}.provider.type"));
        let message = "the encryption provider is immutable before Gardener 1.144";
        let help = "keep the stored provider";
        findings.invalid(&PROVIDER, field, message).help(help);
    }
    let provides = provides && !is_immutable;
    let fields = [(resources, "resources"), (provides, "provider.type")];
    for (_, field) in fields.into_iter().filter(|(changed, _)| *changed) {
        let field = FieldPath::new(format!("{CONFIG}.{field}"));
        check_state(new, old, &field, findings);
    }
    let field = || FieldPath::new(format!("{CONFIG}.provider.type"));
    if provides && !is_ready_for_rotation_start(&new.status) {
        let message = "the provider of a Shoot that was not created yet cannot change";
        let help = "wait until it is created";
        findings.forbid(&EARLY, field(), message).help(help);
    }
    if provides && resources {
        let message = "provider and resources cannot change at once";
        let help = "change one, wait until that is done, then change the other";
        findings.forbid(&BOTH, field(), message).help(help);
    }
}

fn check_state(new: &Shoot, old: &Shoot, field: &FieldPath, findings: &mut Findings) {
    let credentials = &new.status.credentials;
    if let Some(rotation) = credentials
        .rotation
        .as_ref()
        .and_then(|it| it.etcd_encryption_key.as_ref())
        .filter(|it| !["", "Completed"].contains(&it.phase.as_str()))
    {
        let message = format!("the key is being rotated (phase `{}`)", rotation.phase);
        let help = "wait until the rotation is completed";
        findings.forbid(&ROTATING, field.clone(), message).help(help);
    }
    let is_done = wanted(old) == actual(&new.status);
    if !is_done || provider(old) != credentials.encryption_at_rest.provider.kind {
        let message = "an earlier change of the encryption is being carried out";
        let help = "wait until `status.credentials.encryptionAtRest` is as `spec` says";
        findings.forbid(&PENDING, field.clone(), message).help(help);
    }
}
