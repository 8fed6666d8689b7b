// SPDX-License-Identifier: Apache-2.0
use super::enablement::UsedExtension;
use super::received;
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::lakom::{EXTENSION, SCOPES};

rule! {
    page: include_str!("lakom_missing.md"),
    id: "hardened/lakom-missing",
    summary: "warns about a Shoot without verification of image signatures by Lakom",
    phase: Admission,
    level: { documented: Off, gardener: Off, hardened: Warn },
    scopes: [Shoot [Create, Update]],
    reads_offline: [ControllerRegistration],
    findings: {
        MISSING = "hardened/lakom-missing": "the Shoot does not use the extension `shoot-lakom-service`",
        SCOPE = "hardened/lakom-scope": "the scope of the extension `shoot-lakom-service` is unsupported",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(shoot) = received(context, shoot) else {
        return;
    };
    let (_, class) = EXTENSION.resource;
    let used = UsedExtension::find(context, (&shoot, class), &MISSING, findings);
    let entry = used.and_then(|it| it.entry);
    let Some(scope) = entry.and_then(|it| it.at(&["providerConfig", "scope"])) else {
        return;
    };
    if let Some(name) = scope.text().filter(|it| !SCOPES.contains(&it.as_str())) {
        let message = format!("the scope `{}` of `{class}` is unsupported", short(&name));
        findings
            .unsupported(&SCOPE, scope.path().clone(), message)
            .help(one_of(&name, SCOPES))
            .value(name);
    }
}
