// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use crate::admission::{Change, Context, FieldPath, Findings, Help, rule};
use crate::rules::seed_management::completed::Completed;
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Naming, OUT_OF_RANGE, Part, Section, TOO_LONG, UNFITTING,
    UNSUPPORTED, check as check_form, check_annotation_map, check_label_map, check_metadata,
    check_selector,
};
use garden_gate_model::api::{GARDEN_NAMESPACE, Named};

rule! {
    page: include_str!("form.md"),
    id: "managedseedset/form",
    summary: "rejects an invalid selector, template, strategy or status of a ManagedSeedSet",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [ManagedSeedSet [Create, Update] [Itself, Status]],
    findings: {
        MALFORMED, MISSING, OUT_OF_RANGE, TOO_LONG, UNFITTING, UNSUPPORTED,
        UNSELECTED = "managedseedset/template-not-selected": "the labels of a template do not match the selector",
        DECREASED = "managedseedset/status-decreased": "a number of the status decreases",
    },
    check: Judge(check),
}

const SPEC: Section = Section {
    kind: "ManagedSeedSet",
    at: &["spec"],
    except: &[
        "ManagedSeedTemplate",
        "ShootTemplate",
        "LabelSelector",
        "ManagedSeedSetUpdateStrategy",
    ],
};
const ROLLING_UPDATE: Section = Section {
    kind: "ManagedSeedSet",
    at: &["spec", "updateStrategy", "rollingUpdate"],
    except: &[],
};
const STATUS: Section = Section { kind: "ManagedSeedSet", at: &["status"], except: &["Condition"] };

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    if context.request.sub_resource == "status" {
        return check_status(context, findings);
    }
    check_metadata(context, Naming::Subdomain, findings);
    if context.request.namespace != GARDEN_NAMESPACE {
        let message = format!("a ManagedSeedSet can only be in namespace `{GARDEN_NAMESPACE}`");
        findings
            .invalid(&UNFITTING, FieldPath::new("metadata.namespace"), message)
            .help(format!("use namespace `{GARDEN_NAMESPACE}`"));
    }
    let facts = Facts::without_shoot(context);
    check_form(SPEC, context.new_opened(), facts, findings);
    if let Some(objects) = Completed::of(context) {
        objects.parts(|new, _| {
            check_strategy(context, new, findings);
            check_selected(new, findings);
            check_template(new, findings);
        });
    }
}

fn check_strategy(context: &Context<'_>, set: &Part<'_>, findings: &mut Findings) {
    let field = FieldPath::new("spec.updateStrategy.type");
    match set.text_at(&["spec", "updateStrategy", "type"]).as_str() {
        "" => {
            let message = "the strategy has no type";
            findings.required(&MISSING, field, message).help("write `RollingUpdate`");
        }
        "RollingUpdate" => {
            if set.at(ROLLING_UPDATE.at).is_some() {
                let facts = Facts::without_shoot(context);
                check_form(ROLLING_UPDATE, context.new_opened(), facts, findings);
            }
        }
        other => {
            let message = format!("`{other}` is no type of a strategy");
            let help = Help::set("write `RollingUpdate`", "RollingUpdate");
            findings.unsupported(&UNSUPPORTED, field, message).help(help);
        }
    }
}

/// Checks the selector, and that the labels of all templates match it.
fn check_selected(set: &Part<'_>, findings: &mut Findings) {
    let field = || FieldPath::new("spec.selector");
    let selector = set.at(&["spec", "selector"]);
    let count = |name| {
        let requirements = selector.as_ref().and_then(|it| it.at(&[name]));
        requirements.map_or(0, |it| it.items().len() + it.entries().len())
    };
    let Some(selector) =
        selector.as_ref().filter(|_| count("matchLabels") + count("matchExpressions") > 0)
    else {
        let message = "the selector is empty";
        findings.invalid(&MISSING, field(), message).help("select labels of the templates");
        return;
    };
    if findings.would_find(|findings| check_selector(selector, findings)) {
        check_selector(selector, findings);
        let message = "the selector is invalid";
        findings.invalid(&MALFORMED, field(), message).help("correct its requirements");
        return;
    }
    let seed: &[_] = &["spec", "template", "spec", "gardenlet", "config", "seedConfig", "metadata"];
    let is_there = set.at(&seed[..seed.len() - 1]).is_some();
    let templates = [&["spec", "template", "metadata"][..], &["spec", "shootTemplate", "metadata"]];
    for path in templates.into_iter().chain(is_there.then_some(seed)) {
        let labels = set.at(path).and_then(|it| it.at(&["labels"]));
        let labels = labels.map(|it| it.entries()).unwrap_or_default();
        let labels = labels.into_iter().filter_map(|(key, value)| Some((key, value.text()?)));
        if !matches(selector, &labels.collect()) {
            let field = path.iter().fold(FieldPath::root(), |at, name| at.child(name));
            let message = "the selector does not match the labels of the template";
            findings
                .invalid(&UNSELECTED, field.child("labels"), message)
                .help("add the labels that `spec.selector` selects");
        }
    }
}

