// SPDX-License-Identifier: Apache-2.0
use super::enablement::UsedExtension;
use super::received;
use crate::admission::{Change, Context, Findings, rule};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("extension_missing.md"),
    id: "hardened/extension-missing",
    summary: "warns about a Shoot without a required extension",
    phase: Admission,
    level: { documented: Off, gardener: Off, hardened: Warn },
    scopes: [Shoot [Create, Update]],
    reads_offline: [ControllerRegistration],
    findings: {
        MISSING = "hardened/extension-missing": "the Shoot does not use a required extension",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let required = &context.config.hardened.required_extensions;
    let Some(shoot) = received(context, shoot).filter(|_| !required.is_empty()) else {
        return;
    };
    for class in required {
        UsedExtension::find(context, (&shoot, class), &MISSING, findings);
    }
}
