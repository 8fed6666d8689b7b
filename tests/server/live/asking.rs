// SPDX-License-Identifier: Apache-2.0
use rstest::rstest;
use serde_json::{Value, json};

use crate::live::{Printed, World, documents, file};

const ALLOWED: &str = "examples/manifests/shoot-allowed.yaml";
const DENIED: &str = "examples/manifests/shoot-denied.yaml";
const CREATE: &str = "POST /namespaces/garden-platform/shoots";

fn ask(world: &World, arguments: &[&str]) -> Printed {
    world.review(&[&["--ask-server"], arguments].concat())
}

/// Returns `verdict; answer of the API server; disagreement` of each object.
fn answers(world: &World, arguments: &[&str]) -> Vec<String> {
    let reviews = world.reviews(&[&["--ask-server"], arguments].concat());
    let said = reviews.iter().map(|review| {
        let server = &review["server"];
        format!("{}; {server}", review["verdict"].as_str().unwrap()).replace('"', "")
    });
    said.collect()
}

/// Returns the dry-run requests with their bodies.
fn tried(world: &World) -> Vec<(String, Value)> {
    let script = world.server.script();
    let tried =
        script.requests.iter().filter(|(line, _)| !line.starts_with("GET")).map(|(line, body)| {
            let line = line.replace("/apis/core.gardener.cloud/v1beta1", "");
            (line, body.clone())
        });
    tried.collect()
}

fn shoot(name: &str) -> Value {
    let mut shoots = documents("examples/garden/shoots.yaml".as_ref()).into_iter();
    shoots.find(|it| it["metadata"]["name"] == name).unwrap()
}

#[test]
fn a_new_object_is_created_without_being_stored() {
    let world = World::new(&[("shoot.yaml", &file(ALLOWED))]);
    let printed = ask(&world, &["shoot.yaml"]);
    assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""));
    insta::assert_snapshot!("agrees", printed.out);
    let manifest = documents(ALLOWED.as_ref()).remove(0);
    let line = format!("{CREATE}?dryRun=All&fieldValidation=Strict");
    assert_eq!(tried(&world), [(line, manifest)]);
}

#[test]
fn what_is_stored_is_updated_as_the_manifest_applied_to_it() {
    let manifest = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-dev", "labels": {"a": "b"}}});
    let world = World::new(&[("shoot.json", &manifest.to_string())]);
    assert_eq!(ask(&world, &["shoot.json"]).code, Some(0));
    let mut expected = shoot("web");
    expected["metadata"]["resourceVersion"] = "7".into();
    expected["metadata"]["labels"]["a"] = "b".into();
    let line = "PUT /namespaces/garden-dev/shoots/web?dryRun=All&fieldValidation=Strict";
    assert_eq!(tried(&world), [(line.to_owned(), expected)]);
}

#[test]
fn what_goes_is_deleted_without_being_gone() {
    let gone = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": "gone", "namespace": "garden-dev"}});
    let world = World::new(&[
        ("old/shoot.json", &shoot("web").to_string()),
        ("old/gone.json", &gone.to_string()),
        ("new/none.yaml", ""),
    ]);
    let answers = answers(&world, &["--old", "old", "new"]);
    let line = "DELETE /namespaces/garden-dev/shoots/web?dryRun=All&fieldValidation=Strict";
    assert_eq!(tried(&world), [(line.to_owned(), Value::Null)]);
    let nothing =
        "the API server cannot tell: it holds no such object, so that there is nothing to delete";
    assert!(answers[0].contains(nothing), "{answers:?}");
    assert_eq!(answers[1], "denied; {allowed:true,disagrees:true,message:}");
}

#[rstest]
#[case("text")]
#[case("json")]
#[case("junit")]
#[case("sarif")]
#[case("github")]
#[case("markdown")]
fn what_they_judge_differently_is_marked(#[case] format: &str) {
    let world = World::new(&[("a.yaml", &file(ALLOWED)), ("b.yaml", &file(DENIED))]);
    world.server.answer(
        CREATE,
        422,
        "Shoot.core.gardener.cloud \"gateway\" is invalid: spec.region: no",
    );
    let printed = ask(&world, &["a.yaml", "b.yaml", "--format", format]);
    assert_eq!((printed.code, printed.err.as_str()), (Some(1), ""));
    insta::with_settings!({filters => vec![("\"(text|markdown)\": \"## .*\"", "\"$1\": \"(the page)\"")]}, {
        insta::assert_snapshot!(format!("disagrees_{format}"), printed.out);
    });
}

