// SPDX-License-Identifier: Apache-2.0
//! Help texts fix a refusal: each proposed edit is applied and judged again, and the field is no longer refused.
//!
//! The requests are those of the matrices, recorded ones, and some typical mistakes.

use std::path::Path;

use garden_gate_core::admission::{self, Case, EntryPoint, Finding, Request, Review, World};
use garden_gate_core::config::Level;
use garden_gate_core::rules;
use rstest::rstest;
use serde_json::{Value, json};

use crate::{notes, recorded};

/// The subject of notes about the outcome of help texts.
const SUBJECT: &str = "help";

/// The edit that a help text proposes.
#[derive(Debug)]
enum Edit {
    /// Another value.
    Value(String),
    /// A value with the right syntax, but not necessarily valid.
    Example(String),
    /// No value.
    Remove,
    /// The stored value.
    Restore,
}

/// Notes the outcome of the help texts in a review during the sweep.
pub(crate) fn note(request: &Value, review: &Review, judge: impl Fn(&Value) -> Review) {
    if notes::are_taken() {
        notes::take(SUBJECT, &outcomes(request, review, judge));
    }
}

/// Returns a line for each edit: `applied`, or the repeated refusal.
fn outcomes(request: &Value, review: &Review, judge: impl Fn(&Value) -> Review) -> Vec<String> {
    let mut lines = Vec::new();
    for finding in review.findings.iter().filter(|it| it.level == Level::Deny) {
        for edit in edits(&finding.help) {
            let Some(edited) = apply(request, finding, &edit) else {
                continue;
            };
            let again = judge(&edited);
            let is_item = |it: &Finding| it.pointer.ends_with(|last: char| last.is_ascii_digit());
            let is_again = |it: &&Finding| {
                let is_same = it.finding == finding.finding;
                it.level == Level::Deny
                    && it.pointer == finding.pointer
                    && match edit {
                        Edit::Example(_) => is_same,
                        // Another item moves to this index.
                        Edit::Remove if is_item(finding) => {
                            is_same && again.findings.len() >= review.findings.len()
                        }
                        _ => !EXCEPT.contains(&(finding.finding, it.finding)),
                    }
            };
            lines.push(match again.findings.iter().find(is_again) {
                None => "applied".to_owned(),
                Some(it) => format!(
                    "{} at {}: {}; {} [{edit:?}], then {}: {}; {}",
                    finding.finding,
                    finding.pointer,
                    finding.message,
                    finding.help,
                    it.finding,
                    it.message,
                    it.help
                ),
            });
        }
    }
    lines
}

/// Pairs of findings on the same field, of which the second one has an independent cause.
const EXCEPT: [(&str, &str); 11] = [
    // The operation is not possible now, under either name.
    ("shoot/operation-etcd-split-rotation", "shoot/operation-context"),
    ("shoot/operation-etcd-split-rotation", "shoot/operation-while-hibernated"),
    ("shoot/operation-etcd-split-rotation", "shoot/operation-conflicts-with-maintenance"),
    // The Shoot loses its workers as well.
    ("field/unfitting", "shoot/managed-seed-nodes"),
    ("shoot/immutable-field-removed", "shoot/binding-without-workers"),
    // The stored Shoot has no binding.
    ("shoot/immutable-field-changed", "shoot/no-binding"),
    // The stored configuration is wrong as well.
    ("azure/undecodable", "azure/undecodable"),
    // Only the stored configuration has the field, and the whole new one is removed.
    ("registry-cache/stored-undecodable", "registry-cache/required"),
    // The provider of the Seed changes as well.
    ("field/immutable", "field/missing"),
    // The control plane is downgraded as well, or its version is not valid.
    (
        "shoot/worker-kubernetes-version-downgrade",
        "shoot/worker-kubernetes-version-above-control-plane",
    ),
    ("shoot/worker-kubernetes-version-downgrade", "shoot/worker-kubernetes-version-incomparable"),
];

