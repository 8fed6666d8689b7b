// SPDX-License-Identifier: Apache-2.0
//! The JSON Schemas of `garden-gate schema` accept the output of commands, and name all fields.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use jsonschema::Validator;
use rstest::rstest;
use serde_json::Value;
use tempfile::tempdir;

use crate::command::{garden_gate, printed};

fn json(arguments: &[&str]) -> Value {
    let (_, out, err) = printed(garden_gate(arguments).output().unwrap());
    serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{arguments:?}: {out}{err}"))
}

/// Returns the schema of an output; unknown fields are errors, unless it allows them.
fn validator(output: &str) -> Validator {
    let mut schema = json(&["schema", output]);
    close(&mut schema);
    jsonschema::validator_for(&schema).unwrap()
}

fn close(schema: &mut Value) {
    if let Value::Object(fields) = schema {
        // The schema of a JSON Patch operation is composed of two.
        let is_part = fields.contains_key("$ref");
        if fields.get("properties").is_some_and(Value::is_object) && !is_part {
            fields.entry("additionalProperties").or_insert(false.into());
        }
        let fields = fields.iter_mut().filter(|(name, _)| !name.ends_with("Operation"));
        fields.for_each(|(_, schema)| close(schema));
    } else if let Value::Array(items) = schema {
        items.iter_mut().for_each(close);
    }
}

fn check(output: &str, document: &Value) {
    let validator = validator(output);
    let errors = validator.iter_errors(document);
    let errors: Vec<String> = errors.map(|it| format!("{}: {it}", it.instance_path())).collect();
    assert_eq!(errors, [""; 0]);
}

const AT: [&str; 4] = ["--at", "2026-11-01T00:00:00Z", "--format", "json"];
const GARDEN: [&str; 2] = ["--garden", "examples/garden"];

#[rstest]
#[case::review("review", &["review", "examples/manifests", "examples/reviews", "tests/formats"])]
#[case::several_gardens("review", &["review", "examples/manifests", "--garden", "examples/forecast"])]
#[case::old_state("review", &["review", "examples/manifests/shoot-allowed.yaml", "--old", "examples/garden/shoots.yaml"])]
#[case::profile("review", &["review", "examples/garden/cloudprofile.yaml", "--old", "examples/forecast"])]
#[case::audit("audit", &["audit"])]
#[case::forecast("forecast", &["forecast"])]
#[case::ladder("forecast", &["forecast", "--cloud-profile", "stratus"])]
#[case::difference("forecast", &["forecast", "--with", "examples/garden/cloudprofile.yaml"])]
fn output_with_a_garden_matches_its_schema(#[case] output: &str, #[case] arguments: &[&str]) {
    check(output, &json(&[arguments, &GARDEN, &AT].concat()));
}

#[test]
fn comparison_of_forecasts_matches_its_schema() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("earlier.json");
    let earlier = json(&[&["forecast"], &GARDEN[..], &AT].concat());
    let mut earlier = earlier.clone();
    earlier["shoots"] = Value::Array(Vec::new());
    std::fs::write(&file, earlier.to_string()).unwrap();
    let since = ["forecast", "--changed-since", file.to_str().unwrap()];
    let changed = json(&[&since[..], &GARDEN, &AT].concat());
    assert!(changed["changedSince"]["new"].as_u64() > Some(0), "{changed}");
    check("forecast", &changed);
}

#[rstest]
#[case::all(&["rules", "--format", "json"])]
#[case::one(&["rules", "--format", "json", "shoot/kubernetes-form"])]
fn rules_match_their_schema(#[case] arguments: &[&str]) {
    check("rules", &json(arguments));
}

#[test]
fn baseline_matches_its_schema() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("baseline.json");
    let file = file.to_str().unwrap();
    let manifests = ["review", "examples/manifests", "--write-baseline", file];
    let output = garden_gate(&[manifests.as_slice(), &GARDEN].concat()).output();
    let (_, _, err) = printed(output.unwrap());
    let text = std::fs::read_to_string(file).unwrap_or_else(|_| unreachable!("{err}"));
    check("baseline", &serde_json::from_str(&text).unwrap());
}

#[rstest]
#[case("reviews", "did you mean `review`?")]
#[case("nothing at all", "known are Shoot,")]
fn unknown_schema_is_refused(#[case] name: &str, #[case] help: &str) {
    let (code, out, err) = printed(garden_gate(&["schema", name]).output().unwrap());
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains(&format!("no schema is known for `{name}`; ")), "{err}");
    assert!(err.contains(help), "{err}");
}
