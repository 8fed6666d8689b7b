// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, FindingKind, Findings, Update, rule};
use crate::rules::shoot::encryption::{provider, wanted};
use garden_gate_model::api::{Shoot, Versions};

rule! {
    page: include_str!("hibernated_change.md"),
    id: "shoot/hibernated-change",
    summary: "rejects changes of encryption and high availability during hibernation",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        ENCRYPTION = "shoot/encryption-change-while-hibernated": "the encryption of a hibernated Shoot is changed",
        AVAILABILITY = "shoot/ha-while-hibernated": "high availability is enabled for a hibernated Shoot",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    if new.wants_hibernation() {
        check_encryption(context, new, old, findings);
    }
    if new.is_in_hibernation() && !is_highly_available(old) && is_highly_available(new) {
        let field = "spec.controlPlane.highAvailability.failureTolerance.type";
        let message = "a Shoot that sleeps or wakes up cannot become highly available";
        add(&AVAILABILITY, field, message, findings);
    }
}

/// The versions in which the encryption provider can be changed at all.
const PROVIDER_CHANGES: Versions = Versions::since(144);

fn check_encryption(context: &Context<'_>, new: &Shoot, old: &Shoot, findings: &mut Findings) {
    if wanted(new) != wanted(old) {
        let field = "spec.kubernetes.kubeAPIServer.encryptionConfig.resources";
        let message = "the encrypted resources of a Shoot that is to sleep cannot change";
        add(&ENCRYPTION, field, message, findings);
    }
    if provider(new) != provider(old) && context.runs(PROVIDER_CHANGES) {
        let field = "spec.kubernetes.kubeAPIServer.encryptionConfig.provider.type";
        let message = "the encryption provider of a Shoot that is to sleep cannot change";
        add(&ENCRYPTION, field, message, findings);
    }
}

fn add(kind: &'static FindingKind, field: &'static str, message: &str, findings: &mut Findings) {
    findings
        .forbid(kind, FieldPath::new(field), message)
        .help("wake the Shoot up first, and wait until `status.hibernated` is false");
}

fn is_highly_available(shoot: &Shoot) -> bool {
    let control_plane = shoot.spec.control_plane.as_ref();
    control_plane.is_some_and(|control_plane| control_plane.high_availability.is_some())
}
