// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, Help, rule};
use crate::rules::shoot::seed::placement::seed_name_path;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("seed_name_create_unauthorized.md"),
    id: "shoot/seed-name-create-unauthorized",
    summary: "rejects `spec.seedName` of a new Shoot without permission for `shoots/binding`",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create]],
    reads: [Verbs],
    findings: {
        UNAUTHORIZED = "shoot/seed-name-create-unauthorized": "the requesting user sets a seed without permission for `shoots/binding`",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, seed)) = shoot.new.and_then(|new| Some((new, new.seed_name()?))) else {
        return;
    };
    let user = &context.request.user_info.username;
    let path = seed_name_path();
    let name = &new.metadata.name;
    let may_bind = context.requester_may_on("update", "shoots", "binding", name);
    let what = format_args!("whether user `{user}` may bind Shoot `{name}`");
    if findings.known(may_bind, &path, what) == Some(false) {
        let message = format!(
            "setting `spec.seedName` needs the verb `update` on `shoots/binding`, which user `{user}` does not have"
        );
        findings
            .forbid(&UNAUTHORIZED, path, message)
            .value(seed)
            .help(Help::remove("leave spec.seedName out; the scheduler chooses a seed"));
    }
}
