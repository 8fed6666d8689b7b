// SPDX-License-Identifier: Apache-2.0
//! Diagnostics of the language server.

use serde_json::{Value, json};

use super::SHOOT;
use super::client::{Client, GARDEN, codes, uri};
use super::gardens::copy_garden;
use crate::folder::{folder, write};
use crate::repository::Repository;

#[test]
fn diagnostics_are_those_of_review() {
    let text = SHOOT.replace("region: us-east-1", "region: nowhere-1");
    let folder = folder(&[("shoot.yaml", &text)]);
    let mut client = Client::with_garden(folder.path());
    let uri = uri(&folder.path().join("shoot.yaml"));
    client.open(&uri, &text);
    let found = client.diagnostics(&uri, 1);
    let repository = Repository::new(&[("shoot.yaml", &text)]);
    let arguments = ["--at", "2026-12-01", "--garden", GARDEN, "--format", "json", "shoot.yaml"];
    let (_, out, _) = repository.review(&arguments);
    let review: Value = serde_json::from_str(&out).unwrap();
    let findings = review["reviews"][0]["findings"].as_array().unwrap();
    assert!(!findings.is_empty());
    for finding in findings {
        let code = finding["finding"].as_str().unwrap();
        let line = finding["line"].as_u64().unwrap() - 1;
        let mut found = found.iter().filter(|it| it["code"] == code);
        let found = found.find(|it| it["range"]["start"]["line"] == line);
        assert!(found.is_some_and(|it| it["source"] == "garden-gate"), "{code}: {found:?}");
    }
    assert_eq!(client.exit(), Some(0));
}

#[test]
fn incremental_edit_is_judged_at_its_position() {
    let folder = folder(&[("shoot.yaml", SHOOT)]);
    let mut client = Client::with_garden(folder.path());
    let uri = uri(&folder.path().join("shoot.yaml"));
    client.open(&uri, SHOOT);
    let before = client.diagnostics(&uri, 1);
    assert!(before.iter().all(|it| it["severity"] != 1), "{before:?}");
    let line = SHOOT.lines().position(|it| it.contains("version: 1.34.7")).unwrap();
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{
            "range": {"start": {"line": line, "character": 13}, "end": {"line": line, "character": 19}},
            "text": "1.34.1",
        }]}),
    );
    let found = client.diagnostics(&uri, 2);
    let errors: Vec<&Value> = found.iter().filter(|it| it["severity"] == 1).collect();
    assert_eq!(errors.len(), 1, "{found:?}");
    let range =
        json!({"start": {"line": line, "character": 13}, "end": {"line": line, "character": 19}});
    assert_eq!(errors[0]["range"], range);
}

#[test]
fn change_rules_compare_with_git() {
    let repository = Repository::new(&[("shoot.yaml", SHOOT)]);
    repository.git(&["init", "-q"]);
    repository.commit();
    let mut client = Client::with_garden(repository.path());
    let uri = uri(&repository.path().join("shoot.yaml"));
    let changed = SHOOT.replace("region: us-east-1", "region: europe-central-1");
    let codes = client.opened(&uri, &changed);
    assert!(codes.iter().any(|it| it.contains("immutable")), "{codes:?}");
    client.replace(&uri, 2, SHOOT);
    let unchanged = client.diagnostics(&uri, 2);
    assert!(unchanged.iter().all(|it| it["severity"] != 1), "{unchanged:?}");
}

#[test]
fn change_of_another_open_document_counts() {
    let profile = std::fs::read_to_string(format!("{GARDEN}/cloudprofile.yaml")).unwrap();
    let folder = folder(&[("shoot.yaml", SHOOT), ("profile.yaml", &profile)]);
    let mut client = Client::with_garden(folder.path());
    let shoot = uri(&folder.path().join("shoot.yaml"));
    let before = client.opened(&shoot, SHOOT);
    let profile_uri = uri(&folder.path().join("profile.yaml"));
    client.open(&profile_uri, &profile);
    let without = profile.replace("{name: m5.large, ", "{name: m5.renamed, ");
    client.replace(&profile_uri, 2, &without);
    // The Shoot has not changed, but its machine type is no longer available.
    let mut after = codes(&client.diagnostics(&shoot, 1));
    while after == before {
        after = codes(&client.diagnostics(&shoot, 1));
    }
    assert!(after.iter().any(|it| it.contains("machine-type")), "{before:?} {after:?}");
}

#[test]
fn change_of_a_file_that_is_not_open_counts() {
    let profile = std::fs::read_to_string(format!("{GARDEN}/cloudprofile.yaml")).unwrap();
    let folder = folder(&[("shoot.yaml", SHOOT), ("profile.yaml", &profile)]);
    let capabilities =
        json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let arguments = ["--garden", GARDEN];
    let mut client = Client::initialized_with(folder.path(), &arguments, capabilities);
    let registered = client.received("client/registerCapability");
    let method = &registered["params"]["registrations"][0]["method"];
    assert_eq!(method, "workspace/didChangeWatchedFiles");
    client.send(&json!({"jsonrpc": "2.0", "id": registered["id"], "result": null}));
    let shoot = uri(&folder.path().join("shoot.yaml"));
    client.open(&shoot, SHOOT);
    let before = client.diagnostics(&shoot, 1);
    assert!(before.iter().all(|it| it["severity"] != 1), "{before:?}");
    let without = profile.replace("{name: m5.large, ", "{name: m5.renamed, ");
    write(folder.path(), "profile.yaml", &without);
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": []}));
    let after = client.diagnostics(&shoot, 1);
    assert!(after.iter().any(|it| it["severity"] == 1), "{after:?}");
}

