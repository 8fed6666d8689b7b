// SPDX-License-Identifier: Apache-2.0
//! Hostile arguments, files and lines: each gets a clear message, and the server goes on.

use std::fs;
use std::os::unix::fs::symlink;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value, json};

use super::client::{AT, Agent, CANARY, RawClient, example, root, world};

#[tokio::test]
async fn wrong_arguments_are_errors_for_the_agent() {
    let world = world();
    let agent = Agent::start(&world, &[]).await;
    let cases = [
        ("review", json!({}), "`manifests` (text) or `paths`"),
        ("review", json!({"paths": []}), "`paths` is empty"),
        ("review", json!({"paths": "denied.yaml"}), "the arguments are not valid"),
        ("review", json!({"paths": [1]}), "the arguments are not valid"),
        ("review", json!({"manifests": "", "paths": ["."]}), "not both"),
        ("review", json!({"manifests": "", "command": "rm"}), "unknown field `command`"),
        ("review", json!({"paths": vec!["."; 101]}), "more than 100 values"),
        ("review", json!({"manifests": "", "namespace": "x".repeat(5000)}), "more than 4096 bytes"),
        ("review", json!({"manifests": "", "namespace": "a\0b"}), "NUL character"),
        ("review", json!({"manifests": "x".repeat((4 << 20) + 1)}), "larger than 4 MiB"),
        ("review", json!({"manifests": "", "at": "tomorrow"}), "write it like"),
        (
            "review",
            json!({"manifests": "", "rules": ["nonsense"]}),
            "no rule or finding has the id",
        ),
        ("review", json!({"paths": ["--fix=all"]}), "`--fix=all` cannot be read"),
        ("fix", json!({"manifests": "", "suggestions": "yes"}), "the arguments are not valid"),
        ("forecast", json!({}), "no garden is set"),
        ("forecast", json!({"garden": "garden", "for": "-1d"}), "not a valid duration"),
        ("forecast", json!({"garden": "garden", "shoots": ["--live"]}), "Shoot `--live` not found"),
        ("audit", json!({"garden": "denied.yaml"}), "is a file; name the directory"),
        ("audit", json!({"live": true}), "unknown field `live`"),
        ("explain", json!({"id": "nonsense"}), "no rule or finding has the id"),
        ("schema", json!({"name": "Nonsense"}), "no schema is known"),
        ("schema", json!({}), "missing field `name`"),
    ];
    for (tool, arguments, expected) in cases {
        let error = agent.error(tool, arguments.clone()).await;
        assert!(error.contains(expected), "{tool}: {error}");
        assert!(error.len() < 5000, "{tool}: {} bytes", error.len());
    }
    let unknown = agent.try_call("shell", &json!({})).await.unwrap_err();
    let expected = "unknown tool `shell`; the tools are review, explain";
    assert!(unknown.to_string().contains(expected), "{unknown}");
}

#[tokio::test]
async fn paths_that_links_replace_later_are_not_followed() {
    let world = world();
    let at = |path: &str| world.path().join(path);
    fs::create_dir(at("named")).unwrap();
    fs::rename(root(&world).join("garden"), at("named/garden")).unwrap();
    fs::create_dir_all(root(&world).join("nested")).unwrap();
    let [named, nested] = [at("named/garden"), root(&world).join("nested")];
    let [named, nested] = [&named, &nested].map(|it| it.display().to_string());
    let agent = Agent::start(&world, &["--garden", &named, "--root", &nested]).await;
    agent.call("audit", json!({"at": AT})).await;
    fs::remove_dir_all(at("named/garden")).unwrap();
    symlink(at("outside"), at("named/garden")).unwrap();
    fs::remove_dir(&nested).unwrap();
    symlink(at("outside"), &nested).unwrap();
    let outside = at("outside").display().to_string();
    let config = format!("review: {{garden: {outside:?}}}\n");
    fs::write(root(&world).join("shoots/.garden-gate.yaml"), config).unwrap();
    for (tool, arguments) in [
        ("audit", json!({"at": AT})),
        ("forecast", json!({"at": AT})),
        ("review", json!({"paths": ["denied.yaml"]})),
        ("review", json!({"paths": ["shoots"]})),
        ("review", json!({"paths": ["nested"]})),
    ] {
        let answer = agent.try_call(tool, &arguments).await;
        let answer = format!("{answer:?}");
        assert!(!answer.contains(CANARY) && !answer.contains("secret.yaml"), "{tool}: {answer}");
    }
}

#[tokio::test]
async fn found_configuration_names_no_file_elsewhere() {
    let world = world();
    let config = "review: {garden: ../outside}\n";
    fs::write(root(&world).join(".garden-gate.yaml"), config).unwrap();
    let agent = Agent::start(&world, &[]).await;
    let error = agent.error("review", json!({"manifests": "a: 1"})).await;
    assert!(error.contains("outside of the directories that may be read"), "{error}");
    assert!(!error.contains("secret.yaml"), "{error}");
}

