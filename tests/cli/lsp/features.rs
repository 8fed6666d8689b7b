// SPDX-License-Identifier: Apache-2.0
//! Hover, completion, definition, symbols and code actions.

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::SHOOT;
use super::client::{Client, GARDEN, cursor, uri};
use super::gardens::copy_garden;
use crate::folder::folder;

fn start() -> (TempDir, Client, String) {
    let folder = folder(&[("shoot.yaml", SHOOT)]);
    let mut client = Client::with_garden(folder.path());
    let uri = uri(&folder.path().join("shoot.yaml"));
    client.opened(&uri, SHOOT);
    (folder, client, uri)
}

/// Returns the labels that are completed at `¦` in a Shoot in which a text is replaced.
fn completed(client: &mut Client, uri: &str, text: &str) -> Vec<Value> {
    let (text, position) = cursor(text, '¦');
    client.replace(uri, 2, &text);
    let result = client.request(
        "textDocument/completion",
        json!({"textDocument": {"uri": uri}, "position": position}),
    );
    result["items"].as_array().cloned().unwrap_or_default()
}

fn labels(items: &[Value]) -> Vec<&str> {
    items.iter().map(|it| it["label"].as_str().unwrap()).collect()
}

#[rstest]
#[case::versions("version: 1.34.7", "version: ¦", &["1.35.2", "1.34.7", "1.33.11"])]
#[case::version_partial("version: 1.34.7", "version: 1.3¦", &["1.35.2"])]
#[case::regions("region: us-east-1", "region: ¦", &["europe-central-1"])]
#[case::zones("- us-east-1a", "- ¦", &["us-east-1a"])]
#[case::machine_types("type: m5.large", "type: ¦", &["m5.large", "m5.xlarge"])]
#[case::images("name: gardenlinux", "name: ¦", &["gardenlinux", "gardenlinux-fips"])]
#[case::image_versions("version: 1877.5.0", "version: ¦", &["1877.5.0", "1900.1.0"])]
#[case::purposes("purpose: evaluation", "purpose: ¦", &["development", "evaluation", "production"])]
#[case::profiles("name: stratus", "name: ¦", &["stratus"])]
#[case::profile_kinds("kind: CloudProfile", "kind: ¦", &["CloudProfile", "NamespacedCloudProfile"])]
#[case::enumeration("  purpose:", "  controlPlane: {highAvailability: {failureTolerance: {type: ¦\n  purpose:", &["node", "zone"])]
#[case::boolean("  purpose:", "  hibernation:\n    enabled: ¦\n  purpose:", &["true", "false"])]
#[case::namespaces("namespace: garden-platform", "namespace: ¦", &["garden-dev", "garden-platform"])]
#[case::network_types("type: calico", "type: ¦", &["calico", "cilium"])]
#[case::fields("  purpose: evaluation", "  ¦", &["cloudProfileName"])]
#[case::required_fields("      machine:\n        type: m5.large", "      ma¦\n", &["machine"])]
#[case::fields_of_an_item("    - name: pool-a", "    - name: x\n      ¦\n    - name: pool-a", &["machine", "updateStrategy"])]
#[case::items("  purpose:", "  extensions:\n  ¦\n  purpose:", &[])]
#[case::metadata("  name: gateway", "  name: gateway\n  lab¦", &["labels"])]
fn values_and_fields_are_completed(
    #[case] from: &str,
    #[case] to: &str,
    #[case] expected: &[&str],
) {
    let (_folder, mut client, uri) = start();
    assert!(SHOOT.contains(from));
    let items = completed(&mut client, &uri, &SHOOT.replacen(from, to, 1));
    let labels = labels(&items);
    for label in expected {
        assert!(labels.contains(label), "{label} is not in {labels:?}");
    }
    let order: Vec<usize> =
        expected.iter().filter_map(|it| labels.iter().position(|label| label == it)).collect();
    assert!(order.is_sorted(), "{labels:?}");
}

