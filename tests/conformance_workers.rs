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

/// Cases that are also refused because a pool's Kubernetes version is older than it was, or newer than the control plane's:
/// rules about versions that this test does not expect yet.
const ALSO_REFUSED_FOR_VERSIONS: [&str; 10] = [
    "update_strategy/11-004-5",
    "update_strategy/11-010-4",
    "update_strategy/11-012-4",
    "update_strategy/11-014-5",
    "update_strategy/11-018-4",
    "update_strategy/11-028-1",
    "update_strategy/11-030-2",
    "update_strategy/11-035-2",
    "update_strategy/11-037-5",
    "update_strategy/11-045-3",
];
const OF_VERSIONS: &str = "Forbidden spec.provider.workers[0].kubernetes.version";

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
            "CloudProfile" => {
                let profile = serde_json::from_value(read()).unwrap();
                garden.apply(GardenObject::CloudProfile(profile));
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
#[expect(
    clippy::unwrap_in_result,
    reason = "a recording that is not as described should fail the test"
)]
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
    let id = case["id"].as_str().unwrap();
    if ALSO_REFUSED_FOR_VERSIONS.contains(&id) && missing == [OF_VERSIONS] && extra.is_empty() {
        return None;
    }
    Some(format!(
        "{}: missing {missing:?}, extra {extra:?}",
        case["id"]
    ))
}
