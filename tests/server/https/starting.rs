// SPDX-License-Identifier: Apache-2.0
//! A server before it is ready: its output, and its shutdown while it waits for the API server.

use std::fs;
use std::io::BufReader;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::common::{TIMEOUT, eventually, garden_gate};
use crate::https::listening::Killed;

/// A server that does not listen yet.
struct Starting {
    child: Killed,
    /// The URL of the metrics port, `http://127.0.0.1:PORT`.
    metrics: String,
    /// Lines on standard output.
    said: Receiver<String>,
    _directory: TempDir,
}

impl Starting {
    /// Starts a server whose certificate is in the API server `server`, and waits for its metrics port.
    fn start(server: &str) -> Self {
        let directory = TempDir::new().unwrap();
        let kubeconfig = directory.path().join("kubeconfig");
        fs::write(&kubeconfig, self::kubeconfig(server)).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_garden-gate"))
            .args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"])
            .args(["--cert-secret", "garden/tls", "--kubeconfig"])
            .arg(&kubeconfig)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = lines(BufReader::new(child.stdout.take().unwrap()));
        let log = lines(BufReader::new(child.stderr.take().unwrap()));
        let metrics = loop {
            let line = log.recv_timeout(TIMEOUT).unwrap();
            if let Some((_, rest)) = line.split_once("metrics on ") {
                break rest.trim_end_matches("/metrics").to_owned();
            }
        };
        Self { child: Killed(child), metrics, said, _directory: directory }
    }

    async fn get(&self, path: &str) -> (u16, String) {
        let response = reqwest::get(format!("{}{path}", self.metrics)).await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }
}

fn kubeconfig(server: &str) -> String {
    json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "c",
        "clusters": [{"name": "c", "cluster": {"server": server}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "users": [{"name": "u", "user": {"token": "t"}}],
    })
    .to_string()
}

fn lines(from: impl std::io::BufRead + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in from.lines().map_while(Result::ok) {
            // The receiver may be gone.
            let _ = sender.send(line);
        }
    });
    receiver
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_an_api_server_is_alive_and_says_what_it_waits_for() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    // Accepts connections and never responds.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = format!("http://{}", silent.local_addr().unwrap());
    for (server, why) in
        [("http://127.0.0.1:1", "Connection refused"), (&*silent, "did not answer within 10s")]
    {
        let mut starting = Starting::start(server);
        assert_eq!(starting.get("/healthz").await.0, 200);
        eventually("it says why it is not ready", async || {
            let (code, text) = starting.get("/readyz").await;
            assert_eq!(code, 503);
            text.contains("the serving certificate (failed to GET") && text.contains(why)
        })
        .await;
        assert!(starting.said.try_recv().is_err(), "it does not listen yet");
        let id = Pid::from_raw(starting.child.0.id().cast_signed()).unwrap();
        kill_process(id, Signal::TERM).unwrap();
        let ended = tokio::task::spawn_blocking(move || starting.child.0.wait().unwrap());
        assert_eq!(ended.await.unwrap().code(), Some(0));
    }
}

#[test]
fn a_kubeconfig_that_is_missing_is_said_to_be_once() {
    let output = garden_gate(&["serve", "--kubeconfig", "/nowhere", "--listen", "127.0.0.1:0"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.matches("No such file").count(), 1, "{text}");
}
