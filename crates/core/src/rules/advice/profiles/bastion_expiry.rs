// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::cloud_profile::bastion_image::candidates;
use garden_gate_model::api::CloudProfile;
use garden_gate_model::gardener::version::expiry;

rule! {
    page: include_str!("bastion_expiry.md"),
    id: "advice/bastion-expiry",
    summary: "warns about a bastion whose usable image versions all have an expiration date",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [CloudProfile [Create, Update]],
    findings: {
        EXPIRES = "advice/bastion-expiry": "every image version that the bastion may use expires",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let new = profile.new;
    let candidates = candidates(&new.spec, context.now);
    let dates: Option<Vec<_>> = candidates.into_iter().map(expiry).collect();
    let Some(last) = dates.and_then(|dates| dates.into_iter().max()) else {
        return;
    };
    let message = format!(
        "no image version for bastions is left after `{last}`; then every update of the profile is refused"
    );
    let path = FieldPath::new("spec.bastion.machineImage");
    findings
        .invalid(&EXPIRES, path, message)
        .value(last.to_string())
        .help("add a supported version without an expiration date");
}