#[test]
fn client_that_reads_nothing_does_not_keep_the_server() {
    let world = world();
    let mut client = RawClient::start(&world, &[]);
    for id in 1..200 {
        client.write(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#));
    }
    assert_eq!(client.terminate(), Some(0));
}

#[tokio::test]
async fn files_outside_of_the_roots_are_never_read() {
    let world = world();
    let at_root = |path: &str| root(&world).join(path);
    for (target, link) in [
        ("../outside/secret.yaml", "link.yaml"),
        ("../outside", "folder"),
        ("../../outside/secret.yaml", "shoots/inner.yaml"),
        ("../../outside", "garden/outside"),
        ("../../outside/secret.yaml", "garden/secret.yaml"),
        ("../../secret.txt", "kustomized/text.yaml"),
    ] {
        fs::create_dir_all(at_root(link).parent().unwrap()).unwrap();
        symlink(target, at_root(link)).unwrap();
    }
    let kustomization =
        "resources: [../../outside/secret.yaml]\npatches: [{path: ../../secret.txt}]\n";
    fs::write(at_root("kustomized/kustomization.yaml"), kustomization).unwrap();
    fs::write(
        at_root("shoots/.garden-gate.yaml"),
        "review: {garden: ../../outside, baseline: ../../secret.txt}\n",
    )
    .unwrap();
    let fifo = at_root("fifo.yaml");
    mknodat(CWD, &fifo, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    let absolute = world.path().join("secret.txt").display().to_string();
    let agent = Agent::start(&world, &[]).await;
    for path in [
        "../secret.txt",
        &absolute,
        "/etc/passwd",
        "/proc/self/environ",
        "link.yaml",
        "folder",
        "folder/secret.yaml",
    ] {
        for arguments in [
            json!({"paths": [path]}),
            json!({"paths": ["denied.yaml"], "garden": path}),
            json!({"paths": ["."], "old": path}),
        ] {
            let error = agent.error("review", arguments).await;
            assert!(
                error.contains("outside of the directories that may be read"),
                "{path}: {error}"
            );
        }
    }
    let error = agent.error("review", json!({"paths": ["fifo.yaml"]})).await;
    assert!(error.contains("a pipe, a socket or a device"), "{error}");
    for (tool, arguments) in [
        ("review", json!({"paths": ["."], "garden": "garden"})),
        ("review", json!({"paths": ["shoots"]})),
        ("review", json!({"paths": ["kustomized"]})),
        ("fix", json!({"paths": ["shoots", "kustomized"]})),
        ("audit", json!({"garden": "garden"})),
        ("forecast", json!({"garden": "garden", "with": ["garden/cloudprofile.yaml"]})),
    ] {
        let result = agent.try_call(tool, &arguments).await.unwrap();
        let text = serde_json::to_string(&result).unwrap();
        assert!(!text.contains(CANARY), "{tool} {arguments}: {text}");
    }
}

#[tokio::test]
async fn contents_of_secrets_and_other_files_are_not_returned() {
    let world = world();
    let broken = format!("apiVersion: v1\nkind: Secret\ndata:\n  a: {CANARY}\n b: [{CANARY}\n");
    let secret = format!(
        "apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{a: {CANARY}}}\n"
    );
    for (file, text) in [
        ("broken.yaml", &broken),
        ("secret.yaml", &secret),
        ("env.txt", &format!("TOKEN={CANARY}\n")),
    ] {
        fs::write(root(&world).join(file), text).unwrap();
    }
    let agent = Agent::start(&world, &[]).await;
    for tool in ["review", "fix"] {
        for arguments in [
            json!({"paths": ["broken.yaml", "secret.yaml", "env.txt"]}),
            json!({"manifests": secret}),
            json!({"manifests": broken}),
        ] {
            let result = agent.try_call(tool, &arguments).await.unwrap();
            let text = serde_json::to_string(&result).unwrap();
            assert!(!text.contains(CANARY), "{tool} {arguments}: {text}");
        }
    }
}

#[tokio::test]
async fn call_that_takes_too_long_is_an_error_and_the_server_goes_on() {
    let world = world();
    let denied = example("manifests/shoot-denied.yaml");
    let many: Vec<String> =
        (0..10_000).map(|it| denied.replace("sneaky", &format!("s{it}"))).collect();
    fs::write(root(&world).join("many.yaml"), many.join("\n---\n")).unwrap();
    let agent = Agent::start(&world, &["--garden", "root/garden", "--timeout", "1"]).await;
    // Either outcome is right on a fast machine; what counts is that both are answers.
    let result =
        agent.try_call("review", &json!({"paths": ["many.yaml"], "at": AT})).await.unwrap();
    if result.is_error == Some(true) {
        let text = serde_json::to_string(&result).unwrap();
        assert!(text.contains("took longer than 1 s"), "{text}");
    }
    agent.call("schema", json!({"name": "Quota"})).await;
}

#[test]
fn hostile_lines_are_answered_and_the_next_call_works() {
    let world = world();
    let mut client = RawClient::start(&world, &[]);
    let manifests = |text: &str| {
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"review","arguments":{"manifests":"TEXT"}}}"#;
        call.replace("TEXT", text).into_bytes()
    };
    let wrong_name =
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}"#.to_vec();
    let lines: [(Vec<u8>, i64); 10] = [
        (b"{".to_vec(), -32700),
        (b"\x1b[31mnot json".to_vec(), -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}".to_vec(), -32700),
        (manifests("\\ud800"), -32700),
        (manifests("a\u{0}b"), -32700),
        (b"[".repeat(1 << 20), -32700),
        (manifests(&"x".repeat(9 << 20)), -32600),
        (b"[]".to_vec(), -32600),
        (wrong_name, -32602),
        (br#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#.to_vec(), -32601),
    ];
    for (line, code) in lines {
        client.write(&line);
        let answer = client.read();
        let start = String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
        assert_eq!(answer["error"]["code"], code, "{start}: {answer}");
        client.call(2, "schema", &json!({"name": "Quota"}));
        let answer = client.read();
        assert_eq!(
            (&answer["id"], &answer["result"]["isError"]),
            (&json!(2), &json!(false)),
            "{start}"
        );
    }
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn deep_and_odd_manifests_are_answered() {
    let world = world();
    let mut client = RawClient::start(&world, &[]);
    let manifests = [
        "[".repeat(100_000),
        "{a: ".repeat(100_000),
        "\u{feff}\u{85}\u{2028}\u{1b}[2J".to_owned(),
        "&a [*a]".to_owned(),
        "- ".repeat(500_000),
    ];
    for (id, manifests) in (1..).zip(manifests) {
        client.call(id, "review", &json!({"manifests": manifests}));
        let answer = client.read();
        assert_eq!(answer["id"], id);
        assert!(answer["result"]["content"][0]["text"].is_string(), "{answer}");
        assert!(!answer.to_string().contains('\u{1b}'));
    }
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn many_calls_at_once_are_answered_or_refused() {
    let world = world();
    let mut client = RawClient::start(&world, &["--garden", "root/garden"]);
    for id in 1..=100 {
        client.call(id, "review", &json!({"paths": ["."], "at": AT}));
    }
    let answers: Vec<Value> = (0..100).map(|_| client.read()).collect();
    let refused = answers.iter().filter(|it| it["result"]["isError"] == true);
    for answer in refused {
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("too many calls at the same time"), "{text}");
    }
    let answered = answers.iter().filter(|it| it["result"]["isError"] == false).count();
    assert!(answered >= 16, "{answered}");
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn cancelled_call_is_not_answered() {
    let world = world();
    let mut client = RawClient::start(&world, &["--garden", "root/garden"]);
    let denied = example("manifests/shoot-denied.yaml");
    let many: Vec<String> =
        (0..2000).map(|it| denied.replace("sneaky", &format!("s{it}"))).collect();
    fs::write(root(&world).join("many.yaml"), many.join("\n---\n")).unwrap();
    client.call(1, "review", &json!({"paths": ["many.yaml"], "at": AT}));
    client.write(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"test"}}"#);
    client.call(2, "schema", &json!({"name": "Quota"}));
    assert_eq!(client.read()["id"], 2);
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn closed_input_ends_the_server() {
    let world = world();
    // Before and within the first message, after it, and during a call.
    assert_eq!(RawClient::bare(&world, &[]).end(), (Some(0), String::new()));
    let mut client = RawClient::bare(&world, &[]);
    client.write("");
    assert_eq!(client.end(), (Some(0), String::new()));
    assert_eq!(RawClient::start(&world, &[]).end(), (Some(0), String::new()));
    let mut client = RawClient::start(&world, &["--garden", "root/garden"]);
    client.call(1, "review", &json!({"paths": ["."], "at": AT}));
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn signal_ends_the_server_with_its_commands() {
    let world = world();
    let mut client = RawClient::start(&world, &["--garden", "root/garden"]);
    client.call(1, "review", &json!({"paths": ["."], "at": AT}));
    assert_eq!(client.terminate(), Some(0));
}

#[test]
fn session_without_initialization_is_an_error() {
    let world = world();
    let mut client = RawClient::bare(&world, &[]);
    client.write(r#"{"jsonrpc":"2.0","method":"notifications/\u001b[31m"}"#);
    let (code, err) = client.end();
    assert_eq!(code, Some(2), "{err}");
    assert_eq!(err, "error: the first message of the client is not a request `initialize`\n");
}

#[test]
fn wrong_flags_are_errors_before_the_session() {
    let world = world();
    for (flags, expected) in [
        (&["--root", "missing"][..], "cannot read the root `missing`"),
        (&["--max-output", "1"], "16384..=16777216"),
        (&["--timeout", "0"], "1..=3600"),
        (&["--gardener-version", "1.145,1.149"], "takes one version here"),
        (&["--garden", "a", "--garden", "b"], "may be given once here"),
        (&["--no-config", "--policies", "missing"], "missing"),
        (&["--config", "missing.yaml"], "missing.yaml"),
    ] {
        let (code, err) = RawClient::bare(&world, flags).end();
        assert_eq!(code, Some(2), "{flags:?}: {err}");
        assert!(err.contains(expected), "{flags:?}: {err}");
    }
}
