// SPDX-License-Identifier: Apache-2.0
//! Defaults from the garden: with fewer known objects, rules never report more findings.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use garden_gate_core::admission::{Case, EntryPoint, Request, Review, Stage, World};
use garden_gate_core::config::Config;
use garden_gate_core::garden::Snapshot;
use garden_gate_core::rules;
use garden_gate_model::api::{Kind, Shoot};
use garden_gate_model::gardener::defaults;
use garden_gate_text::json::Json;
use jiff::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};

use crate::{recorded, sweep};

/// Recorded requests for Shoots, with their garden.
struct Recorded {
    garden: Snapshot,
    config: Config,
    requests: Vec<Value>,
}

static RECORDED: LazyLock<Vec<Recorded>> = LazyLock::new(|| {
    let files = fs::read_dir("tests/conformance").unwrap();
    let mut files: Vec<PathBuf> = files.map(|it| it.unwrap().path()).collect();
    files.retain(|it| it.extension().is_some_and(|extension| extension == "gz"));
    files.sort();
    files.iter().flat_map(|file| family(file)).collect()
});

/// One in this many requests of a family of an extension is used, because its Shoots are much alike.
const EXTENSION_STEP: usize = 8;

fn family(file: &Path) -> Vec<Recorded> {
    let name = file.file_name().unwrap().to_string_lossy();
    let step = if name.starts_with("ext_") { EXTENSION_STEP } else { 1 };
    let family = recorded::read(file);
    let gardens = family["gardens"].as_array().unwrap().iter();
    let recorded = gardens.map(|recorded| {
        let (garden, config) = recorded::garden(recorded);
        Recorded {
            garden,
            config: sweep::everything_on(&config, rules::ALL),
            requests: requests(recorded).into_iter().step_by(step).collect(),
        }
    });
    recorded.collect()
}

fn requests(garden: &Value) -> Vec<Value> {
    let cases = garden["cases"].as_array().unwrap().iter();
    let requests = cases.map(|case| recorded::review(case)["request"].clone());
    requests.filter(is_of_shoot).collect()
}

fn is_of_shoot(request: &Value) -> bool {
    let operation = request["operation"].as_str().unwrap();
    request["resource"]["resource"] == "shoots" && ["CREATE", "UPDATE"].contains(&operation)
}

#[test]
fn typed_defaults_of_recorded_shoots_are_those_of_their_json() {
    for request in RECORDED.iter().flat_map(|it| &it.requests) {
        let namespace = request["namespace"].as_str().unwrap_or_default();
        for object in [&request["object"], &request["oldObject"]] {
            let Ok(mut typed) = serde_json::from_value::<Shoot>(object.clone()) else {
                continue;
            };
            defaults::shoot(&mut typed, namespace);
            let [typed, given] = [&json!(typed), object].map(|shoot| {
                let mut spec = Json::of(&shoot["spec"]);
                defaults::shoot_spec_json(&mut spec, namespace);
                let shoot = json!({"spec": spec.opened().to_value()});
                json!(serde_json::from_value::<Shoot>(shoot).unwrap())
            });
            assert_eq!(typed, given, "{object}");
        }
    }
}

/// The objects of a request from which defaulted fields are removed.
#[derive(Clone, Copy, Debug)]
enum Leaving {
    Nothing,
    InNew,
    InOld,
    InBoth,
}

fn leave_out(request: &Value, leaving: Leaving) -> Value {
    let fields: &[&str] = match leaving {
        Leaving::Nothing => &[],
        Leaving::InNew => &["object"],
        Leaving::InOld => &["oldObject"],
        Leaving::InBoth => &["object", "oldObject"],
    };
    let mut request = request.clone();
    for field in fields {
        strip(&mut request[*field]);
    }
    request
}

/// Removes the fields of a Shoot that defaulting takes from its CloudProfile.
fn strip(shoot: &mut Value) {
    if let Some(kubernetes) = shoot.pointer_mut("/spec/kubernetes").and_then(Value::as_object_mut) {
        kubernetes.remove("version");
    }
    let pools = shoot.pointer_mut("/spec/provider/workers").and_then(Value::as_array_mut);
    for pool in pools.into_iter().flatten() {
        if let Some(machine) = pool.get_mut("machine").and_then(Value::as_object_mut) {
            machine.remove("architecture");
            machine.remove("image");
        }
    }
}

fn judged(request: &Value, garden: &Snapshot, config: &Config) -> Option<Review> {
    let review =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
    let body = review.to_string();
    let request = Request::from_review(body.as_bytes()).ok()?;
    let world = World {
        rules: rules::ALL.into(),
        garden,
        config,
        now: "2026-01-01T00:00:00Z".parse::<Timestamp>().unwrap(),
    };
    Some(Case::decide(EntryPoint::Review, &request, &world, |garden, questions| {
        for question in questions {
            garden.answer_unknown(question, "nobody is asked");
        }
    }))
}

/// One in this many requests is judged in each situation; with 5 there are no other findings.
const STEP: usize = 120;

/// Returns ids and fields of all findings.
fn found(review: &Review) -> BTreeSet<(&'static str, String)> {
    let found = review.findings.iter();
    found.map(|it| (it.finding, it.pointer.clone())).collect()
}

