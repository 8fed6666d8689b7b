// SPDX-License-Identifier: Apache-2.0
//! The examples of README and docs: the garden loads, and verdicts match the names of files.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use crate::command::{garden_gate, printed};
use garden_gate::garden::directory;
use garden_gate_core::admission::{
    EntryPoint, Judgement, Kind, Request, Review, Verdict, World, judge,
};
use garden_gate_core::config::Config;
use garden_gate_core::rules;
use garden_gate_products::report::admission_review;
use garden_gate_text::yaml;
use serde_json::{Value, json};

fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples")
}

/// Returns the text of every file in a folder of the examples, by name without extension.
fn texts(folder: &str) -> BTreeMap<String, String> {
    let entries = fs::read_dir(examples().join(folder)).unwrap();
    entries
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (path.file_stem().unwrap().display().to_string(), fs::read_to_string(&path).unwrap())
        })
        .collect()
}

fn verdict(entry_point: EntryPoint, review: &str) -> Review {
    let world = World {
        rules: rules::ALL.into(),
        garden: &directory::load(&examples().join("garden")).unwrap().snapshot,
        config: &Config::default(),
        now: "2026-12-01T00:00:00Z".parse().unwrap(),
    };
    let request = Request::from_review(review.as_bytes()).unwrap();
    match judge(entry_point, &request, &world) {
        Judgement::Review(review) => review,
        Judgement::Questions(questions) => {
            unreachable!("a whole garden leaves no questions: {questions:?}")
        }
    }
}

fn assert_named_after_its_verdict(name: &str, review: &Review) {
    let expected = if name.ends_with("-denied") { Verdict::Denied } else { Verdict::Allowed };
    assert_eq!(review.verdict(), expected, "{name}: {review:?}");
}

fn found(review: &Review) -> Vec<&'static str> {
    review.findings.iter().map(|finding| finding.finding).collect()
}

#[test]
fn the_example_garden_loads_without_problems_and_nothing_is_skipped() {
    let garden = directory::load(&examples().join("garden")).unwrap();
    let expected = [
        (Kind::CloudProfile, 1),
        (Kind::ExposureClass, 1),
        (Kind::Namespace, 2),
        (Kind::NamespacedCloudProfile, 0),
        (Kind::Project, 2),
        (Kind::Seed, 2),
        (Kind::Shoot, 3),
    ];
    assert_eq!(garden.snapshot.counts(), BTreeMap::from(expected));
    assert!(garden.skipped.is_empty(), "{:?}", garden.skipped);
}

#[test]
fn every_example_review_gets_the_verdict_of_its_name() {
    let reviews = texts("reviews");
    assert_eq!(reviews.len(), 5);
    for (name, text) in reviews {
        assert_named_after_its_verdict(&name, &verdict(EntryPoint::Validate, &text));
    }
}

/// On the page, `…` stands for a message that appears there already.
#[test]
fn the_page_shows_what_the_server_answers() {
    let page =
        fs::read_to_string(examples().with_file_name("docs/tutorials/run-the-webhook.md")).unwrap();
    let (_, block) = page.split_once("```json\n").unwrap();
    let shown: Value = serde_json::from_str(block.split_once("```").unwrap().0).unwrap();
    let text = &texts("reviews")["shoot-create-denied"];
    let request = Request::from_review(text.as_bytes()).unwrap();
    let review = verdict(EntryPoint::Validate, text);
    let answer = admission_review(EntryPoint::Validate, &request, &review);
    let mut answer = serde_json::to_value(answer).unwrap();
    let message = "/response/status/details/causes/0/message";
    *answer.pointer_mut(message).unwrap() = json!("…");
    assert_eq!(shown, answer);
}

