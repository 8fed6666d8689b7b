// SPDX-License-Identifier: Apache-2.0
use jiff::SignedDuration;

use crate::admission::{Change, Context, Findings, rule};
use crate::rules::advice::shoot_versions::versions_in_use::AdvisedShoot;
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::version::maintenance::{Forced, Targets, Window};

rule! {
    page: include_str!("version_expiring.md"),
    id: "advice/version-expiring",
    summary: "warns about a version of a Shoot that expires soon",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Create, Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: { EXPIRING = "advice/version-expiring": "a version of the Shoot expires soon" },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(advised) = AdvisedShoot::of(context, shoot) else {
        return;
    };
    let spec = advised.spec();
    let now = context.now;
    let window = Window::of(advised.new);
    let targets = Targets::of(advised.new, spec);
    for used in advised.uses(spec) {
        let Forced::Later { expires, latest, .. } = used.forced(window, now) else {
            continue;
        };
        if expires.duration_since(now) > context.config.advice.expiring_within {
            continue;
        }
        findings.report_lazily(&EXPIRING, |findings| {
            let then = expires.checked_add(SignedDuration::from_nanos(1));
            let (says, help) = match used.target(&targets, then.unwrap_or(expires)) {
                Some(to) => (
                    format!("expires at `{expires}`; update to `{to}`"),
                    format!("maintenance does it by force, at the latest at `{latest}`"),
                ),
                None => (
                    format!("expires at `{expires}`, and the profile has nothing to go to"),
                    "ask for a later version in the profile".to_owned(),
                ),
            };
            used.advice(&EXPIRING, &says, findings).help(help);
        });
    }
}
