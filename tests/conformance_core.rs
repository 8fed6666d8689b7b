//! The recorded verdicts about profiles, judged in process.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::BTreeSet;
use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate::config::{Config, FeatureGates, Profile};
use garden_gate::defaults;
use garden_gate::engine::{
    Answer, Answers, Door, Judgement, Question, Request, Review, Verdict, World, judge,
};
use garden_gate::garden::{AccessAnswer, AccessQuestion, GardenObject, Knowledge, Snapshot};
use garden_gate::model::UserInfo;
use garden_gate::rules;
use jiff::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};

#[rstest]
#[case::cloud_profile("cloud_profile")]
#[case::namespaced_cloud_profile("namespaced_cloud_profile")]
fn every_recorded_verdict_agrees(#[case] family: &str) {
    let file = File::open(format!("tests/conformance/{family}.json.gz")).unwrap();
    let recorded: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let mut wrong = Vec::new();
    let mut cases = 0;
    for garden in recorded["gardens"].as_array().unwrap() {
        let world = Garden::read(garden);
        for case in garden["cases"].as_array().unwrap() {
            cases += 1;
            let review = world.review(&case["request"]);
            if let Some(difference) = difference(&review, &case["expect"]) {
                wrong.push(format!("{}: {difference}", case["id"]));
            }
        }
    }
    assert!(cases > 0);
    assert!(
        wrong.is_empty(),
        "{} of {cases}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A garden that answers questions from its manifests.
struct Garden<'a> {
    manifests: &'a [Value],
    snapshot: Snapshot,
    config: Config,
}

impl<'a> Garden<'a> {
    fn read(garden: &'a Value) -> Self {
        let manifests = garden["manifests"].as_array().unwrap();
        let mut snapshot = Snapshot::new(Knowledge::Watched);
        manifests
            .iter()
            .filter_map(object)
            .for_each(|object| snapshot.apply(object));
        let gate = &garden["config"]["featureGates"]["VersionClassificationLifecycle"];
        let config = Config {
            profile: Profile::Gardener,
            feature_gates: FeatureGates {
                version_classification_lifecycle: gate.as_bool().unwrap_or(false),
                ..FeatureGates::default()
            },
            ..Config::default()
        };
        Self {
            manifests,
            snapshot,
            config,
        }
    }

    fn review(&self, request: &Value) -> Review {
        let mut request = request.clone();
        request["uid"] = json!("uid");
        let review = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
        let body = review.to_string();
        let request = Request::from_review(body.as_bytes()).unwrap();
        let world = World {
            rules: rules::ALL,
            garden: &self.snapshot,
            config: &self.config,
            now: Timestamp::now(),
        };
        let mut answers = Answers::new();
        loop {
            match judge(Door::Review, &request, &world, &answers) {
                Judgement::Review(review) => return review,
                Judgement::Questions(questions) => answers.extend(questions.into_iter().map(|q| {
                    let answer = self.answer(&request.user_info, &q);
                    (q, answer)
                })),
            }
        }
    }

    fn answer(&self, user: &UserInfo, question: &Question) -> Answer {
        match question {
            Question::Access(asked) if self.allows(user, asked) => {
                Answer::Access(AccessAnswer::Allowed)
            }
            Question::Access(_) => Answer::Access(AccessAnswer::Denied),
            Question::ProjectOfNamespace(_) => Answer::Project(Ok(None)),
            Question::ExposureClass(_) => Answer::ExposureClass(Ok(None)),
            Question::CloudProfile(_) => Answer::CloudProfile(Ok(None)),
            Question::NamespacedCloudProfile { .. } => Answer::NamespacedCloudProfile(Ok(None)),
        }
    }

    /// Just enough RBAC for the recorded gardens: cluster roles bound to users and groups.
    fn allows(&self, user: &UserInfo, asked: &AccessQuestion) -> bool {
        let of_kind = |kind| self.manifests.iter().filter(move |m| m["kind"] == kind);
        let bound = of_kind("ClusterRoleBinding").filter(|binding| {
            let mut subjects = binding["subjects"].as_array().unwrap().iter();
            subjects.any(|subject| match subject["kind"].as_str().unwrap() {
                "User" => subject["name"] == *user.username,
                _ => user.groups.iter().any(|group| subject["name"] == **group),
            })
        });
        let roles = bound.flat_map(|binding| {
            let name = &binding["roleRef"]["name"];
            of_kind("ClusterRole").filter(move |role| role["metadata"]["name"] == *name)
        });
        roles
            .flat_map(|role| role["rules"].as_array().unwrap())
            .any(|rule| {
                let lists = |list: &str, wanted: &str| {
                    let list = rule[list].as_array();
                    list.is_some_and(|list| list.iter().any(|item| item == wanted || item == "*"))
                };
                let named =
                    rule.get("resourceNames").is_none() || lists("resourceNames", &asked.name);
                named && lists("verbs", asked.verb) && lists("resources", asked.resource)
            })
    }
}

fn object(manifest: &Value) -> Option<GardenObject> {
    let text = manifest.to_string();
    Some(match manifest["kind"].as_str().unwrap() {
        "Project" => {
            let mut project = serde_json::from_str(&text).unwrap();
            defaults::project(&mut project);
            GardenObject::Project(project)
        }
        "CloudProfile" => {
            let mut profile = serde_json::from_str(&text).unwrap();
            defaults::cloud_profile(&mut profile);
            GardenObject::CloudProfile(profile)
        }
        "NamespacedCloudProfile" => {
            GardenObject::NamespacedCloudProfile(serde_json::from_str(&text).unwrap())
        }
        "Shoot" => GardenObject::Shoot(serde_json::from_str(&text).unwrap()),
        _ => return None,
    })
}

/// Compares verdicts, and findings as sets of type and field. A recorded finding without a field, or of a type that is
/// no field error, only says that there is some such denial.
fn difference(review: &Review, expected: &Value) -> Option<String> {
    assert!(review.undetermined.is_empty(), "{:?}", review.undetermined);
    let found: BTreeSet<(String, &str)> = review
        .findings
        .iter()
        .map(|finding| (format!("{:?}", finding.error), finding.field.as_str()))
        .collect();
    let recorded = expected["findings"].as_array();
    let recorded = recorded.map_or(&[][..], Vec::as_slice);
    let text = |finding: &Value, field: &str| finding[field].as_str().unwrap().to_owned();
    let vague = |finding: &&Value| {
        let kind = text(finding, "type");
        text(finding, "field").is_empty()
            || matches!(
                kind.as_str(),
                "Internal" | "Unknown" | "BadRequest" | "Panic"
            )
    };
    let is_vague = recorded.iter().any(|finding| vague(&finding));
    let exact: Vec<(String, String)> = recorded
        .iter()
        .filter(|finding| !vague(finding))
        .map(|finding| (text(finding, "type"), text(finding, "field")))
        .collect();
    let exact: BTreeSet<(String, &str)> = exact
        .iter()
        .map(|(kind, field)| (kind.clone(), field.as_str()))
        .collect();
    let allowed = review.verdict() == Verdict::Allowed;
    let mutating = recorded
        .iter()
        .any(|finding| finding["stage"] == "mutating");
    let agree = if mutating {
        true
    } else if is_vague {
        exact.is_subset(&found) && exact != found
    } else {
        exact == found
    };
    (expected["allowed"] != allowed || !agree).then(|| {
        format!(
            "expected {} {recorded:?}\n  found {allowed} {found:?}",
            expected["allowed"]
        )
    })
}
