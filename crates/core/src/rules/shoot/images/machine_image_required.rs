// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shoot::workers::pool_pairs;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("machine_image_required.md"),
    id: "shoot/machine-image-required",
    summary: "rejects a worker pool without machine image name and version",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        REQUIRED = "shoot/machine-image-required": "a pool has no machine image, or one without name or version",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    for pool in pool_pairs::pairs(new, shoot.old) {
        let path = || pool.path().child("machine").child("image");
        let name = &pool.new.name;
        let mut missing = |path, what: &str| {
            let message = format!("{what} of pool `{name}` is missing");
            findings
                .required(&REQUIRED, path, message)
                .help("name an image of the profile, and its version");
        };
        match &pool.new.machine.image {
            None => missing(path(), "the machine image"),
            Some(image) => {
                if image.name.is_empty() {
                    missing(path().child("name"), "the name of the machine image");
                }
                if image.version.is_empty() {
                    missing(path().child("version"), "the version of the machine image");
                }
            }
        }
    }
}
