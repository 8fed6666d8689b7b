// SPDX-License-Identifier: Apache-2.0
//! For any input, the core returns an error with an explanation or a verdict, and never panics.

use std::fs;
use std::sync::LazyLock;

use crate::judging::{Setup, project, request, tolerations, usual_rules};
use garden_gate_core::admission::{
    EntryPoint, Finding, Judgement, Phase, Request, Review, Verdict, World, judge,
};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{Knowledge, Snapshot};
use garden_gate_core::rules::ALL;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The reviews that a real API server sent.
static RECORDED: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let mut files: Vec<_> =
        fs::read_dir("tests/requests").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let review = |path| {
        serde_json::from_str::<Value>(&fs::read_to_string(path).unwrap()).unwrap()["review"].clone()
    };
    files.into_iter().map(review).collect()
});

fn garden() -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Everything);
    garden.apply(project("dev", json!({"namespace": "garden-dev", "tolerations": {"defaults": [{"key": "a"}], "whitelist": [{"key": "a"}]}})));
    garden
}

/// Judges a body; `None` if it is not an AdmissionReview.
fn judged(body: &[u8], entry_point: EntryPoint) -> Option<Review> {
    let (garden, config) = (garden(), Config::default());
    let request = match Request::from_review(body) {
        Ok(request) => request,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return None;
        }
    };
    let now = "2026-01-01T00:00:00Z".parse().unwrap();
    let rules = usual_rules();
    let world = World { rules: (&rules).into(), garden: &garden, config: &config, now };
    match judge(entry_point, &request, &world) {
        Judgement::Review(review) => Some(review),
        Judgement::Questions(questions) => {
            unreachable!("a whole garden has no questions: {questions:?}")
        }
    }
}

/// Reports whether a server would also report the finding, since some rules warn in `review` only.
fn is_told_by_servers(finding: &Finding) -> bool {
    let rule = ALL.iter().find(|rule| rule.id == finding.rule);
    rule.is_none_or(|rule| rule.runs_at(EntryPoint::Validate, &Config::default()))
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,70}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z]{0,8}", inner), 0..4)
                .prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}

/// Collects the JSON pointers of all values.
fn places(value: &Value, at: &str, places: &mut Vec<String>) {
    places.push(at.to_owned());
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                self::places(value, &format!("{at}/{name}"), places);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                self::places(value, &format!("{at}/{index}"), places);
            }
        }
        _ => {}
    }
}

fn mutated_review() -> impl Strategy<Value = Value> {
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any_json()), 1..4);
    (any::<prop::sample::Index>(), changes).prop_map(|(which, changes)| {
        let mut review = which.get(&RECORDED).clone();
        for (place, value) in changes {
            let mut all = Vec::new();
            places(&review, "", &mut all);
            let place = place.get(&all);
            if let Some(target) = review.pointer_mut(place) {
                *target = value;
            }
        }
        review
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn arbitrary_bytes_are_explained_or_judged(body in prop::collection::vec(any::<u8>(), 0..400)) {
        judged(&body, EntryPoint::Review);
    }

    #[test]
    fn arbitrary_json_is_explained_or_judged(body in any_json()) {
        judged(body.to_string().as_bytes(), EntryPoint::Review);
    }

    #[test]
    fn truncated_reviews_are_explained(which in any::<prop::sample::Index>(), end in any::<prop::sample::Index>()) {
        let body = which.get(&RECORDED).to_string();
        let end = end.index(body.len());
        prop_assert!(judged(&body.as_bytes()[..end], EntryPoint::Review).is_none());
    }

    #[test]
    fn mutated_reviews_get_the_same_verdict_at_every_endpoint(review in mutated_review()) {
        let body = review.to_string();
        let entry_points = [EntryPoint::Mutate, EntryPoint::Validate, EntryPoint::Review].map(|entry_point| judged(body.as_bytes(), entry_point));
        let [Some(mutate), Some(validate), Some(review)] = entry_points else { return Ok(()) };
        if review.findings.iter().any(|finding| finding.phase == Phase::Decoding) {
            // An API server would not call a webhook for such an object.
            prop_assert_eq!(review.verdict(), Verdict::Denied);
            return Ok(());
        }
        prop_assert_eq!(validate.verdict(), review.verdict());
        let told = review.findings.iter().filter(|it| is_told_by_servers(it)).cloned();
        // Servers build no fixes.
        let told: Vec<Finding> = told.map(|it| Finding { fixes: Vec::new(), ..it }).collect();
        prop_assert_eq!(validate.findings, told);
        if mutate.verdict() == Verdict::Denied {
            prop_assert_eq!(review.verdict(), Verdict::Denied);
        }
    }

    #[test]
    fn mutating_twice_is_mutating_once(
        own in prop::collection::vec("[ab](=[xy]?)?", 0..3),
        defaults in prop::collection::vec("[abc](=[xy]?)?", 0..3),
        global in prop::collection::vec("[abc](=[xy]?)?", 0..3),
        class in prop::collection::vec("[de](=[xy]?)?", 0..2),
        namespace in prop::sample::select(vec!["garden", "garden-p"]),
    ) {
        let ids = |ids: &Vec<String>| tolerations(&ids.iter().map(String::as_str).collect::<Vec<_>>());
        let whitelist = tolerations(&["a", "b", "c", "d", "e"]);
        let mut setup = Setup::with_project(Some(json!({"defaults": ids(&defaults), "whitelist": whitelist})));
        setup.garden.apply(project("garden", json!({"namespace": "garden"})));
        setup.config.tolerations.defaults = serde_json::from_value(ids(&global)).unwrap();
        let scheduling = json!({"tolerations": ids(&class), "seedSelector": {"providerTypes": ["t"]}});
        let class = json!({"metadata": {"name": "c"}, "scheduling": scheduling});
        setup.garden.apply(garden_gate_core::garden::GardenObject::from(serde_json::from_value::<garden_gate_model::api::ExposureClass>(class).unwrap()));
        let metadata = json!({"name": "s", "namespace": namespace});
        let mut shoot = json!({"metadata": metadata, "spec": {"exposureClassName": "c", "tolerations": ids(&own)}});
        let first = setup.review(&request("shoots", "CREATE", &shoot, None));
        json_patch::patch(&mut shoot, &first.patch).unwrap();
        let second = setup.review(&request("shoots", "CREATE", &shoot, None));
        prop_assert_eq!(first.verdict(), second.verdict());
        prop_assert!(second.patch.is_empty());
    }
}
