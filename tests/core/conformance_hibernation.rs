//! Recorded verdicts about hibernation, operation annotations and deletion, judged in process.

use std::collections::BTreeSet;
use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate::config::{Config, Level, Profile};
use garden_gate::defaults;
use garden_gate::engine::{
    Answers, Door, Judgement, Phase, Request, Review, Verdict, World, judge,
};
use garden_gate::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate::rules;
use rstest::rstest;
use serde_json::{Value, json};

/// Cases that rules of other families decide: changes during a migration.
const AWAITED: [&str; 4] = [
    "operations/11-002-3",
    "operations/11-005-7",
    "operations/11-017-5",
    "operations/11-017-7",
];

#[rstest]
#[case::hibernation("hibernation", 192)]
#[case::operations("operations", 192)]
#[case::deletion("deletion", 12)]
fn every_recorded_verdict_is_met(#[case] family: &str, #[case] number: usize) {
    let mut judged = 0;
    let mut disagreements = Vec::new();
    for garden in read(family)["gardens"].as_array().unwrap() {
        let snapshot = snapshot(&garden["manifests"]);
        for case in garden["cases"].as_array().unwrap() {
            judged += 1;
            let id = case["id"].as_str().unwrap();
            let review = review(&snapshot, &case["request"]);
            match (agrees(&review, &case["expect"]), AWAITED.contains(&id)) {
                (Ok(()), false) | (Err(_), true) => {}
                (Ok(()), true) => disagreements.push(format!("{id} agrees now: no longer awaited")),
                (Err(why), false) => disagreements.push(format!("{id}: {why}")),
            }
        }
    }
    assert_eq!(judged, number);
    assert!(
        disagreements.is_empty(),
        "{} of {number}:\n{}",
        disagreements.len(),
        disagreements.join("\n")
    );
}

fn read(family: &str) -> Value {
    let file = File::open(format!("tests/conformance/{family}.json.gz")).unwrap();
    serde_json::from_reader(GzDecoder::new(file)).unwrap()
}

fn snapshot(manifests: &Value) -> Snapshot {
    let mut snapshot = Snapshot::new(Knowledge::Everything);
    for manifest in manifests.as_array().unwrap() {
        if manifest["kind"] == "Project" {
            let mut project = serde_json::from_value(manifest.clone()).unwrap();
            defaults::project(&mut project);
            snapshot.apply(GardenObject::Project(project));
        }
    }
    snapshot
}

fn review(garden: &Snapshot, request: &Value) -> Review {
    let mut request = request.clone();
    request["uid"] = json!("uid");
    let review =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
    let body = review.to_string();
    let request = Request::from_review(body.as_bytes()).unwrap();
    let config = Config {
        profile: Profile::Gardener,
        ..Config::default()
    };
    let world = World {
        rules: rules::ALL,
        garden,
        config: &config,
        now: "2026-08-21T00:00:00Z".parse().unwrap(),
    };
    match judge(Door::Review, &request, &world, &Answers::new()) {
        Judgement::Review(review) => review,
        Judgement::Questions(_) => unreachable!("the garden is complete"),
    }
}

/// Findings are compared as a set of type and field; a finding without a field only says that there is such a denial.
fn agrees(review: &Review, expect: &Value) -> Result<(), String> {
    let denied = review.verdict() != Verdict::Allowed;
    if denied == expect["allowed"].as_bool().unwrap() {
        return Err(format!(
            "allowed is {}, found {:#?}",
            expect["allowed"], review.findings
        ));
    }
    let text = |finding: &Value, member: &str| finding[member].as_str().unwrap().to_owned();
    let expected: BTreeSet<(String, String)> = expect["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| (text(finding, "type"), text(finding, "field")))
        .collect();
    let denials = || {
        review
            .findings
            .iter()
            .filter(|finding| finding.level == Level::Deny)
    };
    let in_admission = denials().any(|finding| finding.phase == Phase::Admission);
    let mut found: BTreeSet<(String, String)> = denials()
        .filter(|finding| finding.phase == Phase::Static)
        .map(|finding| (format!("{:?}", finding.error), finding.field.clone()))
        .collect();
    if in_admission {
        found.insert(("Forbidden".to_owned(), String::new()));
    }
    (expected == found)
        .then_some(())
        .ok_or_else(|| format!("expected {expected:?}, found {found:?}"))
}
