// SPDX-License-Identifier: Apache-2.0
//! One client cannot block the others, whatever resources it holds.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use crate::common::reviews::{PROJECT, review, shoot};
use crate::common::{Gate, GateArgs, TIMEOUT, eventually};

fn gate(memory: &str) -> Gate {
    Gate::start(&GateArgs::new().garden("dev.yaml", PROJECT).flag("--memory-limit", memory))
}

fn good() -> Value {
    review("CREATE", "shoots", &shoot(&json!([])), &Value::Null)
}

async fn still_serves(gate: &Gate) {
    let fresh = gate.client_builder().build().unwrap();
    let request = fresh.post(format!("{}/validate", gate.url)).json(&good());
    assert_eq!(request.send().await.unwrap().status(), 200);
}

/// Reports whether the peer has closed an idle connection.
async fn has_ended(stream: &mut (impl AsyncRead + Unpin)) -> bool {
    let mut rest = Vec::new();
    timeout(TIMEOUT, stream.read_to_end(&mut rest)).await.is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_are_evicted_for_new_ones() {
    let gate = gate("32Mi");
    let mut first = gate.connect().await;
    let mut idle = Vec::new();
    while gate.metric("connections_evicted_total{port=\"https\"}").await < 3.0 {
        idle.push(gate.connect().await);
        assert!(idle.len() < 200, "none gave way");
    }
    assert!(has_ended(&mut first).await);
    still_serves(&gate).await;
    let open = gate.metric("connections{port=\"https\"}").await;
    assert!(open > 10.0 && open < 100.0, "{open}");
    drop(idle);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_without_a_request_is_closed_soon() {
    let gate = gate("512Mi");
    let mut silent = gate.connect().await;
    let start = Instant::now();
    assert!(has_ended(&mut silent).await);
    assert!(start.elapsed() > Duration::from_secs(4));
    still_serves(&gate).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_is_reported_when_both_ports_are_full() {
    let gate = gate("32Mi");
    let metrics = gate.metrics_url().await;
    let mut strangers = Vec::new();
    for url in [gate.url.as_str(), &metrics] {
        let (_, address) = url.split_once("//").unwrap();
        for _ in 0..150 {
            strangers.push(TcpStream::connect(address).await.unwrap());
        }
    }
    for path in ["/healthz", "/readyz", "/metrics"] {
        let response = gate.client.get(format!("{metrics}{path}")).send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["connection"], "close");
    }
    assert!(gate.metric("connections_evicted_total{port=\"metrics\"}").await > 0.0);
    still_serves(&gate).await;
    drop(strangers);
}

#[tokio::test(flavor = "multi_thread")]
async fn stalled_bodies_do_not_block_others() {
    let gate = gate("64Mi");
    let head = "POST /validate?timeout=30s HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1048576\r\n\r\n";
    let mut stalled = Vec::new();
    for _ in 0..10 {
        let mut stream = gate.connect().await;
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&vec![b' '; 1 << 19]).await.unwrap();
        stream.flush().await.unwrap();
        stalled.push(stream);
    }
    still_serves(&gate).await;
    let start = Instant::now();
    for stream in &mut stalled {
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        let told = String::from_utf8_lossy(&answer);
        assert!(["HTTP/1.1 408", "HTTP/1.1 503"].contains(&&*told), "{told}");
    }
    // Much earlier than the clients asked for.
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// Returns a frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// Returns header fields that are not added to the table.
fn headers(fields: &[(&str, &str)]) -> Vec<u8> {
    let text = |text: &str| [&[u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
    let field = |(name, value): &(&str, &str)| [vec![0], text(name), text(value)].concat();
    fields.iter().flat_map(field).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_are_not_read_end_the_connection() {
    const END_HEADERS: u8 = 4;
    const END_STREAM: u8 = 1;
    let gate = gate("512Mi");
    let mut stream = gate.connect_with(&["h2"]).await;
    // SETTINGS_INITIAL_WINDOW_SIZE (4) is 0, so no body may be sent.
    let mut request = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    request.extend(frame(4, 0, 0, &[0, 4, 0, 0, 0, 0]));
    let fields = headers(&[
        (":method", "POST"),
        (":scheme", "https"),
        (":authority", "localhost"),
        (":path", "/validate"),
        ("content-type", "application/json"),
    ]);
    for id in [1, 3, 5] {
        request.extend(frame(1, END_HEADERS, id, &fields));
        request.extend(frame(0, END_STREAM, id, good().to_string().as_bytes()));
    }
    stream.write_all(&request).await.unwrap();
    stream.flush().await.unwrap();
    eventually("all are judged", async || {
        let allowed = "reviews_total{endpoint=\"validate\",kind=\"Shoot\",operation=\"CREATE\",decision=\"allowed\"}";
        gate.metric(allowed).await >= 3.0
    })
    .await;
    assert!(has_ended(&mut stream).await);
    still_serves(&gate).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_can_neither_fill_the_log_nor_forge_lines_of_it() {
    let gate = gate("512Mi");
    let mut long = good();
    long["request"]["operation"] = json!("x".repeat(1 << 20));
    let mut forged = good();
    forged["apiVersion"] = json!("v1\n2026-01-01T00:00:00Z ERROR forged");
    let mut denied = review("CREATE", "shoots", &shoot(&json!([{"key": "x"}])), &Value::Null);
    denied["request"]["name"] = json!("n".repeat(1 << 20));
    for (review, code) in [(&long, 400), (&forged, 400), (&denied, 200)] {
        let (got, answer) = gate.post("/validate", review).await;
        assert_eq!(got, code);
        assert!(answer.to_string().len() < 64 << 10);
    }
    for _ in 0..50 {
        gate.post("/validate", &json!({})).await;
    }
    gate.logs("decision=\"denied\"").await;
    let log = gate.log();
    assert!(log.contains("forged") && !log.lines().any(|line| line.starts_with("2026-01-01")));
    assert!(log.lines().all(|line| line.len() < 2048));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_limit_is_checked() {
    for (limit, says) in [("16Mi", "less than 32Mi"), ("lots", "`lots`")] {
        let arguments = ["serve", "--garden", ".", "--memory-limit", limit];
        let output = crate::common::garden_gate(&arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(says), "{stderr}");
    }
}
