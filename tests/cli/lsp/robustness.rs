// SPDX-License-Identifier: Apache-2.0
//! Invalid messages, large and many documents, and clients that exit.

use rstest::rstest;
use serde_json::{Value, json};

use super::SHOOT;
use super::client::{Client, uri};
use crate::folder::folder;

/// Maximum growth of memory by repeated edits, in KiB.
const GROWTH: u64 = 64 << 10;

#[rstest]
#[case::no_header("hello\r\n\r\n")]
#[case::no_length("Content-Type: x\r\n\r\n{}")]
#[case::no_number("Content-Length: many\r\n\r\n{}")]
#[case::too_large("Content-Length: 99999999999999\r\n\r\n{}")]
fn malformed_header_ends_the_session(#[case] bytes: &str) {
    let folder = folder(&[]);
    let mut client = Client::start(folder.path(), &[]);
    client.send_bytes(bytes.as_bytes());
    assert_eq!(client.ended(), Some(2));
}

#[rstest]
#[case::no_json("{", -32700)]
#[case::no_object("[]", -32600)]
#[case::no_version(r#"{"id": 1, "method": "initialize"}"#, -32600)]
#[case::id_is_an_object(r#"{"jsonrpc": "2.0", "id": {}, "method": "x"}"#, -32600)]
#[case::control_character("\u{0}", -32700)]
fn malformed_message_is_refused_and_the_session_continues(#[case] body: &str, #[case] code: i64) {
    let folder = folder(&[("shoot.yaml", SHOOT)]);
    let mut client = Client::with_garden(folder.path());
    client.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    assert_eq!(client.response(Value::Null)["error"]["code"], code);
    client.opened(&uri(&folder.path().join("shoot.yaml")), SHOOT);
    assert_eq!(client.exit(), Some(0));
}

#[test]
fn requests_that_cannot_be_answered_are_refused() {
    let folder = folder(&[]);
    let mut client = Client::start(folder.path(), &[]);
    let code = |client: &mut Client, method: &str, params: Value| {
        let id = client.ask(method, params);
        client.response(id)["error"]["code"].clone()
    };
    assert_eq!(code(&mut client, "textDocument/hover", json!({})), -32002);
    assert_eq!(code(&mut client, "initialize", json!([])), -32602);
    client.request("initialize", json!({"processId": null, "rootUri": null, "capabilities": {}}));
    assert_eq!(code(&mut client, "initialize", json!({"capabilities": {}})), -32600);
    assert_eq!(code(&mut client, "textDocument/formatting", json!({})), -32601);
    assert_eq!(code(&mut client, "textDocument/hover", json!({"position": 1})), -32602);
    client.notify("unknown/notification", json!({"a": 1}));
    client.notify("textDocument/didChange", json!({"a": 1}));
    let at = json!({"textDocument": {"uri": "file:///nowhere.yaml"}, "position": {"line": 1, "character": 1}});
    assert_eq!(client.request("textDocument/hover", at), Value::Null);
    client.request("shutdown", Value::Null);
    assert_eq!(code(&mut client, "textDocument/hover", json!({})), -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.ended(), Some(0));
}

#[test]
fn exit_without_shutdown_and_end_of_input_are_failures() {
    let folder = folder(&[]);
    let mut client = Client::with_garden(folder.path());
    client.notify("exit", Value::Null);
    assert_eq!(client.ended(), Some(1));
    assert_eq!(Client::with_garden(folder.path()).vanish(), Some(1));
    let mut client = Client::with_garden(folder.path());
    client.send_bytes(b"Content-Length: 100\r\n\r\n{\"jsonrpc\"");
    assert_eq!(client.vanish(), Some(1));
    let mut client = Client::with_garden(folder.path());
    client.request("shutdown", Value::Null);
    assert_eq!(client.vanish(), Some(0));
}

