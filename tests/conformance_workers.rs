//! Worker pools: our verdicts and findings are those of Gardener's own code.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::BTreeSet;
use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate::config::{Config, FeatureGates, Profile};
use garden_gate::defaults;
use garden_gate::engine::{Answers, Door, Judgement, Request, Review, Verdict, World, judge};
use garden_gate::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate::rules;
use serde_json::{Value, json};

#[test]
fn update_strategies() {
    let file = File::open("tests/conformance/update_strategy.json.gz").unwrap();
    let recorded: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for landscape in recorded["gardens"].as_array().unwrap() {
        let (config, garden) = (
            config(&landscape["config"]),
            garden(&landscape["manifests"]),
        );
        for case in landscape["cases"].as_array().unwrap() {
            count += 1;
            let review = review(&config, &garden, &case["request"]);
            wrong.extend(difference(case, &review));
        }
    }
    assert!(count > 200);
    assert!(
        wrong.is_empty(),
        "{} of {count} disagree:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn config(recorded: &Value) -> Config {
    let gate = &recorded["featureGates"]["InPlaceNodeUpdates"];
    Config {
        profile: Profile::Gardener,
        feature_gates: FeatureGates {
            in_place_node_updates: gate.as_bool().unwrap_or(false),
            ..FeatureGates::default()
        },
        ..Config::default()
    }
}

fn garden(manifests: &Value) -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Everything);
    for manifest in manifests.as_array().unwrap() {
        let read = || manifest.clone();
        match manifest["kind"].as_str().unwrap() {
            "Project" => {
                let mut project = serde_json::from_value(read()).unwrap();
                defaults::project(&mut project);
                garden.apply(GardenObject::Project(project));
            }
            "ExposureClass" => {
                let class = serde_json::from_value(read()).unwrap();
                garden.apply(GardenObject::ExposureClass(class));
            }
            _ => {}
        }
    }
    garden
}

fn review(config: &Config, garden: &Snapshot, request: &Value) -> Review {
    let mut request = request.clone();
    request["uid"] = json!("uid");
    let review =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
    let body = review.to_string();
    let request = Request::from_review(body.as_bytes()).unwrap();
    let world = World {
        rules: rules::ALL,
        garden,
        config,
        now: "2026-06-01T00:00:00Z".parse().unwrap(),
    };
    match judge(Door::Review, &request, &world, &Answers::new()) {
        Judgement::Review(review) => review,
        Judgement::Questions(questions) => unreachable!("{questions:?}"),
    }
}

/// What is wrong with our answer to a case; nothing if it agrees.
fn difference(case: &Value, review: &Review) -> Option<String> {
    let expect = &case["expect"];
    let allowed = review.verdict() == Verdict::Allowed;
    let expected = expect["findings"].as_array().map_or(&[][..], Vec::as_slice);
    let mutating = expected
        .iter()
        .any(|finding| finding["stage"] == "mutating");
    let expected: BTreeSet<String> = expected
        .iter()
        .map(|it| {
            format!(
                "{} {}",
                it["type"].as_str().unwrap(),
                it["field"].as_str().unwrap()
            )
        })
        .collect();
    let found: BTreeSet<String> = review
        .findings
        .iter()
        .map(|it| format!("{:?} {}", it.error, it.field))
        .collect();
    if expect["allowed"] == allowed && (mutating || expected == found) {
        return None;
    }
    let missing: Vec<&String> = expected.difference(&found).collect();
    let extra: Vec<&String> = found.difference(&expected).collect();
    Some(format!(
        "{}: missing {missing:?}, extra {extra:?}",
        case["id"]
    ))
}