#[test]
fn completion_marks_expired_versions_and_omits_present_fields() {
    let (_folder, mut client, uri) = start();
    let items = completed(&mut client, &uri, &SHOOT.replacen("version: 1.34.7", "version: ¦", 1));
    assert_eq!(items[0]["label"], "1.35.2");
    let expired = items.iter().find(|it| it["label"] == "1.34.1").unwrap();
    assert_eq!(expired["tags"], json!([1]));
    assert_eq!(expired["detail"], "expired on 2024-01-31");
    let items = completed(&mut client, &uri, &SHOOT.replacen("  purpose:", "  ¦\n  purpose:", 1));
    let labels = labels(&items);
    assert!(!labels.contains(&"region") && !labels.contains(&"purpose"), "{labels:?}");
    let deprecated = items.iter().find(|it| it["label"] == "secretBindingName").unwrap();
    assert_eq!(deprecated["tags"], json!([1]));
}

#[test]
fn completion_replaces_the_typed_text() {
    let (_folder, mut client, uri) = start();
    let text = SHOOT.replacen("region: us-east-1", "region: \"😀eu¦rope\"", 1);
    let items = completed(&mut client, &uri, &text);
    let item = items.iter().find(|it| it["label"] == "us-east-1").unwrap();
    assert_eq!(item["textEdit"]["newText"], "\"us-east-1\"");
    let range = &item["textEdit"]["range"];
    assert_eq!(
        (&range["start"]["character"], &range["end"]["character"]),
        (&json!(10), &json!(20))
    );
}

#[test]
fn new_manifest_is_completed() {
    let (folder, mut client, _) = start();
    std::fs::write(folder.path().join("new.yaml"), "").unwrap();
    let uri = uri(&folder.path().join("new.yaml"));
    client.open(&uri, "");
    let items = completed(&mut client, &uri, "¦");
    let shoot = items.iter().find(|it| it["label"] == "Shoot").unwrap();
    let text = shoot["textEdit"]["newText"].as_str().unwrap();
    assert!(text.starts_with("apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\n"), "{text}");
    let items = completed(&mut client, &uri, "kind: ¦");
    assert!(labels(&items).contains(&"CloudProfile"));
}

#[rstest]
#[case::other_group("apiVersion: v1\nkind: ConfigMap\n¦")]
#[case::no_manifest("services:\n- a\n¦")]
#[case::no_manifest_value("services:\n  kind: ¦")]
fn other_files_are_not_completed(#[case] text: &str) {
    let (_folder, mut client, uri) = start();
    assert_eq!(completed(&mut client, &uri, text), [Value::Null; 0]);
}