/// Phrases before a value in backticks.
const VALUES: [&str; 5] = ["write `", "use `", "did you mean `", "set it to `", "put `"];
const EXAMPLES: [&str; 4] = ["write it like `", "such as `", "as in `", "for example `"];
const REMOVE: [&str; 3] = ["remove it", "leave it out", "remove the field"];
const RESTORE: [&str; 3] = ["put the old value back", "put it back", "leave it as it is"];

fn edits(help: &str) -> Vec<Edit> {
    let quoted = |word: &&str| {
        let (_, rest) = help.split_once(word)?;
        Some(rest.split_once('`')?.0.to_owned())
    };
    let begins = |word: &&str| help.starts_with(word);
    let mut edits: Vec<Edit> = VALUES.iter().filter_map(quoted).map(Edit::Value).collect();
    edits.extend(EXAMPLES.iter().filter_map(quoted).map(Edit::Example));
    edits.extend(REMOVE.iter().filter(|it| begins(it)).map(|_| Edit::Remove));
    edits.extend(RESTORE.iter().filter(|it| begins(it)).map(|_| Edit::Restore));
    edits
}

/// Returns the request with the edit; `None` if the help is not about the value of the field.
fn apply(request: &Value, finding: &Finding, edit: &Edit) -> Option<Value> {
    // Their help texts name fields, not values.
    let names_fields = ["object/unknown-field", "field/removed"].contains(&finding.finding)
        || finding.message.contains("is no field of");
    if names_fields && !matches!(edit, Edit::Remove) || finding.pointer.is_empty() {
        return None;
    }
    let mut request = request.clone();
    let stored = request["oldObject"].pointer(&finding.pointer).cloned();
    let pointer = match edit {
        Edit::Remove => removed(finding).unwrap_or(&finding.pointer),
        _ => &finding.pointer,
    };
    let (parent, name) = pointer.rsplit_once('/')?;
    let name = name.replace("~1", "/").replace("~0", "~");
    let object = request.get_mut("object").filter(|it| it.is_object())?;
    let value = match edit {
        Edit::Remove => None,
        Edit::Restore => stored,
        Edit::Value(text) | Edit::Example(text) => {
            Some(typed(text, &name, object.pointer(&finding.pointer))?)
        }
    };
    match (object.pointer_mut(parent)?, value) {
        (Value::Array(items), Some(value)) => *items.get_mut(name.parse::<usize>().ok()?)? = value,
        (Value::Array(items), None) => {
            let index = name.parse::<usize>().ok().filter(|it| *it < items.len())?;
            items.remove(index);
        }
        (Value::Object(fields), Some(value)) => {
            fields.insert(name, value);
        }
        (Value::Object(fields), None) => {
            fields.remove(&name)?;
        }
        _ => return None,
    }
    Some(request)
}

/// Returns the place that the fix of a finding removes, which may be around or in the field of the finding.
fn removed(finding: &Finding) -> Option<&String> {
    let mut edits = finding.fixes.iter().flat_map(|fix| &fix.edits);
    edits.find_map(|edit| match edit {
        admission::Edit::Remove { pointer } => Some(pointer),
        _ => None,
    })
}

/// Parses a value of a help text as YAML, with the type of the value that it replaces unless that is wrong.
fn typed(text: &str, name: &str, before: Option<&Value>) -> Option<Value> {
    let text = text.strip_prefix(name).and_then(|it| it.strip_prefix(": ")).unwrap_or(text);
    let read: Value = serde_saphyr::from_str(text).ok()?;
    match (before, &read) {
        // The value is the name of a field, or a part of a list or map.
        (Some(Value::Object(_) | Value::Array(_)), Value::String(_))
        | (_, Value::Object(_) | Value::Array(_)) => None,
        // It has placeholders.
        _ if text.contains(['…', '<']) => None,
        (Some(Value::String(_)), Value::Number(_)) if !text.starts_with('"') => Some(json!(text)),
        _ => Some(read),
    }
}

#[test]
fn helps_of_matrices_lead_into_no_other_refusal() {
    let of_matrices = notes::about(SUBJECT).filter(|it| it.0.starts_with("matrix_"));
    let outcomes = of_matrices.map(|(_, outcome)| outcome.to_owned());
    assert_all_applied(outcomes.collect(), 150);
}

