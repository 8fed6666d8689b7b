// SPDX-License-Identifier: Apache-2.0
//! Overlays of a snapshot for one request: their objects are visible, and the snapshot does not change.

use std::collections::BTreeMap;

use garden_gate_core::admission::{Case, EntryPoint, Judgement, Kind, Request, Verdict, World};
use garden_gate_core::garden::{GardenObject, Knowledge, ObjectKey, Question, Snapshot, Unknown};
use garden_gate_core::rules;
use garden_gate_model::api::{CloudProfile, NamespacedCloudProfile, Seed};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::judging::{Setup, project, request};
use crate::profiles::in_garden;

const NAMES: [&str; 3] = ["a", "b", "c"];

/// A draft of an object: its kind, its name, and a property that differs between objects of the same name.
type Draft = (u8, usize, usize);

fn drafts() -> impl Strategy<Value = Vec<Draft>> {
    prop::collection::vec((0..5_u8, 0..3_usize, 0..3_usize), 0..12)
}

fn object(&(kind, name, other): &Draft) -> GardenObject {
    let (name, other) = (NAMES[name], NAMES[other]);
    let metadata = json!({"name": name, "namespace": "ns"});
    match kind {
        0 => project(name, json!({"namespace": other})),
        1 => seed(name, other),
        2 => {
            let spec = json!({"parent": {"kind": "CloudProfile", "name": other}});
            let profile = json!({"metadata": metadata, "spec": spec});
            in_garden("NamespacedCloudProfile", &profile)
        }
        3 => {
            let spec = json!({"seedName": other});
            in_garden("Shoot", &json!({"metadata": metadata, "spec": spec}))
        }
        _ => {
            let key = ObjectKey::new(Kind::CloudProfile, "", name);
            GardenObject::Unreadable(key, other.to_owned())
        }
    }
}

fn seed(name: &str, provider: &str) -> GardenObject {
    let seed = json!({"metadata": {"name": name}, "spec": {"provider": {"type": provider}}});
    let seed: Seed = serde_json::from_str(&seed.to_string()).unwrap();
    GardenObject::from(seed)
}

fn key(draft: &Draft) -> ObjectKey {
    object(draft).key()
}

fn garden(drafts: &[Draft]) -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Watched);
    for draft in drafts {
        garden.apply(object(draft));
    }
    garden
}

/// Returns everything visible in a garden of such objects, by name and in lists.
fn seen(garden: &Snapshot) -> Vec<String> {
    let mut seen = vec![format!("{:?}", garden.counts())];
    for name in NAMES {
        seen.push(format!("{:?}", garden.project_of_namespace(name)));
        seen.push(format!("{:?}", garden.get::<Seed>(name)));
        seen.push(format!("{:?}", garden.get::<CloudProfile>(name)));
        seen.push(format!("{:?}", garden.get::<NamespacedCloudProfile>(("ns", name))));
        seen.push(format!("{:?}", garden.namespaced_cloud_profiles_of(name)));
        seen.push(format!("{:?}", garden.shoots_on_seed(name)));
    }
    let collection = |kind, namespace| garden.collection(kind, namespace, |_| false);
    seen.push(format!("{:?}", collection(Kind::Project, "")));
    seen.push(format!("{:?}", collection(Kind::Shoot, "ns")));
    seen.push(match garden.seeds() {
        Ok(seeds) => format!("{:?}", seeds.collect::<Vec<_>>()),
        Err(why) => why,
    });
    seen
}

proptest! {
    #[test]
    fn laying_over_is_applying_and_leaves_what_is_below(below in drafts(), over in drafts()) {
        let base = garden(&below);
        let before = seen(&base);
        let laid = base.with(over.iter().map(object));
        // The last object of a name takes precedence.
        let all = below.iter().chain(&over);
        let last: BTreeMap<_, _> = all.map(|draft| (key(draft), *draft)).collect();
        let applied = garden(&last.into_values().collect::<Vec<_>>());
        prop_assert_eq!(seen(&laid), seen(&applied));
        prop_assert_eq!(seen(&base), before);
    }

    #[test]
    fn the_order_of_disjoint_objects_does_not_matter(below in drafts(), over in drafts()) {
        let base = garden(&below);
        let over: BTreeMap<_, _> = over.iter().map(|draft| (key(draft), *draft)).collect();
        let forth = base.with(over.values().map(object));
        let back = base.with(over.values().rev().map(object));
        let one_by_one = over.values().fold(base, |garden, draft| garden.with([object(draft)]));
        prop_assert_eq!(seen(&forth), seen(&back));
        prop_assert_eq!(seen(&forth), seen(&one_by_one));
    }

    #[test]
    fn what_is_taken_away_is_certainly_absent_until_it_is_back(below in drafts(), gone in drafts()) {
        let base = garden(&below);
        let before = seen(&base);
        let without = base.without(gone.iter().map(key));
        for ObjectKey { kind, name, .. } in gone.iter().map(key) {
            if kind == Kind::Seed {
                prop_assert!(matches!(without.get::<Seed>(&name), Ok(None)));
                let back = without.with([seed(&name, "p")]);
                prop_assert!(matches!(back.get::<Seed>(&name), Ok(Some(_))));
            }
            if kind == Kind::NamespacedCloudProfile {
                let found = without.get::<NamespacedCloudProfile>(("ns", name.as_str()));
                prop_assert!(matches!(found, Ok(None)));
            }
        }
        prop_assert_eq!(seen(&base), before);
    }
}

#[test]
fn an_answer_stays_and_what_has_none_is_unknown() {
    let seed_called = |name: &str| Question::Object(ObjectKey::new(Kind::Seed, "", name));
    for knowledge in [Knowledge::Watched, Knowledge::Nothing] {
        let mut garden = Snapshot::new(knowledge);
        garden.answer_object(seed_called("a"), Some(seed("a", "p")));
        garden.answer_object(seed_called("b"), None);
        for name in NAMES {
            garden.answer_unknown(seed_called(name), "no answer");
        }
        assert!(matches!(garden.get::<Seed>("a"), Ok(Some(_))));
        assert!(matches!(garden.get::<Seed>("b"), Ok(None)));
        assert!(matches!(garden.get::<Seed>("c"), Err(Unknown::Reason(why)) if why == "no answer"));
    }
}

/// Returns a new Shoot that names a Project and an ExposureClass.
fn review() -> Value {
    let metadata = json!({"name": "s", "namespace": "garden-p"});
    let shoot = json!({"metadata": metadata, "spec": {"exposureClassName": "x"}});
    let mut request = request("shoots", "CREATE", &shoot, None);
    request["uid"] = json!("uid");
    request["userInfo"] = json!({"username": "alice"});
    json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
}

#[test]
fn case_ends_without_answers() {
    let (setup, body) = (Setup::with_project(None), review().to_string());
    let request = Request::from_review(body.as_bytes()).unwrap();
    let garden = Snapshot::new(Knowledge::Watched);
    let world = World {
        rules: rules::ALL.into(),
        garden: &garden,
        config: &setup.config,
        now: setup.now.parse().unwrap(),
    };
    let mut rounds = 0;
    let review = Case::decide(EntryPoint::Validate, &request, &world, |_, _| rounds += 1);
    assert_eq!((rounds, review.verdict()), (3, Verdict::Undetermined));
    let message = "after 3 rounds there were still questions to the API server";
    assert_eq!(review.undetermined[0].message, message);
    assert!(matches!(
        Case::default().judge(EntryPoint::Validate, &request, &world),
        Judgement::Questions(_)
    ));
}
