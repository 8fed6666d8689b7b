// SPDX-License-Identifier: Apache-2.0
//! The Seed that a gardenlet registers, as a template.

use serde_json::{Value, json};

use crate::admission::{Context, FieldPath, Findings, Kind, Review, Rule, Template};
use crate::rules::seed;

/// Evaluates rules about Seeds for the Seed in a configuration, which is `at` a path.
///
/// Gardener validates the `spec` as that of a Seed; values that are filled in later may be absent.
pub(super) fn judge_seed(
    context: &Context<'_>,
    (name, seeds): (&str, [&Value; 2]),
    rules: &[&'static Rule],
    at: &FieldPath,
    findings: &mut Findings,
) {
    let seeds = seeds.map(|template| {
        template.is_object().then(|| {
            let spec = template.get("spec").filter(|it| !it.is_null());
            json!({
                "apiVersion": "core.gardener.cloud/v1beta1",
                "kind": "Seed",
                "metadata": {"name": name},
                "spec": spec.cloned().unwrap_or_else(|| json!({})),
            })
        })
    });
    let [new, old] = [&seeds[0], &seeds[1]].map(Option::as_ref);
    let template = Template { kind: Kind::Seed, objects: [new, old], rules };
    template.judge(context, |review| move_below(review, at, &[]), findings);
}

/// The rules that validate the `spec` of a Seed.
pub(super) const STATIC: &[&Rule] = seed::TEMPLATE_RULES;
/// The rules about changes of a Seed with Shoots.
pub(super) const IN_USE: &[&Rule] = seed::IN_USE_RULES;

/// Changes the fields of findings about a template to those of the object around it.
///
/// Gardener reports some fields without the path of the template; these stay.
pub(super) fn move_below(review: &mut Review, at: &FieldPath, stays: &[&str]) {
    let (path, pointer) = (at.to_string(), at.pointer());
    let below = |field: &str| match field {
        "" => path.clone(),
        field => format!("{path}.{field}"),
    };
    for finding in &mut review.findings {
        if !stays.contains(&finding.field.as_str()) {
            finding.field = below(&finding.field);
        }
        finding.pointer = format!("{pointer}{}", finding.pointer);
        finding.fixes.clear();
    }
    for it in &mut review.undetermined {
        it.field = below(&it.field);
    }
}