fn hovered(client: &mut Client, uri: &str, text: &str) -> String {
    let (text, position) = cursor(text, '¦');
    client.replace(uri, 2, &text);
    let params = json!({"textDocument": {"uri": uri}, "position": position});
    let result = client.request("textDocument/hover", params);
    result["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[rstest]
#[case::field("  region: us", "  reg¦ion: us", &["`spec.region`: string, required", "Region of the infrastructure.", "`europe-central-1`"])]
#[case::version("version: 1.34.7", "version: 1.3¦4.7", &["`1.34.7`: supported", "used by"])]
#[case::machine_type("type: m5.large", "type: m5¦.large", &["2 CPUs, 8Gi, amd64"])]
#[case::constraint("minimum: 1", "mini¦mum: 1", &["- at least 0", "filled in if omitted"])]
#[case::profile("name: stratus", "name: str¦atus", &["used by"])]
fn hover_documents_fields_and_values(
    #[case] from: &str,
    #[case] to: &str,
    #[case] expected: &[&str],
) {
    let (_folder, mut client, uri) = start();
    let value = hovered(&mut client, &uri, &SHOOT.replacen(from, to, 1));
    for part in expected {
        assert!(value.contains(part), "{part} is not in {value}");
    }
}

#[test]
fn hover_documents_configurations_of_extensions() {
    let (_folder, mut client, uri) = start();
    let config = "providerConfig:\n      apiVersion: calico.networking.extensions.gardener.cloud/v1alpha1\n      kind: NetworkConfig\n      ip¦v4:\n        pool: x\n";
    let text = SHOOT.replacen("type: calico\n", &format!("type: calico\n    {config}"), 1);
    let value = hovered(&mut client, &uri, &text);
    assert!(
        value.contains("of the extension `networking-calico`")
            || value.contains("of the extension `calico`"),
        "{value}"
    );
}

fn defined(client: &mut Client, uri: &str, from: &str, to: &str) -> Value {
    let (text, position) = cursor(&SHOOT.replacen(from, to, 1), '¦');
    client.replace(uri, 2, &text);
    let params = json!({"textDocument": {"uri": uri}, "position": position});
    client.request("textDocument/definition", params)
}

#[rstest]
#[case::profile("name: stratus", "name: str¦atus", "cloudprofile.yaml", "apiVersion")]
#[case::project(
    "namespace: garden-platform",
    "namespace: garden-plat¦form",
    "projects.yaml",
    "apiVersion"
)]
#[case::class(
    "exposureClassName: internal",
    "exposureClassName: int¦ernal",
    "exposureclass.yaml",
    "apiVersion"
)]
#[case::machine_type("type: m5.large", "type: m5.l¦arge", "cloudprofile.yaml", "{name: m5.large,")]
#[case::version("version: 1.34.7", "version: 1.34¦.7", "cloudprofile.yaml", "{version: 1.34.7,")]
fn definition_is_in_the_garden(
    #[case] from: &str,
    #[case] to: &str,
    #[case] file: &str,
    #[case] line: &str,
) {
    let (_folder, mut client, uri) = start();
    let found = defined(&mut client, &uri, from, to);
    assert_eq!(found["uri"], format!("file://{GARDEN}/{file}"), "{found}");
    let text = std::fs::read_to_string(format!("{GARDEN}/{file}")).unwrap();
    let number = usize::try_from(found["range"]["start"]["line"].as_u64().unwrap()).unwrap();
    let found_line = text.lines().nth(number).unwrap();
    assert!(found_line.contains(line), "{found_line}");
}

#[test]
fn definition_prefers_open_documents() {
    let (folder, mut client, uri_of_shoot) = start();
    let profile = std::fs::read_to_string(format!("{GARDEN}/cloudprofile.yaml")).unwrap();
    std::fs::write(folder.path().join("profile.yaml"), &profile).unwrap();
    let uri_of_profile = uri(&folder.path().join("profile.yaml"));
    client.open(&uri_of_profile, &format!("# moved\n{profile}"));
    let found = defined(&mut client, &uri_of_shoot, "name: stratus", "name: str¦atus");
    assert_eq!(found["uri"], uri_of_profile);
}

#[test]
fn symbols_are_objects_with_their_fields() {
    let (_folder, mut client, uri) = start();
    let params = json!({"textDocument": {"uri": uri}});
    let symbols = client.request("textDocument/documentSymbol", params);
    assert_eq!(symbols[0]["name"], "Shoot garden-platform/gateway");
    let spec = symbols[0]["children"].as_array().unwrap();
    let spec = spec.iter().find(|it| it["name"] == "spec").unwrap();
    let names: Vec<&str> = spec["children"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"provider") && names.contains(&"kubernetes"), "{names:?}");
}

#[test]
fn warning_is_silenced_by_a_code_action() {
    let text = SHOOT.replacen("version: 1.34.7", "version: 1.34.6", 1);
    let folder = folder(&[("shoot.yaml", &text)]);
    let mut client = Client::with_garden(folder.path());
    let uri = uri(&folder.path().join("shoot.yaml"));
    client.open(&uri, &text);
    let found = client.diagnostics(&uri, 1);
    let warning = found.iter().find(|it| it["severity"] == 2).unwrap();
    let params = json!({"textDocument": {"uri": uri}, "range": warning["range"], "context": {"diagnostics": [warning]}});
    let actions = client.request("textDocument/codeAction", params);
    let code = warning["code"].as_str().unwrap();
    let title = format!("Silence `{code}` with an annotation");
    let actions = actions.as_array().unwrap();
    let action = actions.iter().find(|it| it["title"] == title).unwrap();
    let edit = &action["edit"]["changes"][&uri][0];
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"range": edit["range"], "text": edit["newText"]}]}),
    );
    let after = client.diagnostics(&uri, 2);
    assert!(after.iter().all(|it| it["code"] != code), "{after:?}");
}

