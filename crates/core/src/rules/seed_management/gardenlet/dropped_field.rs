// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, rule};
use crate::rules::object::listed::path_below;
use crate::rules::shared::lists::short;
use garden_gate_model::api::Step;
use garden_gate_text::nearest::did_you_mean;

rule! {
    page: include_str!("dropped_field.md"),
    id: "gardenlet/dropped-field",
    summary: "warns about unknown fields in the configuration of a gardenlet, which are dropped",
    phase: Decoding,
    level: { documented: Warn, gardener: Off },
    entry_point: Review,
    scopes: [
        ManagedSeed [Create, Update];
        ManagedSeedSet [Create, Update];
        Gardenlet [Create, Update];
    ],
    findings: { DROPPED = "gardenlet/dropped-field": "an unknown field of a configuration is dropped" },
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    let Some((_, errors)) = context.strict_errors() else {
        return;
    };
    let version = context.config.gardener_version;
    for (place, object) in &errors.dropped.first {
        let Some(Step::Unknown(name)) = place.last() else {
            continue;
        };
        let names: Vec<&str> = object.fields_in(version).map(|it| it.name).collect();
        let hint = did_you_mean(name, &names).map(|it| format!("; {it}")).unwrap_or_default();
        let message =
            format!("`{}` is no field of the configuration and is dropped{hint}", short(name));
        let path = path_below(FieldPath::root(), place);
        findings.invalid(&DROPPED, path, message).help(Help::from("correct or remove it"));
    }
}
