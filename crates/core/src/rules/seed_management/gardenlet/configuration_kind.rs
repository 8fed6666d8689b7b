// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, rule};
use crate::rules::seed_management::completed::{configuration_path, field};
use crate::rules::shared::lists::short;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::group_and_version;

rule! {
    page: include_str!("configuration_kind.md"),
    id: "gardenlet/configuration-kind",
    summary: "rejects a configuration of a gardenlet with another kind or API version",
    phase: Decoding,
    level: Deny,
    entry_point: Review,
    scopes: [
        ManagedSeed [Create, Update] [Itself, Status];
        ManagedSeedSet [Create, Update] [Itself, Status];
        Gardenlet [Create, Update] [Itself, Status];
    ],
    findings: {
        UNKNOWN = "gardenlet/configuration-kind": "the configuration has another kind or API version than `GardenletConfiguration`",
    },
    fixes: Suggestion,
    check: Written(check),
}

const GROUP: &str = "gardenlet.config.gardener.cloud";
const VERSION: &str = "v1alpha1";
const KIND: &str = "GardenletConfiguration";

fn check(context: &Context<'_>, findings: &mut Findings) {
    let Some(kind) = context.request.kind() else {
        return;
    };
    let path = configuration_path(kind);
    let Some(configuration) = Part::whole(context.new_opened()).at(path) else {
        return;
    };
    let mut report = |name: &'static str, written: &str, expected: String| {
        let at: FieldPath = field(path).child(name);
        let message =
            format!("`{}` is no `{name}` of a configuration of a gardenlet", short(written));
        let help = Help::set(format!("write `{expected}`"), expected);
        findings.unsupported(&UNKNOWN, at, message).help(help);
    };
    let written = configuration.text_at(&["kind"]);
    if !written.is_empty() && written != KIND {
        report("kind", &written, KIND.to_owned());
    }
    // An absent group or version is filled in if the other one fits.
    let written = configuration.text_at(&["apiVersion"]);
    let is_right = matches!(group_and_version(&written), ("", "") | (GROUP, "" | VERSION));
    if !is_right {
        report("apiVersion", &written, format!("{GROUP}/{VERSION}"));
    }
}
