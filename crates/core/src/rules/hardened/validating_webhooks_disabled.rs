// SPDX-License-Identifier: Apache-2.0
use super::{ADMISSION_PLUGINS, received};
use crate::admission::{Change, Context, Findings, Help, rule};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("validating_webhooks_disabled.md"),
    id: "hardened/validating-webhooks-disabled",
    summary: "warns about an API server without validating webhooks",
    phase: Admission,
    level: { documented: Off, gardener: Off, hardened: Warn },
    scopes: [Shoot [Create, Update]],
    findings: {
        DISABLED = "hardened/validating-webhooks-disabled": "the admission plugin `ValidatingAdmissionWebhook` is disabled",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const PLUGIN: &str = "ValidatingAdmissionWebhook";

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(shoot) = received(context, shoot) else {
        return;
    };
    let mut plugins =
        shoot.items_at(ADMISSION_PLUGINS).into_iter().filter(|it| it.text_at(&["name"]) == PLUGIN);
    let disabled = plugins.find(|it| it.flag_at(&["disabled"]) == Some(true));
    if let Some(plugin) = disabled {
        let message = format!("admission plugin `{PLUGIN}` is disabled");
        findings
            .forbid(&DISABLED, plugin.path().child("disabled"), message)
            .value(true)
            .help(Help::remove("remove `disabled`"));
    }
}
