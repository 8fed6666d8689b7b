// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::lists::list;
use crate::rules::shoot::seed::placement::{new_seed, seed_name_path};
use crate::rules::shoot::tolerations;
use garden_gate_model::api::{Seed, Shoot, Tolerated};

rule! {
    page: include_str!("seed_taints_not_tolerated.md"),
    id: "shoot/seed-taints-not-tolerated",
    summary: "rejects a seed with taints that the Shoot does not tolerate",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create]; Shoot [Update] [Binding]],
    reads: [Seed],
    findings: {
        NOT_TOLERATED = "shoot/seed-taints-not-tolerated": "the new seed of the Shoot has a taint that the Shoot does not tolerate",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, seed)) = new_seed(context, shoot, findings) else {
        return;
    };
    if Tolerated::by(&new.spec.tolerations).cover(&seed.spec.taints) {
        return;
    }
    if tolerations::are_incomplete(context) {
        let message = "cannot tell which tolerations are filled in: the Project or the ExposureClass of the Shoot is not known";
        findings.undetermined(&FieldPath::new("spec.tolerations"), message);
        return;
    }
    let (message, help) = explain(new, &seed);
    let path = seed_name_path();
    findings.forbid(&NOT_TOLERATED, path, message).value(seed.metadata.name.clone()).help(help);
}

fn explain(shoot: &Shoot, seed: &Seed) -> (String, String) {
    let name = &seed.metadata.name;
    let missing = Tolerated::by(&shoot.spec.tolerations).untolerated(&seed.spec.taints);
    if missing.is_empty() {
        let (taints, tolerations) = (seed.spec.taints.len(), shoot.spec.tolerations.len());
        let message = format!(
            "seed `{name}` has {taints} taints and the Shoot {tolerations} tolerations; it needs at least as many"
        );
        let help = "add a toleration for each taint, or choose another seed".to_owned();
        return (message, help);
    }
    let missing = list(missing);
    let message = format!("the Shoot does not tolerate these taints of seed `{name}`: {missing}");
    let help =
        format!("add tolerations for {missing}, as the last of their keys, or choose another seed");
    (message, help)
}
