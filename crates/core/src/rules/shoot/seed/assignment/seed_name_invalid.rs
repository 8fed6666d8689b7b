// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, Help, rule};
use crate::rules::shoot::seed::placement::seed_name_path;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("seed_name_invalid.md"),
    id: "shoot/seed-name-invalid",
    summary: "rejects an empty `spec.seedName`, and any on a self-hosted Shoot",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        EMPTY = "shoot/seed-name-empty": "`spec.seedName` is set but empty",
        SELF_HOSTED = "shoot/seed-name-self-hosted": "a self-hosted Shoot sets `spec.seedName`",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, name)) = shoot.new.and_then(|new| Some((new, new.seed_name()?))) else {
        return;
    };
    let mut add = |kind, message: String| {
        findings
            .invalid(kind, seed_name_path(), message)
            .value(name)
            .help(Help::remove("remove the field"));
    };
    if name.is_empty() {
        let message = "`spec.seedName` is empty; leave it out to have a seed chosen".to_owned();
        add(&EMPTY, message);
    }
    if new.is_self_hosted() {
        let message =
            format!("a pool hosts the control plane, so the Shoot cannot be on seed `{name}`");
        add(&SELF_HOSTED, message);
    }
}