fn assert_all_applied(outcomes: Vec<String>, least: usize) {
    let (applied, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(|it| it == "applied");
    assert!(refused.is_empty(), "{} of {}:\n{}", refused.len(), applied.len(), refused.join("\n"));
    assert!(applied.len() >= least, "only {}", applied.len());
}

/// A recorded garden.
struct Garden {
    garden: garden_gate_core::garden::Snapshot,
    config: garden_gate_core::config::Config,
}

impl Garden {
    fn review(&self, request: &Value) -> Review {
        let mut request = request.clone();
        request["uid"] = json!("uid");
        let review = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
        let body = review.to_string();
        let request = Request::from_review(body.as_bytes()).unwrap();
        let world = World {
            rules: rules::ALL.into(),
            garden: &self.garden,
            config: &self.config,
            now: "2026-01-01T00:00:00Z".parse().unwrap(),
        };
        Case::decide(EntryPoint::Review, &request, &world, |_, _| {})
    }
}

/// Returns the gardens of a family, with the refused requests of each.
fn refused_in(family: &str) -> Vec<(Garden, Vec<Value>)> {
    let file = format!("tests/conformance/{family}.json.gz");
    let family = recorded::read(Path::new(&file));
    let gardens = family["gardens"].as_array().unwrap().iter().map(|recorded| {
        let (garden, config) = recorded::garden(recorded);
        let cases = recorded["cases"].as_array().unwrap().iter();
        let refused = cases.filter(|case| case["expect"]["allowed"] == false);
        let requests = refused.map(|case| case["request"].clone()).collect();
        (Garden { garden, config }, requests)
    });
    gardens.collect()
}

#[rstest]
#[case::profiles(&["cloud_profile_static", "namespaced_cloud_profile_static"], 30)]
#[case::projects(&["project_static", "small_kinds"], 10)]
#[case::seeds(&["seed_static", "seed_taints"], 10)]
#[case::networks(&["shoot_networking", "shoot_dns", "shoot_identity"], 10)]
#[case::kubernetes(&["shoot_kubelet", "shoot_kubernetes", "shoot_removed_fields"], 10)]
#[case::pools(&["shoot_machines", "shoot_pools", "shoot_image", "update_strategy"], 10)]
#[case::others(&["shoot_extensions", "shoot_maintenance", "shoot_bindings", "operations"], 10)]
#[case::updates(&["shoot_update_rules", "shoot_control_plane", "shoot_references_quota"], 40)]
fn recorded_helps_lead_into_no_other_refusal(#[case] families: &[&str], #[case] least: usize) {
    let mut lines = Vec::new();
    for (garden, requests) in families.iter().flat_map(|it| refused_in(it)) {
        for request in requests {
            let review = garden.review(&request);
            lines.extend(outcomes(&request, &review, |it| garden.review(it)));
        }
    }
    assert_all_applied(lines, least);
}

/// Returns a garden with an allowed Shoot.
fn stratus() -> (Garden, Value) {
    let family = recorded::read(Path::new("tests/conformance/shoot_machines.json.gz"));
    let recorded = &family["gardens"][0];
    let (garden, config) = recorded::garden(recorded);
    let cases = recorded["cases"].as_array().unwrap();
    let is_base =
        |it: &&Value| it["expect"]["allowed"] == true && it["request"]["operation"] == "CREATE";
    let request = cases.iter().find(is_base).unwrap()["request"].clone();
    (Garden { garden, config }, request)
}

/// Returns the refusals of the Shoot with one changed value, with help texts.
fn refused(pointer: &str, value: Value) -> Vec<(String, String, String)> {
    let (garden, mut request) = stratus();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let mut at = &mut request["object"];
    for step in parent.split('/').skip(1) {
        at = match step.parse::<usize>() {
            Ok(index) => &mut at[index],
            Err(_) => &mut at[step],
        };
    }
    at[name.replace("~1", "/")] = value;
    request["namespace"] = request["object"]["metadata"]["namespace"].clone();
    let review = garden.review(&request);
    let lines = outcomes(&request, &review, |it| garden.review(it));
    assert!(lines.iter().all(|it| it == "applied"), "{lines:?}");
    let denials = review.findings.into_iter().filter(|it| it.level == Level::Deny);
    denials.map(|it| (it.finding.to_owned(), it.message, it.help)).collect()
}

#[test]
fn the_base_is_allowed() {
    assert_eq!(refused("/spec/purpose", json!("production")), []);
}

/// One mistake yields one finding, whose help names the intended value.
#[rstest]
#[case::removed("/spec/kubernetes/kubeAPIServer", json!({"oidcConfig": {"clientID": "a"}}), "`oidcConfig` was removed in Gardener v1.142", "use `structuredAuthentication`, with an AuthenticationConfiguration in the ConfigMap that its `configMapName` names")]
#[case::removed_for_good("/spec/kubernetes/allowPrivilegedContainers", json!(true), "`allowPrivilegedContainers` was removed in Gardener v1.91", "remove it; to restrict pods, configure the admission plugin `PodSecurity`")]
#[case::annotation("/metadata/confirmation.gardener.cloud~1deletion", json!("true"), "`confirmation.gardener.cloud/deletion` is no field of `metadata`", "`confirmation.gardener.cloud/deletion` belongs under `metadata.annotations`")]
#[case::cloud_profile("/spec/cloudProfile/name", json!("stratuss"), "there is no CloudProfile `stratuss`", "did you mean `stratus`?")]
#[case::no_cloud_profile("/spec/cloudProfile/name", json!("zzzzzz"), "there is no CloudProfile `zzzzzz`", "name a profile that exists, or create it first")]
#[case::namespaced_cloud_profile("/spec/cloudProfile", json!({"kind": "NamespacedCloudProfile", "name": "stratus-dv"}), "there is no NamespacedCloudProfile `stratus-dv` in namespace `garden-dev`", "did you mean `stratus-dev`?")]
#[case::other_kind_of_profile("/spec/cloudProfile", json!({"kind": "NamespacedCloudProfile", "name": "stratus"}), "there is no NamespacedCloudProfile `stratus` in namespace `garden-dev`", "there is a CloudProfile `stratus`; set `spec.cloudProfile.kind` to `CloudProfile`")]
#[case::exposure_class("/spec/exposureClassName", json!("intrnet"), "there is no ExposureClass `intrnet`", "did you mean `internet`?")]
#[case::binding("/spec/credentialsBindingName", json!("acount"), "there is no CredentialsBinding `acount` in namespace `garden-dev`", "did you mean `account`?")]
#[case::region("/spec/region", json!("mars"), "the profile does not have region `mars`", "")]
#[case::similar_region("/spec/region", json!("europe-centrl-1"), "the profile does not have region `europe-centrl-1`", "did you mean `europe-central-1`? ")]
#[case::machine_type("/spec/provider/workers/0/machine/type", json!("m5.lage"), "the profile does not list machine type `m5.lage`, which pool `auto` names", "did you mean `m5.large`? ")]
#[case::range("/spec/networking/services", json!("300.64.0.0/13"), "`300.64.0.0/13` cannot be the `services`: it is no address range, such as `10.0.0.0/16`", "write it like `10.0.0.0/16`")]
#[case::overlap("/spec/networking/services", json!("0.0.0.0/0"), "`0.0.0.0/0` overlaps `100.96.0.0/11`, the range of the pods, and `10.37.0.0/16`, the range of the nodes", "write a range that overlaps none, such as `100.64.0.0/13`")]
#[case::size("/spec/provider/workers/0/volume/size", json!(50), "a text is expected, but this is the number `50`", "write `50Gi`")]
#[case::unit("/spec/provider/workers/0/volume/size", json!("50GB"), "`50GB` cannot be the `size`: it is a whole number with the unit `Gi`, such as `50Gi`", "write `50Gi`")]
#[case::pool_name("/spec/provider/workers/0/name", json!("My_Pool"), "`My_Pool` cannot be the `name`: it has lower-case letters, digits and `-` only, and begins and ends with a letter or digit", "write `my-pool`")]
#[case::enumeration("/spec/purpose", json!("prodution"), "`prodution` is not a purpose that a Shoot of this namespace can have", "did you mean `production`? ")]
#[case::whole_number("/spec/provider/workers/0/minimum", json!("1.5"), "a whole number is expected, but this is the string `1.5`", "write a whole number between -2147483648 and 2147483647, without quotes")]
#[case::no_profile("/spec/cloudProfile/name", json!(""), "", "")]
#[case::no_binding("/spec/credentialsBindingName", json!(""), "", "")]
#[case::no_region("/spec/region", json!(""), "`region` is not set", "set `region`")]
#[case::no_project("/metadata/namespace", json!("garden-noproject"), "no Project owns namespace `garden-noproject`", "create the Project first")]
fn a_mistake_has_one_finding(
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] message: &str,
    #[case] help: &str,
) {
    let refused = refused(pointer, value);
    let [(_, said, helps)] = refused.as_slice() else {
        panic!("{refused:#?}");
    };
    assert!(said.starts_with(message), "{said}");
    assert!(helps.starts_with(help), "{helps}");
}

