// SPDX-License-Identifier: Apache-2.0
//! Schemas of `garden-gate schema`, applied to manifests by a JSON Schema validator.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;

use crate::command::{garden_gate, printed};
use flate2::read::GzDecoder;
use garden_gate_model::api::extensions::SHIPPED;
use garden_gate_model::api::{Described, GardenerVersion, KINDS, described};
use garden_gate_text::yaml;
use jsonschema::Validator;
use rstest::rstest;
use serde_json::{Value, json};

/// Returns the schema of a kind in the newest known version of Gardener.
fn json_schema(kind: &Described) -> Value {
    garden_gate_model::api::json_schema(kind, GardenerVersion::NEWEST)
}

fn validator(kind: &str) -> Validator {
    jsonschema::validator_for(&json_schema(described(kind).unwrap())).unwrap()
}

/// Returns the objects of kinds with a schema.
fn described_only(objects: impl IntoIterator<Item = Value>) -> Vec<(String, Value)> {
    let named = objects.into_iter().map(|it| {
        let kind = it["kind"].as_str().unwrap_or_default().to_owned();
        (kind, it)
    });
    named.filter(|(kind, _)| described(kind).is_some()).collect()
}

/// The only example that no API server accepts.
const MISSPELT: &str = "examples/manifests/shoot-misspelt-denied.yaml";

/// Returns all other manifests below `examples/`, and objects of AdmissionReviews.
fn examples() -> Vec<(String, Value)> {
    let files = walkdir::WalkDir::new("examples")
        .into_iter()
        .map(|it| it.unwrap().into_path())
        .filter(|path| {
            let is_text = path.extension().is_some_and(|it| it == "yaml" || it == "json");
            is_text && path.as_path() != Path::new(MISSPELT)
        });
    let documents = files.flat_map(|path| {
        let text = fs::read_to_string(path).unwrap();
        yaml::parse(&text).unwrap().into_iter().map(|it| it.to_value())
    });
    described_only(documents.flat_map(|it| match it.pointer("/request/object") {
        Some(object) => vec![object.clone()],
        None if it["kind"] == "List" => it["items"].as_array().unwrap().clone(),
        None => vec![it],
    }))
}

/// Returns the objects of requests that a running API server accepted, as sent.
fn accepted() -> Vec<(String, Value)> {
    let files = fs::read_dir("tests/conformance").unwrap().map(|it| it.unwrap().path());
    let families = files.filter(|path| path.extension().is_some_and(|it| it == "gz"));
    let cases = families.flat_map(|path| {
        let family: Value =
            serde_json::from_reader(GzDecoder::new(File::open(path).unwrap())).unwrap();
        let gardens = family["gardens"].as_array().unwrap().clone();
        gardens.into_iter().flat_map(|garden| garden["cases"].as_array().unwrap().clone())
    });
    // The older families were recorded after decoding, and some of their objects are incomplete.
    // An update may keep what is invalid in a stored custom resource.
    let is_kept = |case: &Value| {
        let group = &case["request"]["resource"]["group"];
        group == "operator.gardener.cloud" && case["request"]["operation"] == "UPDATE"
    };
    let answered = cases.filter(|case| {
        let has_code = case["expect"].get("code").is_some();
        case["expect"]["allowed"] == true && has_code && !is_kept(case)
    });
    described_only(answered.map(|case| case["request"]["object"].clone()))
}

