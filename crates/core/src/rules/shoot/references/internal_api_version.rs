// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("internal_api_version.md"),
    id: "shoot/internal-api-version",
    summary: "rejects provider configurations of the API version `__internal`",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    only_if: Changed,
    findings: {
        INTERNAL = "shoot/internal-api-version": "a provider configuration has an internal API version",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Write<'_, Shoot>, findings: &mut Findings) {
    let spec = Part::whole(context.new_opened()).at(&["spec"]);
    for part in spec.iter().flat_map(configurations) {
        if let Some(version) = internal_version(&part) {
            let message = format!("`{version}` is an internal API version");
            findings
                .invalid(&INTERNAL, part.path().clone(), message)
                .value(version)
                .help("write a version that the extension documents, such as `v1alpha1`");
        }
    }
}

fn configurations<'a>(spec: &Part<'a>) -> Vec<Part<'a>> {
    let single = [
        &["provider", "infrastructureConfig"][..],
        &["provider", "controlPlaneConfig"],
        &["networking", "providerConfig"],
    ];
    let mut parts: Vec<_> = single.into_iter().filter_map(|path| spec.at(path)).collect();
    for pool in spec.items_at(&["provider", "workers"]) {
        parts.extend(pool.at(&["providerConfig"]));
        parts.extend(pool.at(&["machine", "image", "providerConfig"]));
        let runtimes = pool.items_at(&["cri", "containerRuntimes"]).into_iter();
        parts.extend(runtimes.filter_map(|runtime| runtime.at(&["providerConfig"])));
    }
    parts
}

/// Returns the API version if it is internal; a version with two slashes is not a valid one.
fn internal_version(part: &Part<'_>) -> Option<String> {
    let version = part.text_at(&["apiVersion"]);
    let (group, name) = version.split_once('/').unwrap_or(("", &version));
    (name == "__internal" && !group.contains('/')).then_some(version)
}