#[test]
fn a_refusal_of_what_is_undetermined_is_a_refusal_and_no_disagreement() {
    let world = World::new(&[("shoot.yaml", &file(ALLOWED))]);
    world.server.answer("GET /exposureclasses", 403, "no");
    assert_eq!(ask(&world, &["shoot.yaml"]).code, Some(4));
    world.server.answer(CREATE, 403, "no such class");
    assert_eq!(
        answers(&world, &["shoot.yaml"]),
        ["undetermined; {allowed:false,code:403,disagrees:false,message:no such class}"]
    );
    assert_eq!(ask(&world, &["shoot.yaml"]).code, Some(1));
}

/// The API server judges every object alone.
#[test]
fn what_passes_only_together_is_no_disagreement() {
    let mut shoot = shoot("batch");
    shoot["spec"]["kubernetes"]["version"] = "1.33.10".into();
    let profile = file("examples/garden/cloudprofile.yaml");
    let kept = profile.lines().filter(|line| !line.contains("version: 1.33.9,"));
    let profile: String = kept.map(|line| format!("{line}\n")).collect();
    let world = World::new(&[("a.yaml", &profile), ("b.json", &shoot.to_string())]);
    world.server.answer("PUT /cloudprofiles/stratus", 403, "it is in use");
    let why = "the API server cannot tell: it cannot know what this change brings, and says: it is in use";
    let expected = format!("allowed; {{allowed:null,disagrees:false,message:{why}}}");
    let answers = answers(&world, &["a.yaml", "b.json"]);
    assert_eq!(answers[0], expected);
    assert_eq!(ask(&world, &["a.yaml", "b.json"]).code, Some(0));
}

#[test]
fn nothing_is_asked_about_a_namespace_that_comes_with_the_change() {
    let project = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project",
        "metadata": {"name": "new"}, "spec": {"namespace": "garden-new"}});
    let mut shoot = shoot("web");
    shoot["metadata"]["namespace"] = "garden-new".into();
    let world = World::new(&[("a.json", &project.to_string()), ("b.json", &shoot.to_string())]);
    let answers = answers(&world, &["a.json", "b.json"]);
    let why =
        "message:the API server cannot tell: it cannot know what this change brings: Project new}";
    assert!(answers[1].ends_with(why), "{answers:?}");
    let tried = tried(&world);
    let lines: Vec<&str> = tried.iter().map(|(line, _)| line.as_str()).collect();
    assert_eq!(lines, ["POST /projects?dryRun=All&fieldValidation=Strict"]);
}

#[rstest]
#[case(
    403,
    "shoots.core.gardener.cloud is forbidden: User \"u\" cannot create resource \"shoots\" in API group \"core.gardener.cloud\"",
    "; who asks needs the verb create on shoots.core.gardener.cloud, for a dry run, too"
)]
#[case(409, "it exists", "")]
#[case(500, "failed calling webhook", "")]
fn what_is_no_verdict_is_no_answer(#[case] code: u16, #[case] message: &str, #[case] help: &str) {
    let world = World::new(&[("shoot.yaml", &file(ALLOWED))]);
    world.server.answer(CREATE, code, message);
    let says =
        format!("the API server has not answered: the API server answered {code}: {message}{help}");
    let expected =
        format!("allowed; {{allowed:null,disagrees:false,message:{says}}}").replace('"', "\\");
    assert_eq!(answers(&world, &["shoot.yaml"]), [expected]);
    let printed = ask(&world, &["shoot.yaml"]);
    assert_eq!(printed.code, Some(4), "{}", printed.out);
}

#[test]
fn a_key_that_is_set_twice_reaches_the_api_server() {
    let text = file(ALLOWED)
        .replace("  region: us-east-1\n", "  region: us-east-1\n  region: us-east-1\n");
    let world = World::new(&[("shoot.yaml", &text)]);
    world.server.answer(CREATE, 400, "strict decoding error: duplicate field");
    let expected = "denied; {allowed:false,code:400,disagrees:false,message:strict decoding error: duplicate field}";
    assert_eq!(answers(&world, &["shoot.yaml"]), [expected]);
}

/// The requesting user may lack a verb that another user has.
#[test]
fn missing_verb_is_no_disagreement_without_a_user() {
    let world = World::new(&[("project.json", &crate::live::verbs::project())]);
    world.server.answer("PUT /projects/dev", 403, "user is not allowed to manage-members");
    let refused = "allowed; {allowed:false,code:403,disagrees:IT,message:user is not allowed to manage-members}";
    assert_eq!(answers(&world, &["project.json"]), [refused.replace("IT", "false")]);
    world.server.script().may.push(("bob", "manage-members"));
    let as_bob = answers(&world, &["project.json", "--as", "bob", "--as-group", "devs"]);
    assert_eq!(as_bob, [refused.replace("IT", "true")]);
    let impersonated = world.server.script().impersonated.clone();
    assert_eq!(impersonated, [["bob", "devs"].map(str::to_owned)]);
}
