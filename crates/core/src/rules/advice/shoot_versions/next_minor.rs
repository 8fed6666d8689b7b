// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shared::validation::Part;
use crate::rules::shoot::static_validation::{gated, gates};
use garden_gate_model::api::kubernetes::{Offered, Tables, next_minor};
use garden_gate_model::api::{GardenerVersion, Shoot};
use garden_gate_text::json::Json;

rule! {
    page: include_str!("next_minor.md"),
    id: "advice/next-minor",
    summary: "warns about feature gates, plugins and APIs removed in the next Kubernetes minor version",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    entry_point: Review,
    scopes: [Shoot [Create, Update]],
    findings: {
        REMOVED = "advice/next-minor": "the next Kubernetes minor version does not support a setting or its value",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// A setting that prevents the update to the next minor version.
#[derive(PartialEq)]
struct Obstacle {
    field: FieldPath,
    message: String,
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let gardener = context.config.gardener_version;
    // The next version is known even if no known Gardener knows it.
    let is_newest = gardener >= GardenerVersion::NEWEST;
    let known = if is_newest { Tables::newest() } else { Tables::of(gardener) };
    let before = match shoot.old {
        Some(old) => obstacles(old, context.old_opened(), known),
        None => Vec::new(),
    };
    for obstacle in obstacles(new, context.new_opened(), known) {
        if !before.contains(&obstacle) {
            let Obstacle { field, message } = obstacle;
            findings
                .invalid(&REMOVED, field, message)
                .help(Help::remove("remove it before the update"));
        }
    }
}

fn obstacles(shoot: &Shoot, object: &Json<'_>, known: Tables) -> Vec<Obstacle> {
    let object = Part::whole(object);
    let mut all = Vec::new();
    for (component, version) in gated(shoot, &object) {
        for (gate, value) in gates(&component) {
            let at = || component.path().child("featureGates").child_called(&gate);
            let what = format!("feature gate `{gate}`");
            let Some(offered) = known.feature_gates.get(gate.as_str()) else {
                continue;
            };
            all.extend(lacking(offered, version, &what, at));
            all.extend(fixed(offered, version, &what, value, at));
        }
    }
    let version = &*shoot.spec.kubernetes.version;
    let server = object.at(&["spec", "kubernetes", "kubeAPIServer"]);
    let plugins = server.iter().flat_map(|it| it.items_at(&["admissionPlugins"]));
    for plugin in plugins {
        let name = plugin.text_at(&["name"]);
        let what = format!("admission plugin `{name}`");
        let offered = known.admission_plugins.get(name.as_str());
        let at = || plugin.path().child("name");
        all.extend(offered.and_then(|it| lacking(it, version, &what, at)));
    }
    let apis = server.iter().filter_map(|it| it.at(&["runtimeConfig"]));
    for (api, value) in apis.flat_map(|it| it.entries()) {
        let what = format!("API `{api}`");
        let at = || value.path().clone();
        let offered = known.apis.get(api.as_str());
        all.extend(offered.and_then(|it| lacking(it, version, &what, at)));
    }
    all
}

/// Returns the violation of a setting that a version has and the next minor version lacks.
fn lacking(
    offered: &Offered,
    version: &str,
    what: &str,
    at: impl Fn() -> FieldPath,
) -> Option<Obstacle> {
    let next = next_minor(version)?;
    let is_lost = offered.is_in(version) && !offered.is_in(&next);
    is_lost.then(|| {
        let message = format!("Kubernetes `{next}` has no {what} any more");
        Obstacle { field: at(), message }
    })
}

/// Returns the violation of a gate whose value a version allows and the next minor version forbids.
fn fixed(
    offered: &Offered,
    version: &str,
    what: &str,
    value: bool,
    at: impl Fn() -> FieldPath,
) -> Option<Obstacle> {
    let next = next_minor(version)?;
    let forbids = |version: &str| offered.locked(version).is_some_and(|only| only != value);
    let is_lost = offered.is_in(&next) && !forbids(version) && forbids(&next);
    is_lost.then(|| {
        let message = format!("in Kubernetes `{next}` {what} cannot be {value} any more");
        Obstacle { field: at(), message }
    })
}