#[test]
fn denied_examples_are_denied_for_one_reason() {
    let reviews = texts("reviews");
    let denied = |name: &str| found(&verdict(EntryPoint::Validate, &reviews[name]));
    assert_eq!(denied("shoot-create-denied"), ["shoot/toleration-not-whitelisted"]);
    assert_eq!(denied("project-whitelist-denied"), ["project/whitelist-verb"]);
    assert_eq!(
        denied("cloudprofile-version-removed-denied"),
        ["cloudprofile/kubernetes-version-in-use"]
    );
}

#[test]
fn the_profile_that_an_example_changes_is_that_of_the_garden() {
    let review: Value =
        serde_json::from_str(&texts("reviews")["cloudprofile-version-removed-denied"]).unwrap();
    let garden = &texts("garden")["cloudprofile"];
    let stored = yaml::parse(garden).unwrap()[0].to_value();
    let mut changed = stored.clone();
    let versions = changed["spec"]["kubernetes"]["versions"].as_array_mut().unwrap();
    versions.retain(|version| version["version"] != "1.33.9");
    assert_eq!(review["request"]["oldObject"], stored);
    assert_eq!(review["request"]["object"], changed);
}

#[test]
fn an_operator_may_do_what_the_example_denies() {
    let mut review: Value =
        serde_json::from_str(&texts("reviews")["project-whitelist-denied"]).unwrap();
    review["request"]["userInfo"]["groups"] = json!(["landscape-operators"]);
    assert_eq!(verdict(EntryPoint::Validate, &review.to_string()).verdict(), Verdict::Allowed);
}

#[test]
fn the_allowed_shoot_gets_the_default_toleration_of_its_project() {
    let patch = verdict(EntryPoint::Mutate, &texts("reviews")["shoot-create-allowed"]).patch;
    let expected = json!([
        {"op": "add", "path": "/spec/tolerations/1", "value": {"key": "dedicated.example.com/platform"}},
    ]);
    assert_eq!(serde_json::to_value(patch).unwrap(), expected);
}

#[test]
fn a_change_that_reaches_nodes_is_allowed_with_a_warning_for_each_way() {
    let review = verdict(EntryPoint::Validate, &texts("reviews")["shoot-update-rolls"]);
    let said: Vec<&str> = review.findings.iter().map(|it| it.message.as_str()).collect();
    let expected = [
        "this change rolls, replacing every machine of `pool-a` (machine.type): 1 to 3 machines in 1 pool are replaced in 1 to 3 waves, 3 min to 30 min; 1 extra machine at a time",
        "this change updates in place the nodes of `pool-b` (machine.image.version)",
    ];
    assert_eq!(said, expected);
}

#[test]
fn every_example_manifest_gets_the_verdict_of_its_name() {
    let manifests = texts("manifests");
    assert_eq!(manifests.len(), 3);
    for (name, text) in manifests {
        for document in yaml::parse(&text).unwrap() {
            let object = document.to_value();
            let review = json!({
                "apiVersion": "admission.k8s.io/v1",
                "kind": "AdmissionReview",
                "request": {
                    "uid": "1",
                    "resource": {"group": "core.gardener.cloud", "version": "v1beta1", "resource": "shoots"},
                    "namespace": object["metadata"]["namespace"],
                    "name": object["metadata"]["name"],
                    "operation": "CREATE",
                    "object": object,
                },
            });
            assert_named_after_its_verdict(
                &name,
                &verdict(EntryPoint::Review, &review.to_string()),
            );
        }
    }
}

/// Returns the distinct finding ids about a manifest of a Shoot cluster.
fn said_of(name: &str) -> Vec<&'static str> {
    let text = &texts("shoot-cluster")[name];
    let mut ids: Vec<&str> = Vec::new();
    for document in yaml::parse(text).unwrap() {
        let object = document.to_value();
        let known = Kind::judged().find(|kind| object["kind"] == kind.as_str()).unwrap();
        let (group, version) = known.api();
        let review = json!({
            "apiVersion": "admission.k8s.io/v1",
            "kind": "AdmissionReview",
            "request": {
                "uid": "1",
                "resource": {"group": group, "version": version, "resource": known.resource()},
                "operation": "CREATE",
                "object": object,
            },
        });
        ids.extend(found(&verdict(EntryPoint::Review, &review.to_string())));
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}

