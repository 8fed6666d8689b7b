// SPDX-License-Identifier: Apache-2.0
//! Values that cannot be parsed, or that no API server sends, never count as absent, unchanged or allowed.

use crate::judging::{Setup, denials, request};
use crate::profiles::{in_garden, profile, shoot};
use garden_gate_core::admission::{Review, Verdict};
use garden_gate_core::garden::{GardenObject, Knowledge, ObjectKey, Snapshot, Unknown};
use garden_gate_model::api::{Kind, Seed};
use rstest::rstest;
use serde_json::{Value, json};

const VERSIONS: &str = "1.31.1; 1.30.5";
const IMAGE: &str = "1.0.0 =supported";

fn setup() -> Setup {
    let mut setup = Setup::with_project(None);
    setup.now = crate::profiles::NOW;
    setup
}

fn unreadable(kind: Kind, namespace: &str, name: &str) -> GardenObject {
    let key = ObjectKey::new(kind, namespace, name);
    GardenObject::Unreadable(key, "machine: expected an object".to_owned())
}

fn told(review: &Review) -> Vec<&str> {
    let told = review.undetermined.iter();
    told.map(|it| it.message.as_str()).collect()
}

fn drop_a_version(setup: &Setup) -> Review {
    let (old, new) = (profile(VERSIONS, IMAGE), profile("1.31.1", IMAGE));
    setup.review(&request("cloudprofiles", "UPDATE", &new, Some(&old)))
}

#[test]
fn a_shoot_that_cannot_be_read_may_use_any_version() {
    let mut setup = setup();
    assert_eq!(denials(&drop_a_version(&setup)), Vec::<String>::new());
    setup.garden.apply(unreadable(Kind::Shoot, "garden-p", "s"));
    let review = drop_a_version(&setup);
    assert_eq!(review.verdict(), Verdict::Undetermined);
    let message = told(&review)[0];
    assert!(message.contains("Shoot `garden-p/s` exists but cannot be read: machine"), "{message}");
    setup.garden.apply(in_garden("Shoot", &shoot(&json!({}))));
    assert!(setup.garden.shoots().is_ok(), "it can be read now");
}

#[test]
fn a_profile_that_cannot_be_read_may_lean_on_any_version() {
    let mut setup = setup();
    let overlay = unreadable(Kind::NamespacedCloudProfile, "garden-p", "n");
    setup.garden.apply(overlay);
    assert_eq!(drop_a_version(&setup).verdict(), Verdict::Undetermined);
}

#[test]
fn what_cannot_be_read_is_not_absent_even_where_all_is_known() {
    let mut garden = Snapshot::new(Knowledge::Everything);
    garden.apply(unreadable(Kind::Seed, "", "s"));
    garden.apply(unreadable(Kind::Project, "", "p"));
    let unknown = "Seed `s` exists but cannot be read: machine: expected an object".to_owned();
    assert!(matches!(garden.get::<Seed>("s"), Err(Unknown::Reason(why)) if why == unknown));
    assert!(matches!(garden.get::<Seed>("t"), Ok(None)));
    assert!(garden.seeds().is_err());
    assert!(matches!(garden.project_of_namespace("garden-p"), Err(Unknown::Reason(_))));
    garden.reset(Kind::Project, []);
    assert!(matches!(garden.project_of_namespace("garden-p"), Ok(None)));
}

#[test]
fn shoots_that_cannot_be_read_may_be_on_any_seed() {
    let mut garden = Snapshot::new(Knowledge::Everything);
    garden.apply(unreadable(Kind::Shoot, "garden-p", "a"));
    garden.apply(unreadable(Kind::Shoot, "garden-p", "b"));
    assert_eq!(garden.shoots_on_seed("s"), Ok(0..=2));
}

fn odd(change: impl FnOnce(&mut Value)) -> Review {
    let object = profile(VERSIONS, IMAGE);
    let mut request = request("cloudprofiles", "UPDATE", &object, Some(&object));
    change(&mut request);
    setup().review(&request)
}

#[rstest]
#[case::other_version(&["resource", "version"], json!("v1alpha1"), "only `v1beta1` can be judged")]
#[case::no_object(&["object"], Value::Null, "has no `object`")]
#[case::no_stored_object(&["oldObject"], Value::Null, "has no `oldObject`")]
fn a_review_that_lacks_what_it_should_have_is_refused(
    #[case] path: &[&str],
    #[case] value: Value,
    #[case] why: &str,
) {
    let review = odd(|request| {
        let place = path.iter().fold(request, |value, name| &mut value[*name]);
        *place = value;
    });
    assert_eq!(review.verdict(), Verdict::Undetermined);
    assert!(told(&review)[0].contains(why), "{:?}", told(&review));
}

#[test]
fn only_a_collection_is_deleted_without_objects() {
    let deleted = |name: &str| {
        odd(|request| {
            request["operation"] = json!("DELETE");
            request["name"] = json!(name);
            request["resource"]["resource"] = json!("seeds");
            (request["object"], request["oldObject"]) = (Value::Null, Value::Null);
        })
    };
    assert_eq!(deleted("").verdict(), Verdict::Allowed);
    assert_eq!(deleted("s").verdict(), Verdict::Undetermined);
}

#[test]
fn a_list_is_no_object() {
    let review = odd(|request| request["object"] = json!([]));
    assert_eq!(denials(&review), ["object/undecodable TypeInvalid "]);
}