#[rstest]
#[case::no_garden(&[])]
#[case::no_profile(&[Kind::CloudProfile, Kind::NamespacedCloudProfile])]
#[case::no_project(&[Kind::Project])]
#[case::no_exposure_class(&[Kind::ExposureClass])]
#[case::no_seed(&[Kind::Seed])]
#[case::no_default_domain(&[Kind::Secret])]
fn partial_garden_adds_no_finding(
    #[case] withheld: &[Kind],
    #[values(Leaving::Nothing, Leaving::InNew, Leaving::InOld, Leaving::InBoth)] leaving: Leaving,
) {
    let (mut more, mut undetermined) = (BTreeMap::new(), 0);
    let first = 7 * withheld.len() + 5 * leaving as usize;
    for Recorded { garden, config, requests } in RECORDED.iter() {
        let mut partial = garden.clone();
        for kind in withheld {
            partial.withhold(*kind, "it is withheld".to_owned());
        }
        if withheld.is_empty() {
            partial = Snapshot::default();
        }
        for request in requests.iter().skip(first).step_by(STEP) {
            let request = leave_out(request, leaving);
            let Some(whole) = judged(&request, garden, config) else {
                continue;
            };
            let Some(partial) = judged(&request, &partial, config) else {
                continue;
            };
            undetermined += usize::from(!partial.undetermined.is_empty());
            let known = found(&whole);
            for finding in found(&partial).difference(&known) {
                more.entry(finding.clone()).or_insert_with(|| request["uid"].clone());
            }
        }
    }
    assert_eq!(more, BTreeMap::new());
    assert!(
        undetermined > 0 || matches!(withheld, [Kind::Secret | Kind::ExposureClass]),
        "{undetermined}"
    );
}

/// One in this many requests is changed.
const EXCHANGED_STEP: usize = 40;

/// The rules that read a defaulted field, found by changing its value; the test below covers each in all gardens.
const READERS: &[&str] = &[
    "advice/kubernetes-version-dropped",
    "advice/maintenance-preconditions",
    "advice/next-minor",
    "advice/version-deprecated",
    "advice/version-expired-in-use",
    "advice/version-preview",
    "aws/shoot",
    "shoot/deprecated-fields",
    "shoot/feature-gates",
    "shoot/in-place-image",
    "shoot/in-place-update-pending",
    "shoot/in-place-versions",
    "shoot/kubelet-form",
    "shoot/kubernetes-version-change",
    "shoot/kubernetes-version-unsupported",
    "shoot/machine-image-required",
    "shoot/machine-image-unsupported",
    "shoot/machine-type-unsupported",
    "shoot/operation",
    "shoot/removed-fields",
    "shoot/spec-change-during-migration",
    "shoot/worker-kubernetes-version-change",
    "shoot/worker-kubernetes-version-skew",
    "shoot/worker-pools-removed",
    "shoot/worker-pools-roll",
];

/// Another possible default of each field.
const EXCHANGED: [(&str, &[&str], &str); 5] = [
    ("version", &["spec", "kubernetes"], "1.30.9"),
    ("version", &["spec", "kubernetes"], "1.33.1"),
    ("version", &["spec", "kubernetes"], "1.35.0"),
    ("architecture", &["machine"], "arm64"),
    ("version", &["machine", "image"], "0.0.1"),
];

fn exchange(shoot: &mut Value, (field, path, value): (&str, &[&str], &str)) {
    let set = |object: &mut Value| {
        let place = path.iter().try_fold(object, |it, step| it.get_mut(step));
        if let Some(place) = place.and_then(Value::as_object_mut) {
            place.insert(field.to_owned(), json!(value));
        }
    };
    match path[0] {
        "spec" => set(shoot),
        _ => {
            let pools = shoot.pointer_mut("/spec/provider/workers").and_then(Value::as_array_mut);
            pools.into_iter().flatten().for_each(set);
        }
    }
}

#[test]
fn rules_that_read_filled_fields_are_listed() {
    let mut readers = BTreeSet::new();
    for Recorded { garden, config, requests } in RECORDED.iter() {
        for request in requests.iter().step_by(EXCHANGED_STEP) {
            let Some(before) = judged(request, garden, config) else {
                continue;
            };
            for exchanged in EXCHANGED {
                let mut request = request.clone();
                exchange(&mut request["object"], exchanged);
                let Some(after) = judged(&request, garden, config) else {
                    continue;
                };
                let [before, after] = [&before, &after].map(of_judging);
                readers.extend(before.symmetric_difference(&after).map(|(rule, ..)| *rule));
            }
        }
    }
    let known: BTreeSet<&str> = READERS.iter().copied().collect();
    assert_eq!(readers, known);
}

/// Returns the findings of rules that judge an object after all changes.
fn of_judging(review: &Review) -> BTreeSet<(&'static str, &'static str, String)> {
    let found = review.findings.iter().filter(|it| {
        let rule = rules::find(it.rule);
        rule.is_some_and(|rule| rule.stage == Stage::Judge)
    });
    found.map(|it| (it.rule, it.finding, it.pointer.clone())).collect()
}
