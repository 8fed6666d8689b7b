// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Operation, Write, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Naming, Part, TOO_LONG, check_label_of_type, check_metadata,
    extension_types,
};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("metadata_malformed.md"),
    id: "shoot/metadata-malformed",
    summary: "rejects an invalid name, label, annotation or finalizer of a Shoot",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED, MISSING, TOO_LONG, HYPHENS = "shoot/name-with-two-hyphens": "the name contains two consecutive hyphens",
        LABEL = "shoot/extension-type-unfit-for-label": "an extension type is not valid in a label",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let received = Part::whole(context.new_opened());
    check_metadata(context, Naming::Label, findings);
    check_hyphens(new, findings);
    if context.request.operation == Operation::Create || context.difference().specs().is_some() {
        check_extension_labels(&received, findings);
    }
}

fn check_hyphens(shoot: &Shoot, findings: &mut Findings) {
    let name = &shoot.metadata.name;
    if name.contains("--") {
        let message = format!("the name `{name}` has two hyphens in a row");
        let field = FieldPath::new("metadata.name");
        findings.invalid(&HYPHENS, field, message).value(name.as_str()).help(
            "choose another name; `--` stands between the parts of names that Gardener makes",
        );
    }
}

/// Checks the types as names of labels.
///
/// Mirrors `plugin/pkg/global/extensionlabels`: each type becomes the name of a label.
fn check_extension_labels(received: &Part<'_>, findings: &mut Findings) {
    for named in types(received) {
        let text = named.text().unwrap_or_default();
        check_label_of_type(&LABEL, &text, named.path(), findings);
    }
}

/// Returns the types and images that become labels.
fn types<'a>(shoot: &Part<'a>) -> Vec<Part<'a>> {
    let of = |part: &Part<'a>, path: &[&'static str], field: &'static str| {
        let items = part.items_at(path);
        let named = items.into_iter().filter_map(|it| it.at(&[field]));
        named.collect::<Vec<_>>()
    };
    let mut types = of(shoot, &["spec", "dns", "providers"], "type");
    types.extend(shoot.at(&["spec", "networking", "type"]));
    types.push(
        shoot
            .at(&["spec", "provider", "type"])
            .unwrap_or_else(|| Part::absent("spec.provider.type")),
    );
    types.extend(extension_types(shoot));
    for pool in super::pools(shoot) {
        let image = pool.at(&["machine", "image"]);
        types.extend(image.map(|it| it.at(&["name"]).unwrap_or(it)));
        types.extend(of(&pool, &["cri", "containerRuntimes"], "type"));
        types.extend(pool.at(&["controlPlane", "exposure", "extension", "type"]));
    }
    types
}
