// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::advice::shoot_versions::versions_in_use::AdvisedShoot;
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::version::maintenance::{Forced, Targets, Window, runs_at};

rule! {
    page: include_str!("version_expired_in_use.md"),
    id: "advice/version-expired-in-use",
    summary: "warns about an expired or removed version that a Shoot uses",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        EXPIRED = "advice/version-expired-in-use": "the Shoot uses a version that has expired",
        GONE = "advice/version-gone-in-use": "the Shoot uses a version that the profile no longer lists",
    },
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
    let next = if runs_at(advised.new, now) { now } else { window.first_after(now).unwrap_or(now) };
    for used in advised.uses(spec) {
        if used.forced(window, now) != Forced::NextRun {
            continue;
        }
        let (kind, why) = match used.classification(now) {
            Some(_) => (&EXPIRED, "has expired"),
            None if used.changed => continue,
            None => (&GONE, "has left the profile"),
        };
        findings.report_lazily(kind, |findings| {
            let (says, help) = match used.target(&targets, next) {
                Some(to) => (
                    format!("{why}; maintenance forces `{to}`, from `{next:.0}` on"),
                    "update it yourself before that",
                ),
                None => (
                    format!("{why}, and the profile has nothing to go to"),
                    "ask for a later version in the profile",
                ),
            };
            used.advice(kind, &says, findings).help(help);
        });
    }
}
