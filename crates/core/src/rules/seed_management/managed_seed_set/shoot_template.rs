// SPDX-License-Identifier: Apache-2.0
use serde_json::{Value, json};

use crate::admission::{
    Change, Context, FieldPath, Finding, Findings, Kind, Phase, Rule, Template, rule,
};
use crate::config::Level;
use crate::rules::seed_management::completed::{Completed, at};
use crate::rules::seed_management::seed_template::move_below;
use crate::rules::shared::validation::{CHANGED, MISSING, check_annotation_map, check_label_map};
use crate::rules::shoot;
use garden_gate_model::api::Named;

rule! {
    page: include_str!("shoot_template.md"),
    id: "managedseedset/shoot-template",
    summary: "rejects an invalid template of the Shoots of a ManagedSeedSet",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [ManagedSeedSet [Create, Update]],
    findings: {
        CHANGED, MISSING,
        WORKERLESS = "managedseedset/no-workers": "the template of the Shoots has no workers",
        NETWORKING = "managedseedset/networking-removed": "the networks are removed from the template of the Shoots",
    },
    check: Judge(check),
}

/// The rules about Shoots that concern more than the `spec`, or that Gardener does not apply to a template.
const NOT_FOR_TEMPLATES: [&str; 9] = [
    "shoot/metadata-malformed",
    "shoot/machine-image-required",
    "shoot/encryption-change",
    "shoot/hibernated-change",
    "shoot/in-place-node-local-dns-toggle",
    "shoot/in-place-operations",
    "shoot/in-place-update-pending",
    "shoot/in-place-immutable-while-switching",
    "shoot/operation",
];
/// The rule about changes of a Shoot.
const IMMUTABLE: &str = "shoot/immutable-fields";
/// Fields that Gardener reports without the path of the template.
const UNPREFIXED: [&str; 2] =
    ["metadata.namespace", "spec.kubernetes.kubeControllerManager.nodeCIDRMaskSize"];

/// Returns the rules that validate the `spec` of a Shoot.
fn rules() -> Vec<&'static Rule> {
    const FOLDERS: [&[&Rule]; 9] = [
        shoot::RULES,
        shoot::tolerations::RULES,
        shoot::versions::RULES,
        shoot::images::RULES,
        shoot::hibernation::RULES,
        shoot::exposure::RULES,
        shoot::workers::RULES,
        shoot::seed::RULES,
        shoot::static_validation::RULES,
    ];
    let is_for_templates = |rule: &&'static Rule| {
        rule.phase == Phase::Static
            && rule.levels.gardener == Level::Deny
            && rule.reads.is_empty()
            && !NOT_FOR_TEMPLATES.contains(&rule.id)
    };
    FOLDERS.into_iter().flatten().copied().filter(is_for_templates).collect()
}

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let Some(objects) = Completed::of(context) else {
        return;
    };
    let place = FieldPath::new("spec.shootTemplate");
    objects.parts(|new, _| {
        if let Some(labels) = new.at(&["spec", "shootTemplate", "metadata", "labels"]) {
            check_label_map(labels, findings);
        }
        let annotations = new.at(&["spec", "shootTemplate", "metadata", "annotations"]);
        if let Some(annotations) = annotations {
            check_annotation_map(annotations, findings);
        }
        let workers = new.items_at(&["spec", "shootTemplate", "spec", "provider", "workers"]);
        if workers.is_empty() {
            let message = "the Shoots have no workers, and cannot be Seeds";
            let field = place.descendant("spec.provider.workers");
            findings.invalid(&WORKERLESS, field, message).help("add a worker pool");
        }
        for worker in workers {
            if let Some(image) = worker.at(&["machine", "image"])
                && image.text_at(&["name"]).is_empty()
            {
                let message = "the machine image has no name";
                let field = image.path().child("name");
                findings.required(&MISSING, field, message).help("set `name`");
            }
        }
    });
    let [new, old] = objects.at(&["spec", "shootTemplate"]);
    if !objects.old.is_null() {
        check_networks(new, old, &place, findings);
    }
    let is_update = !objects.old.is_null();
    let [new, old] = [Some(new), Some(old).filter(|_| is_update)].map(|it| it.map(described));
    let template =
        Template { kind: Kind::Shoot, objects: [new.as_ref(), old.as_ref()], rules: &rules() };
    let has_size = |it: &Option<Value>| {
        let manager = ["spec", "kubernetes", "kubeControllerManager"];
        let manager = it.as_ref().map(|it| at(it, &manager));
        manager.is_some_and(|it| it.get("nodeCIDRMaskSize").is_some())
    };
    let had_networks = old.as_ref().is_none_or(|it| !at(it, &["spec", "networking"]).is_null());
    let has_sizes = has_size(&new) || has_size(&old);
    template.judge(
        context,
        |review| {
            // Gardener derives the sizes of node networks for Shoots only.
            let is_size = |field: &str| field.contains(".nodeCIDRMaskSize");
            review.findings.retain(|it| has_sizes || !is_size(&it.field));
            // Networks that were absent may be added.
            let is_network = |field: &str| field.starts_with("spec.networking");
            let is_added = |it: &Finding| it.rule == IMMUTABLE && is_network(&it.field);
            review.findings.retain(|it| had_networks || !is_added(it));
            move_below(review, &place, &UNPREFIXED);
        },
        findings,
    );
}

/// Returns the Shoot that a template describes.
fn described(template: &Value) -> Value {
    let spec = at(template, &["spec"]);
    let of_metadata = |name| at(template, &["metadata", name]);
    let namespace = of_metadata("namespace").as_str().unwrap_or_default();
    let annotations = of_metadata("annotations");
    let annotations = if annotations.is_null() { json!({}) } else { annotations.clone() };
    let metadata = json!({"name": "shoot", "namespace": namespace, "annotations": annotations});
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": metadata,
        "spec": if spec.is_null() { json!({}) } else { spec.clone() },
    })
}

/// Mirrors ValidateShootTemplateUpdate in `pkg/api/core/validation/shoot.go`, which crashes if the networks are removed.
fn check_networks(new: &Value, old: &Value, place: &FieldPath, findings: &mut Findings) {
    let [new, old] = [new, old].map(|it| at(it, &["spec", "networking"]));
    let nodes = at(old, &["nodes"]);
    let field = place.descendant("spec.networking");
    if old.is_null() {
        return;
    }
    if new.is_null() && nodes.is_null() {
        let message = "the networks of the Shoots cannot be removed";
        findings.forbid(&NETWORKING, field, message).help("put the networks back");
        return;
    }
    // Nothing is filled in, so that an absent family differs from its default.
    let has_families = [new, old].map(|it| at(it, &["ipFamilies"]).as_array());
    let [new_has, old_has] = has_families.map(|it| it.is_some_and(|it| !it.is_empty()));
    if !new.is_null() && new_has != old_has {
        let message = "the address families cannot be added or removed";
        let field = field.child("ipFamilies");
        findings.forbid(&CHANGED, field, message).help("put the old value back");
    }
    if nodes.is_null() {
        return;
    }
    if new.is_null() {
        let message = "the networks of the Shoots cannot be removed; gardener-apiserver crashes on this request";
        findings.invalid(&NETWORKING, field, message).help("put the networks back");
    } else if at(new, &["nodes"]) != nodes {
        let message = format!("the field is immutable; it was {nodes}");
        findings.invalid(&CHANGED, field.child("nodes"), message).help("put the old value back");
    }
}
