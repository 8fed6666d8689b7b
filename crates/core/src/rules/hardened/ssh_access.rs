// SPDX-License-Identifier: Apache-2.0
use super::{received, written};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("ssh_access.md"),
    id: "hardened/ssh-access",
    summary: "warns about SSH access to nodes",
    phase: Admission,
    level: { documented: Off, gardener: Off, hardened: Warn },
    scopes: [Shoot [Create, Update]],
    findings: {
        ENABLED = "hardened/ssh-access": "SSH access to the nodes is not disabled",
    },
    check: Judge(check),
}

const FIELD: &str = "spec.provider.workersSettings.sshAccess.enabled";

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, received)) = written(shoot).zip(received(context, shoot)) else {
        return;
    };
    let access = received.at(&["spec", "provider", "workersSettings", "sshAccess"]);
    let message = match access.map(|it| it.flag_at(&["enabled"])) {
        None => "SSH access to the nodes is enabled by default",
        Some(Some(true)) => "SSH access to the nodes is enabled",
        // Without `enabled`, Gardener does not add its default, and the field is false.
        Some(_) => return,
    };
    let help = if new.is_workerless() {
        // The field is forbidden there.
        "the Shoot has no nodes: silence the warning with the annotation `ignore.garden-gate.dev/hardened.ssh-access: no nodes`"
    } else {
        "set `spec.provider.workersSettings.sshAccess.enabled: false`"
    };
    findings.forbid(&ENABLED, FieldPath::new(FIELD), message).help(help);
}