#[test]
fn the_policy_engine_is_a_problem_and_its_clean_twin_is_not() {
    assert_eq!(
        said_of("policy-engine"),
        [
            "webhook-config/hibernation-hangs",
            "webhook-config/problematic",
            "webhook-config/remediation-preview"
        ]
    );
    assert_eq!(said_of("policy-engine-clean"), [""; 0]);
    assert_eq!(said_of("csi-driver"), ["workload/csi-annotation-missing"]);
}

/// Returns the lines at which a manifest announces refusals, as in `# Refused at lines 15, 18 and 23: why`.
fn announced(text: &str) -> BTreeSet<u64> {
    let announcements = text.lines().filter_map(|line| line.strip_prefix("# Refused at line"));
    let lines = announcements.filter_map(|it| Some(it.split_once(':')?.0));
    let numbers = lines.flat_map(|it| it.split(|letter: char| !letter.is_ascii_digit()));
    numbers.filter_map(|it| it.parse().ok()).collect()
}

/// Returns the lines of refusals by file, for all manifests below a path.
fn refused(path: &str, arguments: &[&str]) -> BTreeMap<String, BTreeSet<u64>> {
    let mut command = garden_gate(&["review", "--at", "2026-12-01", "--format", "json"]);
    let (code, out, err) = printed(command.args(arguments).arg(path).output().unwrap());
    assert!(code != Some(2), "{path}: {err}");
    let report: Value = serde_json::from_str(&out).unwrap();
    let mut refused: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for review in report["reviews"].as_array().unwrap() {
        let findings = review["findings"].as_array().unwrap().iter();
        for finding in findings.filter(|it| it["level"] == "deny") {
            let lines = refused.entry(review["file"].as_str().unwrap().to_owned()).or_default();
            lines.insert(finding["line"].as_u64().unwrap());
        }
    }
    refused
}

/// Returns the manifests of a folder and their announced refusals.
fn announcements(path: &str) -> BTreeMap<String, BTreeSet<u64>> {
    let files = walkdir::WalkDir::new(path).into_iter().map(|it| it.unwrap().path().to_owned());
    let manifests = files.filter(|it| it.extension().is_some_and(|it| it == "yaml"));
    let announced =
        manifests.map(|it| (it.display().to_string(), announced(&fs::read_to_string(it).unwrap())));
    announced.filter(|(_, lines)| !lines.is_empty()).collect()
}

#[test]
fn manifests_are_refused_at_the_lines_that_they_announce_only() {
    let paths = [
        "examples/admission-policies",
        "examples/extensions",
        "examples/manifests",
        "examples/operator",
        "examples/pull-request/after",
        "examples/pull-request/before",
        "examples/shoot-cluster",
    ];
    // Policies in a change apply to its other objects.
    for path in paths {
        assert_eq!(refused(path, &["--garden", "examples/garden"]), announcements(path), "{path}");
    }
}

/// The objects of a landscape are its garden.
#[test]
fn landscapes_are_refused_at_the_lines_that_they_announce_only() {
    let policies = fs::read_dir("examples/policies").unwrap();
    let policies = policies.map(|it| it.unwrap().path().display().to_string());
    let gardens = ["audit", "forecast", "garden", "landscape/garden", "upgrade"];
    let gardens = gardens.map(|it| format!("examples/{it}"));
    for garden in gardens.into_iter().chain(policies) {
        let mut arguments = vec!["--garden", &garden];
        if garden == "examples/landscape/garden" {
            arguments.extend(["--config", "examples/landscape/gate.yaml"]);
        }
        assert_eq!(refused(&garden, &arguments), announcements(&garden), "{garden}");
    }
}