#[test]
fn cancelled_request_is_not_answered() {
    let folder = folder(&[("shoot.yaml", SHOOT)]);
    let mut client = Client::with_garden(folder.path());
    let uri = uri(&folder.path().join("shoot.yaml"));
    client.opened(&uri, SHOOT);
    // One write, so that the cancellation arrives while earlier requests are answered.
    let framed = |message: Value| {
        let body = message.to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    };
    let large = json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
        "textDocument": {"uri": uri, "version": 2},
        "contentChanges": [{"text": format!("{}{SHOOT}", "# comment\n".repeat(50_000))}],
    }});
    let hover = |id: i64| {
        json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": {
            "textDocument": {"uri": uri}, "position": {"line": 1, "character": 1},
        }})
    };
    let cancel = json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 104}});
    let mut messages = vec![framed(large)];
    messages.extend((100..105).map(|id| framed(hover(id))));
    messages.push(framed(cancel));
    client.send_bytes(messages.concat().as_bytes());
    let cancelled = client.response(104);
    // The request may already have been answered.
    let is_answered = cancelled.get("result").is_some();
    assert!(is_answered || cancelled["error"]["code"] == -32800, "{cancelled}");
    client.notify("$/cancelRequest", json!({"id": 9999}));
    client.notify("$/cancelRequest", json!({"id": {}}));
    assert_eq!(client.exit(), Some(0));
}

#[test]
fn document_of_a_mebibyte_is_judged() {
    let folder = folder(&[("shoot.yaml", SHOOT)]);
    let mut client = Client::with_garden(folder.path());
    let uri = uri(&folder.path().join("shoot.yaml"));
    let label = |number: usize| format!("    label-{number:06}: {}\n", "x".repeat(40));
    let labels: String = (0..18_000).map(label).collect();
    let text = SHOOT.replacen("  namespace:", &format!("  labels:\n{labels}  namespace:"), 1);
    assert!(text.len() > 1 << 20);
    client.open(&uri, &text);
    client.diagnostics(&uri, 1);
    let at = json!({"textDocument": {"uri": uri}, "position": {"line": 18_010, "character": 4}});
    assert_ne!(client.request("textDocument/hover", at.clone()), Value::Null);
    client.request("textDocument/completion", at);
    client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    assert_eq!(client.exit(), Some(0));
}

#[test]
fn five_hundred_documents_are_judged_without_growth() {
    let folder = folder(&[]);
    let name = |number: usize| format!("shoot-{number}.yaml");
    let text = |number: usize| SHOOT.replacen("name: gateway", &format!("name: s{number}"), 1);
    for number in 0..500 {
        std::fs::write(folder.path().join(name(number)), text(number)).unwrap();
    }
    let mut client = Client::with_garden(folder.path());
    let uris: Vec<String> = (0..500).map(|number| uri(&folder.path().join(name(number)))).collect();
    for (number, uri) in uris.iter().enumerate() {
        client.open(uri, &text(number));
    }
    for uri in &uris {
        client.diagnostics(uri, 1);
    }
    let edit = |client: &mut Client, versions: std::ops::Range<i64>| {
        for version in versions {
            let region = if version % 2 == 0 { "us-east-1" } else { "nowhere-1" };
            client.replace(&uris[0], version, &text(0).replace("us-east-1", region));
            client.diagnostics(&uris[0], version);
        }
    };
    edit(&mut client, 2..10);
    let before = client.memory();
    edit(&mut client, 10..40);
    let after = client.memory();
    assert!(after < before + GROWTH, "{before} KiB, then {after} KiB");
    assert_eq!(client.exit(), Some(0));
}

/// Truncations of a manifest are what an author types.
#[test]
fn every_prefix_of_a_manifest_is_answered() {
    let folder = folder(&[("shoot.yaml", SHOOT)]);
    let mut client = Client::with_garden(folder.path());
    let uri = uri(&folder.path().join("shoot.yaml"));
    client.open(&uri, "");
    for (version, (end, _)) in SHOOT.char_indices().step_by(7).enumerate() {
        let text = &SHOOT[..end];
        client.replace(&uri, i64::try_from(version).unwrap() + 2, text);
        let line = text.matches('\n').count();
        let column = text.rsplit('\n').next().unwrap().len();
        let at =
            json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": column}});
        client.request("textDocument/completion", at.clone());
        client.request("textDocument/hover", at);
    }
    assert_eq!(client.exit(), Some(0));
}
