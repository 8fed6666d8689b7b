// SPDX-License-Identifier: Apache-2.0
use serde_json::{Value, json};

use crate::live::World;

/// Returns the Project of the garden, with another member.
pub(crate) fn project() -> String {
    let projects = crate::live::documents("examples/garden/projects.yaml".as_ref());
    let mut project = projects[0].clone();
    let members = project["spec"]["members"].as_array_mut().unwrap();
    members.push(json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "new@example.com", "role": "viewer"}));
    project.to_string()
}

fn review(world: &World, arguments: &[&str]) -> Value {
    world.reviews(&[&["project.json"], arguments].concat())[0].clone()
}

#[test]
fn verbs_are_noted_without_a_user() {
    let world = World::new(&[("project.json", &project())]);
    let review = review(&world, &[]);
    assert_eq!(review["verdict"], "allowed");
    let note = "the requesting user needs the verb `manage-members` on `projects.core.gardener.cloud` `dev`";
    assert_eq!(review["notes"], json!([note]));
    assert!(!world.server.asked().iter().any(|it| it.starts_with("POST")));
}

#[test]
fn permissions_come_from_the_api_server() {
    let world = World::new(&[("project.json", &project())]);
    world.server.script().may.push(("bob", "manage-members"));
    assert_eq!(review(&world, &["--as", "bob"])["verdict"], "allowed");
    let alice = review(&world, &["--as", "alice"]);
    assert_eq!(alice["verdict"], "denied");
    assert_eq!(alice["findings"][0]["rule"], "project/members-verb");
}

#[test]
fn what_may_not_be_asked_is_unknown() {
    let world = World::new(&[("project.json", &project())]);
    let path = "POST /apis/authorization.k8s.io/v1/subjectaccessreviews";
    world.server.answer(path, 403, "not you");
    let review = review(&world, &["--as", "bob"]);
    assert_eq!(review["verdict"], "undetermined");
    let says = review["undetermined"][0]["message"].as_str().unwrap();
    let why = "failed to create a SubjectAccessReview: the API server answered 403: not you";
    assert!(says.contains(why), "{says}");
}