fn complaints(validator: &Validator, object: &Value) -> Vec<String> {
    let errors = validator.iter_errors(object);
    errors.map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn every_schema_is_one() {
    for kind in KINDS.iter() {
        assert!(jsonschema::meta::is_valid(&json_schema(kind)), "{}", kind.kind);
    }
}

#[test]
fn examples_and_what_an_api_server_accepted_are_valid() {
    let objects: Vec<(String, Value)> = examples().into_iter().chain(accepted()).collect();
    assert!(objects.len() > 20, "{} objects", objects.len());
    let mut wrong = Vec::new();
    for kind in KINDS.iter() {
        let validator = validator(kind.kind);
        for (_, object) in objects.iter().filter(|(it, _)| it == kind.kind) {
            let name = &object["metadata"]["name"];
            let complaints = complaints(&validator, object).into_iter();
            wrong.extend(complaints.map(|it| format!("{} {name}: {it}", kind.kind)));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

fn shoot() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-dev"},
        "spec": {
            "cloudProfile": {"kind": "CloudProfile", "name": "stratus"},
            "region": "europe-1",
            "kubernetes": {"version": "1.34.1", "kubelet": {"containerLogMaxSize": "10Mi"}},
            "provider": {
                "type": "stratus",
                "infrastructureConfig": {"anything": [1]},
                "workers": [{"name": "a", "minimum": 1, "maximum": 2, "maxSurge": "10%", "machine": {"type": "large"}}],
            },
            "hibernation": null,
            "maintenance": {"autoRotation": {"credentials": {"sshKeypair": {"rotationPeriod": "168h"}}}},
        },
    })
}

#[test]
fn broken_manifests_are_not_valid() {
    let validator = validator("Shoot");
    assert_eq!(complaints(&validator, &shoot()), [""; 0]);
    let cases = [
        ("/spec", "toleration", json!([])),
        ("/spec", "region", json!(1)),
        ("/spec", "region", Value::Null),
        ("/spec", "seedName", json!(true)),
        ("/spec", "tolerations", json!({})),
        ("/spec", "tolerations", json!([{"value": "x"}])),
        ("/spec/provider", "infrastructureConfig", json!("x")),
        ("/spec/provider/workers/0", "minimum", json!(1.5)),
        ("/spec/provider/workers/0", "minimum", json!(2_147_483_648_u64)),
        ("/spec/provider/workers/0", "maxSurge", json!(true)),
        ("/spec/provider/workers/0", "machineImage", json!("x")),
        ("/spec/provider/workers/0", "taints", json!([{"key": "a", "effect": "Never"}])),
        ("/spec/provider/workers/0", "machine", json!({})),
        ("/spec/kubernetes", "version", json!(1.30)),
        ("/spec/kubernetes/kubelet", "containerLogMaxSize", json!("ten")),
        ("/spec/maintenance/autoRotation/credentials/sshKeypair", "rotationPeriod", json!("7d")),
        ("", "kind", json!("shoot")),
        ("", "apiVersion", json!("core.gardener.cloud/v1beta")),
        ("", "Spec", json!({})),
        ("/metadata", "labels", json!({"a": 1})),
    ];
    for (place, field, value) in cases {
        let mut broken = shoot();
        broken.pointer_mut(place).unwrap()[field] = value;
        assert!(!validator.is_valid(&broken), "{place}/{field}");
    }
}

#[test]
fn what_is_misspelt_is_not_valid() {
    let text = fs::read_to_string(MISSPELT).unwrap();
    let object = yaml::parse(&text).unwrap()[0].to_value();
    let complaints = complaints(&validator("Shoot"), &object);
    let places: BTreeSet<&str> = complaints.iter().filter_map(|it| it.split(": ").next()).collect();
    let expected = ["/spec", "/spec/kubernetes/version", "/spec/provider/workers/0"];
    assert_eq!(places, BTreeSet::from(expected));
}

/// Every field needs a description, but for those that definitions of extensions leave without one.
#[test]
fn every_field_has_a_description() {
    for kind in KINDS.iter() {
        let schema = json_schema(kind);
        let is_defined = |name: &str| {
            let owner = name.split_once('.').map_or("", |(owner, _)| owner);
            SHIPPED.iter().any(|it| it.extension.name == owner)
        };
        let definitions = schema["$defs"].as_object().unwrap().iter();
        let definitions = definitions.filter(|(name, _)| !is_defined(name)).map(|(_, it)| it);
        for object in definitions.chain([&schema]) {
            for (name, field) in object["properties"].as_object().unwrap() {
                assert_ne!(field["description"], "", "{} {name}", kind.kind);
            }
        }
    }
}

fn schema(kind: &str) -> (Option<i32>, String, String) {
    printed(garden_gate(&["schema", kind]).output().unwrap())
}

#[test]
fn the_command_prints_it() {
    let (code, out, _) = schema("Shoot");
    assert_eq!(code, Some(0));
    let printed: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(printed, json_schema(described("Shoot").unwrap()));
}

#[test]
fn an_unknown_kind_is_answered_with_what_may_be_meant() {
    let (code, _, error) = schema("shoots");
    assert_eq!(code, Some(2));
    assert!(error.contains("no schema is known for `shoots`; did you mean `Shoot`?"), "{error}");
    let (code, _, error) = schema("Secret");
    assert_eq!(code, Some(2));
    assert!(error.contains("`Secret`"), "{error}");
}

/// Returns the schema that the command prints for a version of Gardener, and its notes.
fn schema_of(kind: &str, version: &str) -> (Value, String) {
    let arguments = ["schema", kind, "--gardener-version", version];
    let (code, out, err) = printed(garden_gate(&arguments).output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    (serde_json::from_str(&out).unwrap(), err)
}

#[rstest]
#[case::field_before(
    "1.148",
    "/kubernetes/kubeAPIServer",
    "tlsMinVersion",
    json!("VersionTLS13"),
    false
)]
#[case::field_since(
    "1.149",
    "/kubernetes/kubeAPIServer",
    "tlsMinVersion",
    json!("VersionTLS13"),
    true
)]
#[case::value_before(
    "1.140",
    "/kubernetes/kubeAPIServer",
    "encryptionConfig",
    json!({"resources": [], "provider": {"type": "aesgcm"}}),
    false
)]
#[case::value_since(
    "1.141",
    "/kubernetes/kubeAPIServer",
    "encryptionConfig",
    json!({"resources": [], "provider": {"type": "aesgcm"}}),
    true
)]
#[case::old_value(
    "1.140",
    "/kubernetes/kubeAPIServer",
    "encryptionConfig",
    json!({"resources": [], "provider": {"type": "aescbc"}}),
    true
)]
#[case::removed_until("1.140", "/kubernetes/kubelet", "systemReserved", json!({"cpu": "80m"}), true)]
#[case::removed_since("1.141", "/kubernetes/kubelet", "systemReserved", json!({"cpu": "80m"}), false)]
#[case::shape_of_removed("1.140", "/kubernetes/kubelet", "systemReserved", json!(["80m"]), false)]
fn schema_has_fields_and_values_of_its_version(
    #[case] version: &str,
    #[case] object: &str,
    #[case] field: &str,
    #[case] value: Value,
    #[case] expected: bool,
) {
    let (schema, notes) = schema_of("Shoot", version);
    assert_eq!(notes, "");
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut shoot = shoot();
    shoot["spec"]["kubernetes"]["kubeAPIServer"] = json!({});
    assert_eq!(complaints(&validator, &shoot), [""; 0]);
    shoot["spec"].pointer_mut(object).unwrap()[field] = value;
    assert_eq!(validator.is_valid(&shoot), expected, "{:?}", complaints(&validator, &shoot));
}

#[rstest]
#[case::older("1.138", "1.139")]
#[case::newer("1.151", "1.150")]
fn schema_of_unknown_version_is_that_of_the_nearest(#[case] version: &str, #[case] known: &str) {
    let (schema, notes) = schema_of("Seed", version);
    assert_eq!(schema, schema_of("Seed", known).0);
    let expected =
        format!("note: Gardener {version} is not known; this is the schema of Gardener {known}\n");
    assert_eq!(notes, expected);
}
