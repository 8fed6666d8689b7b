//! Latency and throughput over TLS keep-alive, next to a floor: a server of the same parts (axum, hyper, rustls) that only
//! parses the same body and allows it. Rounds alternate, so that a machine that changes its speed changes both.
//!
//! `cargo bench --bench load`; `GARDEN_GATE_BINARY=PATH` measures another binary, such as the static one of the image.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on should stop"
)]
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::routing::post;
use hyper_util::rt::{TokioExecutor, TokioIo};
use reqwest::{Certificate, Client};
use serde_json::{Value, json};
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;

/// Names another binary to measure, such as the static one of the image.
const BINARY: &str = "GARDEN_GATE_BINARY";
/// Connections that are kept busy at the same time; more than cores, as an API server has.
const CONNECTIONS: usize = 4;
/// Requests of one connection in one round.
const REQUESTS: usize = 1_500;
const ROUNDS: usize = 7;

fn main() {
    rustls::crypto::ring::default_provider()
        .install_default()
        .unwrap();
    let arguments: Vec<String> = env::args().collect();
    match arguments.iter().position(|argument| argument == "--floor") {
        Some(at) => floor(Path::new(&arguments[at + 1])),
        None => tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .unwrap()
            .block_on(compare()),
    }
}

/// The peer: parses the body as JSON and allows it.
fn floor(ca_out: &Path) {
    let signed = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(ca_out, signed.cert.pem()).unwrap();
    let key =
        rustls::pki_types::PrivateKeyDer::try_from(signed.signing_key.serialize_der()).unwrap();
    let chain = vec![signed.cert.der().clone()];
    let config = rustls::ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            println!(
                "floor listening on https://{}",
                listener.local_addr().unwrap()
            );
            std::io::stdout().flush().unwrap();
            let router = axum::Router::new().route("/validate", post(allow));
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                stream.set_nodelay(true).unwrap();
                let (acceptor, router) = (acceptor.clone(), router.clone());
                tokio::spawn(async move {
                    let stream = TokioIo::new(acceptor.accept(stream).await.unwrap());
                    let service =
                        hyper::service::service_fn(|request| router.clone().oneshot(request));
                    let server = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                    // A connection that the client closes is no failure of the floor.
                    let _ = server.serve_connection(stream, service).await;
                });
            }
        });
}

async fn allow(Json(review): Json<Value>) -> Json<Value> {
    let uid = &review["request"]["uid"];
    let response = json!({"uid": uid, "allowed": true});
    Json(
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}),
    )
}

struct Peer {
    process: Child,
    url: String,
    client: Client,
}

impl Peer {
    fn start(mut command: Command, ca: &Path) -> Self {
        let mut process = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let port = line.trim().rsplit(':').next().unwrap().to_owned();
        let ca = Certificate::from_pem(&fs::read(ca).unwrap()).unwrap();
        let client = Client::builder().tls_certs_only([ca]).build().unwrap();
        Self {
            process,
            url: format!("https://localhost:{port}/validate"),
            client,
        }
    }

    /// The sorted latencies of one round, and how long it took.
    async fn round(&self, body: &Arc<Vec<u8>>) -> (Vec<Duration>, Duration) {
        let start = Instant::now();
        let connections: Vec<_> = (0..CONNECTIONS)
            .map(|_| {
                tokio::spawn(one_connection(
                    self.client.clone(),
                    self.url.clone(),
                    body.clone(),
                ))
            })
            .collect();
        let mut latencies = Vec::new();
        for connection in connections {
            latencies.extend(connection.await.unwrap());
        }
        latencies.sort_unstable();
        (latencies, start.elapsed())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to kill.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

async fn one_connection(client: Client, url: String, body: Arc<Vec<u8>>) -> Vec<Duration> {
    let mut latencies = Vec::with_capacity(REQUESTS);
    for _ in 0..REQUESTS {
        let request = client
            .post(&url)
            .header("content-type", "application/json")
            .body(body.to_vec());
        let start = Instant::now();
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        let answer = response.bytes().await.unwrap();
        latencies.push(start.elapsed());
        assert!(
            answer
                .windows(14)
                .any(|window| window == br#""allowed":true"#)
        );
    }
    latencies
}

async fn compare() {
    let folder = tempfile::tempdir().unwrap();
    let body = Arc::new(body());
    let gate = Peer::start(gate(folder.path()), &folder.path().join("gate.crt"));
    let mut floor = Command::new(env::current_exe().unwrap());
    floor.arg("--floor").arg(folder.path().join("floor.crt"));
    let floor = Peer::start(floor, &folder.path().join("floor.crt"));
    println!(
        "body {} bytes, {CONNECTIONS} connections, {REQUESTS} requests each, {ROUNDS} rounds",
        body.len()
    );
    println!(
        "{:>8} {:>10} {:>10} {:>12}",
        "", "p50 µs", "p99 µs", "requests/s"
    );
    let mut ratios = Vec::new();
    for round in 0..=ROUNDS {
        let measured = [
            figures(gate.round(&body).await),
            figures(floor.round(&body).await),
        ];
        if round > 0 {
            for (name, [p50, p99, rate]) in ["gate", "floor"].iter().zip(measured) {
                println!("{name:>8} {p50:>10.0} {p99:>10.0} {rate:>12.0}");
            }
            ratios.push([0, 1, 2].map(|figure| measured[0][figure] / measured[1][figure]));
        }
    }
    let [p50, p99, rate] =
        [0, 1, 2].map(|figure| median(ratios.iter().map(|ratio| ratio[figure]).collect()));
    println!(
        "median of the rounds' ratios gate/floor: p50 {p50:.2}, p99 {p99:.2}, requests/s {rate:.2}"
    );
}

fn gate(folder: &Path) -> Command {
    let binary = env::var_os(BINARY).unwrap_or(env!("CARGO_BIN_EXE_garden-gate").into());
    let mut command = Command::new(binary);
    command.args([
        "serve",
        "--garden",
        "examples/garden",
        "--listen",
        "127.0.0.1:0",
        "--ca-out",
    ]);
    command.arg(folder.join("gate.crt")).env("RUST_LOG", "warn");
    command
}

/// p50 and p99 in microseconds, and requests per second.
fn figures((latencies, took): (Vec<Duration>, Duration)) -> [f64; 3] {
    let at = |share: f64| latencies[(latencies.len() as f64 * share) as usize].as_secs_f64() * 1e6;
    [
        at(0.5),
        at(0.99),
        latencies.len() as f64 / took.as_secs_f64(),
    ]
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The body that a real API server sent to `/validate` when a Shoot was changed.
fn body() -> Vec<u8> {
    let file = PathBuf::from("tests/requests/002-validate-update-shoots.json");
    let recorded: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    recorded["review"].to_string().into_bytes()
}