#[test]
fn finding_is_fixed_by_a_code_action() {
    let text = SHOOT.replacen("purpose: evaluation", "purpose: evaluations # why", 1);
    let folder = folder(&[("shoot.yaml", &text)]);
    let mut client = Client::with_garden(folder.path());
    let uri = uri(&folder.path().join("shoot.yaml"));
    client.open(&uri, &text);
    let found = client.diagnostics(&uri, 1);
    let code = "shoot/purpose-unsupported";
    let finding = found.iter().find(|it| it["code"] == code).unwrap();
    let params = json!({"textDocument": {"uri": uri}, "range": finding["range"], "context": {"diagnostics": []}});
    let answer = client.request("textDocument/codeAction", params);
    let action = answer.as_array().unwrap().iter().find(|it| it.get("edit").is_some()).unwrap();
    let edit = &action["edit"]["changes"][&uri][0];
    assert_eq!((&edit["newText"], &edit["range"]), (&json!("evaluation"), &finding["range"]));
}

#[test]
fn page_of_a_rule_is_opened_by_a_command() {
    let text = SHOOT.replace("region: us-east-1", "region: nowhere-1");
    let config = "review:\n  garden: garden\n  ruleUrl: https://example.com/{rule}.html\n";
    let folder = folder(&[(".garden-gate.yaml", config), ("shoot.yaml", &text)]);
    copy_garden(folder.path());
    let capabilities = json!({"window": {"showDocument": {"support": true}}});
    let mut client = Client::initialized_with(folder.path(), &[], capabilities);
    let uri = uri(&folder.path().join("shoot.yaml"));
    client.open(&uri, &text);
    let found = client.diagnostics(&uri, 1);
    let error = found.iter().find(|it| it["severity"] == 1).unwrap();
    let params = json!({"textDocument": {"uri": uri}, "range": error["range"], "context": {"diagnostics": []}});
    let answer = client.request("textDocument/codeAction", params);
    let open = answer.as_array().unwrap().iter().find(|it| it.get("command").is_some()).unwrap();
    let command = &open["command"];
    let id = client.ask(
        "workspace/executeCommand",
        json!({"command": command["command"], "arguments": command["arguments"]}),
    );
    let shown = client.received("window/showDocument");
    assert_eq!(shown["params"]["uri"], error["codeDescription"]["href"]);
    client.send(&json!({"jsonrpc": "2.0", "id": shown["id"], "result": {"success": true}}));
    assert!(client.response(id).get("error").is_none());
    let other = json!({"command": "garden-gate.openRule", "arguments": ["file:///etc/passwd"]});
    let id = client.ask("workspace/executeCommand", other);
    assert_eq!(client.response(id)["error"]["code"], -32602);
}

#[test]
fn utf_8_is_used_if_the_client_offers_it() {
    let text = SHOOT.replacen("purpose: evaluation", "purpose: \"😀\"", 1);
    let folder = folder(&[("shoot.yaml", &text)]);
    let uri = uri(&folder.path().join("shoot.yaml"));
    let end = |capabilities: Value| {
        let arguments = ["--garden", GARDEN];
        let mut client = Client::initialized_with(folder.path(), &arguments, capabilities);
        client.open(&uri, &text);
        let found = client.diagnostics(&uri, 1);
        let found = found.iter().find(|it| it["code"] == "shoot/purpose-unsupported").unwrap();
        found["range"]["end"]["character"].as_u64().unwrap()
    };
    assert_eq!(end(json!({})), 15);
    assert_eq!(end(json!({"general": {"positionEncodings": ["utf-8", "utf-16"]}})), 17);
}
