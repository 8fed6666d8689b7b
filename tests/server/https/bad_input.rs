// SPDX-License-Identifier: Apache-2.0
//! Any input gets a clear response, and the server continues.
use std::time::Duration;

use crate::common::reviews::{PROJECT, review, shoot};
use crate::common::{Gate, GateArgs, garden_gate};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, split};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval};

const JSON: &str = "application/json";

fn gate() -> Gate {
    Gate::start(&GateArgs::new().garden("dev.yaml", PROJECT))
}

fn good() -> Value {
    review("CREATE", "shoots", &shoot(&json!([])), &Value::Null)
}

async fn still_serves(gate: &Gate) {
    let (code, answer) = gate.post("/validate", &good()).await;
    assert_eq!((code, &answer["response"]["allowed"]), (200, &json!(true)), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_review_is_refused_with_a_status_that_says_why() {
    let gate = gate();
    let complete = good().to_string();
    let truncated = complete[..complete.len() / 2].to_owned();
    let change = |path: &str, value: Value| {
        let mut review = good();
        *review.pointer_mut(path).unwrap() = value;
        review.to_string()
    };
    let v1beta1 = change("/apiVersion", json!("admission.k8s.io/v1beta1"));
    let cases = [
        (JSON, String::new(), 400, "the body is empty"),
        (JSON, truncated, 400, "EOF while parsing"),
        (JSON, "\0\u{1}nonsense".to_owned(), 400, "line 1 column 1"),
        (JSON, "[]".to_owned(), 400, "kind `AdmissionReview`"),
        (JSON, "[".repeat(100_000), 400, "not an AdmissionReview"),
        (JSON, v1beta1, 400, "`admission.k8s.io/v1beta1`"),
        (JSON, change("/request", Value::Null), 400, "no `request`"),
        (JSON, change("/request/uid", json!("")), 400, "`request.uid`"),
        (JSON, change("/request/operation", json!("PATCH")), 400, "`PATCH`"),
        ("text/plain", complete.clone(), 415, "`text/plain`"),
        ("application/jsonp", complete.clone(), 415, "`application/jsonp`"),
        ("", complete, 415, "send `application/json`"),
    ];
    for path in ["/validate", "/mutate"] {
        for (content_type, body, code, says) in &cases {
            let (got, status) = gate.send(path, content_type, body.clone()).await;
            assert_eq!(got, *code, "{status}");
            assert_eq!(status["kind"], "Status");
            assert_eq!(status["status"], "Failure");
            assert_eq!(status["code"], *code);
            let message = status["message"].as_str().unwrap();
            assert!(message.contains(says), "{message}");
            assert!(message.len() <= 1024);
        }
    }
    assert_eq!(gate.metric("bad_requests_total{reason=\"content_type\"}").await, 6.0);
    still_serves(&gate).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_content_type_may_have_parameters() {
    let gate = gate();
    let content_type = "Application/JSON; charset=utf-8";
    let (code, _) = gate.send("/validate", content_type, good().to_string()).await;
    assert_eq!(code, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timeout_that_is_none_is_refused() {
    let gate = gate();
    for (query, code) in [
        ("timeout=10s", 200),
        ("timeout=1m30s&other=1", 200),
        ("timeout=10", 400),
        ("timeout=0s", 400),
        ("timeout=-1s", 400),
        ("timeout=", 400),
        ("timeout=1s&timeout=2s", 400),
    ] {
        let (got, answer) = gate.post(&format!("/validate?{query}"), &good()).await;
        assert_eq!(got, code, "{query}: {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn huge_body_is_refused_with_and_without_content_length() {
    let gate = gate();
    let http1 = gate.client_builder().http1_only().build().unwrap();
    let huge = vec![b' '; 100_000_000];
    for client in [&gate.client, &http1] {
        let url = format!("{}/validate", gate.url);
        let request = client.post(url).header("content-type", JSON);
        let response = request.body(huge.clone()).send().await.unwrap();
        assert_eq!(response.status(), 413);
        let status: Value = response.json().await.unwrap();
        assert_eq!(status["reason"], "RequestEntityTooLarge");
    }
    let mut stream = gate.connect().await;
    let head = "POST /validate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let chunk = format!("100000\r\n{}\r\n", " ".repeat(0x10_0000));
    let mut answer = [0; 12];
    for _ in 0..9 {
        stream.write_all(chunk.as_bytes()).await.unwrap();
    }
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
    still_serves(&gate).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_but_correct_reviews_get_a_verdict() {
    let gate = gate();
    let pod = json!({"kind": "Pod", "metadata": {"name": "p"}});
    let mut old = shoot(&json!([]));
    old["metadata"]["annotations"] = json!({"confirmation.gardener.cloud/deletion": "true"});
    for (what, review) in [
        ("an unknown kind", review("CREATE", "pods", &pod, &Value::Null)),
        ("a DELETE without objects", review("DELETE", "shoots", &Value::Null, &Value::Null)),
        ("a DELETE", review("DELETE", "shoots", &Value::Null, &old)),
    ] {
        for path in ["/validate", "/mutate"] {
            let (code, answer) = gate.post(path, &review).await;
            assert_eq!(code, 200, "{what}: {answer}");
            assert_eq!(answer["response"]["allowed"], true, "{what}: {answer}");
            assert_eq!(answer["response"]["uid"], review["request"]["uid"]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_of_the_wrong_type_is_a_cause() {
    let gate = gate();
    let review = review("CREATE", "shoots", &shoot(&json!("all")), &Value::Null);
    for path in ["/validate", "/mutate"] {
        let (code, answer) = gate.post(path, &review).await;
        assert_eq!(code, 200);
        let response = &answer["response"];
        assert_eq!(response["allowed"], false);
        assert_eq!(response["status"]["code"], 422);
        let cause = &response["status"]["details"]["causes"][0];
        assert_eq!(cause["field"], "spec.tolerations");
        assert_eq!(cause["reason"], "FieldValueTypeInvalid");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_paths_and_methods_return_the_endpoints() {
    let gate = gate();
    for (path, code) in [("/none", 404), ("/metrics", 404), ("/validate", 405), ("/healthz", 200)] {
        let (got, text) = gate.get(path).await;
        assert_eq!(got, code, "{path}");
        assert_eq!(text.contains("POST /validate"), code != 200, "{text}");
    }
    assert_eq!(gate.get("/readyz").await, (200, "ok\n".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_dribbles_is_answered_before_its_deadline() {
    let gate = gate();
    let start = Instant::now();
    let (mut reader, mut writer) = split(gate.connect().await);
    let head = "POST /validate?timeout=1s HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n";
    writer.write_all(head.as_bytes()).await.unwrap();
    let dribble = tokio::spawn(async move {
        let mut ticks = interval(Duration::from_millis(100));
        loop {
            ticks.tick().await;
            if writer.write_all(b" ").await.is_err() || writer.flush().await.is_err() {
                return;
            }
        }
    });
    let mut answer = [0; 12];
    reader.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408");
    assert!(start.elapsed() > Duration::from_millis(850));
    dribble.abort();
    still_serves(&gate).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_do_not_block_others() {
    let gate = std::sync::Arc::new(gate());
    let mut opening = JoinSet::new();
    for _ in 0..10 {
        let gate = std::sync::Arc::clone(&gate);
        opening.spawn(async move {
            let mut open = Vec::new();
            for _ in 0..100 {
                open.push(gate.connect().await);
            }
            open
        });
    }
    let idle: Vec<_> = opening.join_all().await.into_iter().flatten().collect();
    assert_eq!(idle.len(), 1000);
    for _ in 0..20 {
        still_serves(&gate).await;
    }
    let fresh = gate.client_builder().build().unwrap();
    let response = fresh.get(format!("{}/readyz", gate.url)).send().await;
    assert_eq!(response.unwrap().status(), 200);
}

#[test]
fn argument_errors_take_one_line() {
    let garden = env!("CARGO_MANIFEST_DIR");
    for (arguments, says) in [
        (&["serve", "--frobnicate"][..], "--frobnicate"),
        (&["serve"], "--garden DIR"),
        (&["serve", "--garden", "/no/such/dir"], "`/no/such/dir`"),
        (&["serve", "--garden", garden, "--tls-cert", "x"], "`--tls-key`"),
        (&["serve", "--garden", garden, "--tls-key", "x"], "`--tls-cert`"),
        (&["serve", "--garden", garden, "--listen", "here"], "'here'"),
        (&["serve", "--garden", garden, "--config", "/no/config"], "`/no/config`"),
    ] {
        let output = garden_gate(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(output.stdout.is_empty());
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(says), "{stderr}");
    }
}

#[test]
fn unusable_files_are_reported_in_one_line() {
    let directory = tempfile::TempDir::new().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let (garden, text, none) = (path("."), path("text"), path("none"));
    std::fs::write(&text, "no PEM").unwrap();
    let unwritable = path("none/ca.crt");
    for (flags, says) in [
        (vec!["--tls-cert", &none, "--tls-key", &none], "--tls-cert"),
        (vec!["--tls-cert", &text, "--tls-key", &text], "`CERTIFICATE`"),
        (vec!["--client-ca", &text, "--ca-out", &none], "--client-ca"),
        (vec!["--ca-out", &unwritable], "pass another --ca-out"),
    ] {
        let mut arguments = vec!["serve", "--listen", "127.0.0.1:0", "--garden", &garden];
        arguments.extend(flags);
        let output = garden_gate(&arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        let errors: Vec<&str> = stderr.lines().filter(|it| it.starts_with("error: ")).collect();
        assert!(matches!(&errors[..], [error] if error.contains(says)), "{stderr}");
    }
}