#[test]
fn a_machine_image_of_a_similar_name_is_proposed() {
    let refused = refused("/spec/provider/workers/0/machine/image/name", json!("gardenlinx"));
    let helps: Vec<&str> = refused.iter().map(|(_, _, help)| help.as_str()).collect();
    assert_eq!(helps, ["did you mean `gardenlinux`?"; 2]);
}

/// With an earlier IPv6 setting, `nodeCIDRMaskSizeIPv6` can neither be kept nor removed in a Shoot with IPv4.
#[rstest]
#[case::kept(true)]
#[case::removed(false)]
fn a_way_back_from_dual_stack_is_not_proposed(#[case] is_kept: bool) {
    let (garden, mut request) = stratus();
    let mut old = request["object"].clone();
    old["spec"]["networking"]["ipFamilies"] = json!(["IPv4", "IPv6"]);
    old["spec"]["kubernetes"]["kubeControllerManager"] = json!({"nodeCIDRMaskSizeIPv6": 64});
    let mut new = old.clone();
    new["spec"]["networking"]["ipFamilies"] = json!(["IPv4"]);
    if !is_kept {
        new["spec"]["kubernetes"]["kubeControllerManager"] = Value::Null;
    }
    request["operation"] = json!("UPDATE");
    request["oldObject"] = old;
    request["object"] = new;
    let review = garden.review(&request);
    let denials = review.findings.iter().filter(|it| it.level == Level::Deny);
    let denials: Vec<_> = denials.map(|it| (it.field.as_str(), it.help.as_str())).collect();
    let expected = (
        "spec.kubernetes.kubeControllerManager.nodeCIDRMaskSizeIPv6",
        "keep `ipFamilies: [IPv4, IPv6]` and `nodeCIDRMaskSizeIPv6` as they are stored",
    );
    assert_eq!(denials, [expected]);
}

/// Sets each field of the base Shoot to an invalid value.
#[test]
fn a_wrong_value_has_a_help_that_is_right() {
    let (garden, request) = stratus();
    let (mut lines, mut pointers) = (Vec::new(), Vec::new());
    leaves(&request["object"]["spec"], "/spec".to_owned(), &mut pointers);
    for pointer in &pointers {
        for value in [json!(50), json!("Wrong_Value."), json!(true), json!("")] {
            let mut request = request.clone();
            *request["object"].pointer_mut(pointer).unwrap() = value.clone();
            let review = garden.review(&request);
            lines.extend(outcomes(&request, &review, |it| garden.review(it)));
        }
    }
    assert_all_applied(lines, 30);
}

/// Collects the paths of all scalars.
fn leaves(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                leaves(value, format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                leaves(value, format!("{path}/{index}"), found);
            }
        }
        _ => found.push(path),
    }
}