/// Reports whether a valid selector matches labels.
fn matches(selector: &Part<'_>, labels: &BTreeMap<String, String>) -> bool {
    let equal = selector.at(&["matchLabels"]).map(|it| it.entries()).unwrap_or_default();
    let is_equal = |(key, value): (String, Part<'_>)| {
        labels.get(&key).is_some_and(|it| *it == value.text().unwrap_or_default())
    };
    let fulfils = |it: Part<'_>| {
        let own = labels.get(&it.text_at(&["key"]));
        let is_listed =
            own.is_some_and(|own| it.texts_at(&["values"]).iter().any(|(_, value)| value == own));
        match it.text_at(&["operator"]).as_str() {
            "In" => is_listed,
            "NotIn" => !is_listed,
            "Exists" => own.is_some(),
            _ => own.is_none(),
        }
    };
    equal.into_iter().all(is_equal)
        && selector.items_at(&["matchExpressions"]).into_iter().all(fulfils)
}

/// Checks the template of the ManagedSeeds, except its gardenlet.
fn check_template(set: &Part<'_>, findings: &mut Findings) {
    let Some(template) = set.at(&["spec", "template"]) else {
        return require_seed(findings);
    };
    if let Some(labels) = template.at(&["metadata", "labels"]) {
        check_label_map(labels, findings);
    }
    if let Some(annotations) = template.at(&["metadata", "annotations"]) {
        check_annotation_map(annotations, findings);
    }
    if let Some(shoot) = template.at(&["spec", "shoot"]) {
        let message = "the set creates the Shoots of its ManagedSeeds";
        let help = Help::remove("remove it");
        findings.forbid(&UNFITTING, shoot.path().clone(), message).help(help);
    }
    if template.at(&["spec", "gardenlet", "config", "seedConfig"]).is_none() {
        require_seed(findings);
    }
}

fn require_seed(findings: &mut Findings) {
    let field = FieldPath::new("spec.template.spec.gardenlet.config.seedConfig");
    let message = "the configuration has no Seed";
    findings.required(&MISSING, field, message).help("set `seedConfig`");
}

fn check_status(context: &Context<'_>, findings: &mut Findings) {
    check_form(STATUS, context.new_opened(), Facts::without_shoot(context), findings);
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    let number = |object: &Part<'_>, name| object.number_at(&["status", name]);
    let count = |name| number(&new, name).unwrap_or_default();
    for name in ["readyReplicas", "currentReplicas", "updatedReplicas"] {
        if count(name) > count("replicas") {
            let message = format!("`{name}` is greater than `replicas`");
            let field = FieldPath::new("status").child(name);
            findings.invalid(&OUT_OF_RANGE, field, message).help("correct the number");
        }
    }
    let next = "nextReplicaNumber";
    let mut decreased = vec![];
    if count(next) < number(&old, next).unwrap_or_default() {
        decreased.push(next);
    }
    let collisions = [&new, &old].map(|it| number(it, "collisionCount"));
    // A missing number is less than any other.
    if collisions[0] < collisions[1] {
        decreased.push("collisionCount");
    }
    for name in decreased {
        let message = format!("`{name}` decreases");
        let field = FieldPath::new("status").child(name);
        findings.invalid(&DECREASED, field, message).help("put the old value back");
    }
    if let Some(replica) = new.at(&["status", "pendingReplica"]) {
        check_replica(&replica, &new.text_at(&["metadata", "name"]), findings);
    }
}

/// Checks that the name of the pending replica is that of the set, `-` and an ordinal.
fn check_replica(replica: &Part<'_>, set: &str, findings: &mut Findings) {
    let name = replica.text_at(&["name"]);
    let is_ordinal = |it: &str| it.bytes().all(|b| b.is_ascii_digit()) && it.parse::<i32>().is_ok();
    let is_right =
        name.rsplit_once('-').is_some_and(|(own, ordinal)| own == set && is_ordinal(ordinal));
    if !is_right {
        let message = format!("`{name}` is no replica of `{set}`");
        findings
            .invalid(&MALFORMED, replica.path().child("name"), message)
            .help(format!("write it like `{set}-0`"));
    }
}