#[test]
fn broken_document_keeps_diagnostics_outside_of_the_change() {
    let text = SHOOT
        .replace("region: us-east-1", "region: nowhere-1")
        .replace("type: m5.large", "type: m5.huge");
    let folder = folder(&[]);
    write(folder.path(), "shoot.yaml", &text);
    let mut client = Client::with_garden(folder.path());
    let uri = uri(&folder.path().join("shoot.yaml"));
    client.open(&uri, &text);
    let before = client.diagnostics(&uri, 1);
    let line_of = |text: &str, word: &str| text.lines().position(|it| it.contains(word)).unwrap();
    let at = |found: &[Value], line: usize| -> usize {
        found.iter().filter(|it| it["range"]["start"]["line"] == line).count()
    };
    assert!(at(&before, line_of(&text, "nowhere-1")) > 0, "{before:?}");
    assert!(at(&before, line_of(&text, "m5.huge")) > 0, "{before:?}");
    let broken = text.replace("  purpose: evaluation\n", "  purpose: evaluation\n  new: [\n");
    client.replace(&uri, 2, &broken);
    let after = client.diagnostics(&uri, 2);
    for word in ["nowhere-1", "m5.huge"] {
        assert_eq!(
            at(&after, line_of(&broken, word)),
            at(&before, line_of(&text, word)),
            "{word} {after:?}"
        );
    }
    let errors = after.iter().filter(|it| it["severity"] == 1 && it.get("code").is_none());
    assert_eq!(errors.count(), 1, "{after:?}");
    client.replace(&uri, 3, &text);
    assert_eq!(codes(&client.diagnostics(&uri, 3)), codes(&before));
}

#[test]
fn only_the_broken_document_of_a_file_is_not_judged() {
    let second = SHOOT
        .replace("name: gateway", "name: other")
        .replace("region: us-east-1", "region: nowhere-1");
    let text = format!("{}\n---\n{second}", SHOOT.replace("spec:", "spec: ["));
    let folder = folder(&[("shoots.yaml", &text)]);
    let mut client = Client::with_garden(folder.path());
    let codes = client.opened(&uri(&folder.path().join("shoots.yaml")), &text);
    assert!(codes.iter().any(|it| it.contains("region")), "{codes:?}");
}

#[test]
fn configuration_of_the_workspace_is_used() {
    let text = SHOOT.replace("region: us-east-1", "region: nowhere-1");
    let config = "review:\n  garden: garden\n  exclude: [\"skipped/**\"]\n  ruleUrl: https://example.com/{rule}.html\n";
    let folder =
        folder(&[(".garden-gate.yaml", config), ("a.yaml", &text), ("skipped/b.yaml", &text)]);
    copy_garden(folder.path());
    let mut client = Client::initialized(folder.path(), &[]);
    let uri_a = uri(&folder.path().join("a.yaml"));
    client.open(&uri_a, &text);
    let found = client.diagnostics(&uri_a, 1);
    let error = found.iter().find(|it| it["severity"] == 1).unwrap();
    let page = error["codeDescription"]["href"].as_str().unwrap();
    assert!(page.starts_with("https://example.com/shoot/"), "{page}");
    let uri_b = uri(&folder.path().join("skipped/b.yaml"));
    client.open(&uri_b, &text);
    assert_eq!(client.diagnostics(&uri_b, 1), [Value::Null; 0]);
}

#[test]
fn manifests_of_other_kinds_have_no_diagnostics() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  bad: [\n";
    let folder = folder(&[("other.yaml", text), ("shoot.yaml", SHOOT)]);
    let mut client = Client::with_garden(folder.path());
    client.open(&uri(&folder.path().join("other.yaml")), text);
    let shoot = uri(&folder.path().join("shoot.yaml"));
    client.open(&shoot, SHOOT);
    // The first published diagnostics are those of the Shoot.
    let first = client.received("textDocument/publishDiagnostics");
    assert_eq!(first["params"]["uri"], shoot);
}

#[test]
fn closing_a_document_removes_its_diagnostics() {
    let folder = folder(&[("shoot.yaml", SHOOT)]);
    let mut client = Client::with_garden(folder.path());
    let uri = uri(&folder.path().join("shoot.yaml"));
    client.opened(&uri, &SHOOT.replace("us-east-1", "nowhere-1"));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    let cleared = client.received("textDocument/publishDiagnostics");
    assert_eq!(cleared["params"]["diagnostics"], json!([]));
}
