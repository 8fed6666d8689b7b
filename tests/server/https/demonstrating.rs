// SPDX-License-Identifier: Apache-2.0
//! `garden-gate demo`, and `GET /` of each port of a server.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use reqwest::Client;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::built_playground::{PAGE, playground};
use crate::common::{Gate, GateArgs};
use crate::https::listening::Killed;

/// A running `garden-gate demo`.
struct Demo {
    child: Killed,
    /// The output before the server waits for requests.
    printed: String,
    client: Client,
    folder: TempDir,
}

struct Page {
    status: u16,
    content_type: String,
    text: String,
}

impl Demo {
    fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(arguments: &[&str]) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let folder = TempDir::new().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_garden-gate"))
            .arg("demo")
            .args(arguments)
            .current_dir(folder.path())
            .env("HOME", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut printed = String::new();
        while !printed.contains("Ctrl-C") {
            assert_ne!(stdout.read_line(&mut printed).unwrap(), 0, "{printed}");
        }
        Self { child: Killed(child), printed, client: Client::new(), folder }
    }

    /// Returns the URLs that are printed for people.
    fn urls(&self) -> Vec<&str> {
        let lines = self.printed.lines().filter_map(|line| line.strip_prefix("  http://"));
        lines.map(|line| line.split(' ').next().unwrap()).collect()
    }

    async fn get(&self, path: &str) -> Page {
        let (address, _) = self.urls()[0].split_once('/').unwrap();
        let response = self.client.get(format!("http://{address}{path}")).send().await.unwrap();
        let content_type = response.headers()["content-type"].to_str().unwrap().to_owned();
        let status = response.status().as_u16();
        Page { status, content_type, text: response.text().await.unwrap() }
    }
}

#[tokio::test]
async fn demo_prints_four_pages_and_serves_them() {
    let demo = Demo::start();
    let urls = demo.urls();
    let paths: Vec<&str> = urls.iter().map(|url| url.split_once('/').unwrap().1).collect();
    assert_eq!(paths, ["", "site/", "forecast", "audit"]);
    assert!(urls.iter().all(|url| url.starts_with("127.0.0.1:")), "{urls:?}");
    for (path, title) in [
        ("/", "garden-gate demo"),
        ("/site/", "Must act"),
        ("/forecast", "Maintenance"),
        ("/audit", "Findings"),
    ] {
        let page = demo.get(path).await;
        assert_eq!(
            (page.status, page.content_type.as_str()),
            (200, "text/html; charset=utf-8"),
            "{path}"
        );
        assert!(page.text.contains(title), "{path}: {}", page.text);
    }
    let index = demo.get("/").await.text;
    let links = index.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    for link in links {
        assert_eq!(demo.get(link).await.status, 200, "{link}");
    }
    assert_eq!(demo.get("/none").await.status, 404);
}

#[tokio::test]
async fn demo_serves_a_playground_next_to_its_site() {
    let built = playground();
    let demo = Demo::start_with(&["--playground", built.path().to_str().unwrap()]);
    let site = demo.get("/site/").await.text;
    assert!(site.contains(" data-playground=\"playground/index.html\""), "{site}");
    for (path, content_type, content) in [
        ("/site/playground/", "text/html; charset=utf-8", PAGE),
        ("/site/playground/index.html", "text/html; charset=utf-8", PAGE),
        ("/site/playground/assets/gate-1.wasm", "application/wasm", "\0asm"),
    ] {
        let page = demo.get(path).await;
        assert_eq!((page.status, page.text.as_str()), (200, content), "{path}");
        assert_eq!(page.content_type, content_type, "{path}");
    }
    assert_eq!(demo.get("/site/playground/playground.json").await.status, 404);
}

#[tokio::test]
async fn demo_shows_the_results_of_the_commands_for_its_landscape() {
    let demo = Demo::start();
    let of_command = |command: &str| {
        let mut process = Command::new(env!("CARGO_BIN_EXE_garden-gate"));
        process
            .arg(command)
            .args([
                "--garden",
                "examples/landscape/garden",
                "--config",
                "examples/landscape/gate.yaml",
            ])
            .args(["--at", "2026-11-30T08:00:00Z", "--format", "json"]);
        let output = process.output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let forecast: Value = serde_json::from_str(&demo.get("/forecast.json").await.text).unwrap();
    let expected = of_command("forecast");
    assert_eq!(forecast["shoots"], expected["shoots"]);
    let audit: Value = serde_json::from_str(&demo.get("/audit.json").await.text).unwrap();
    let expected = of_command("audit");
    assert_eq!(audit["audit"]["findings"], expected["audit"]["findings"]);
}

#[tokio::test]
async fn demo_webhook_refuses_the_example_request() {
    let demo = Demo::start();
    let review = demo.get("/review.json").await;
    let (address, _) = demo.urls()[0].split_once('/').unwrap();
    let request = demo.client.post(format!("http://{address}/validate"));
    let request = request.header("content-type", "application/json").body(review.text);
    let answer: Value = request.send().await.unwrap().json().await.unwrap();
    assert_eq!(answer["response"]["allowed"], false, "{answer}");
    // The second command explains the finding.
    let finding = demo.printed.lines().find_map(|line| line.strip_prefix("  garden-gate rules "));
    assert!(answer.to_string().contains(finding.unwrap()), "{answer}");
}

#[tokio::test]
async fn demo_ends_with_ctrl_c_and_writes_nothing() {
    let mut demo = Demo::start();
    assert_eq!(demo.get("/").await.status, 200);
    let id = Pid::from_child(&demo.child.0);
    kill_process(id, Signal::INT).unwrap();
    let status = demo.child.0.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    let mut stderr = String::new();
    demo.child.0.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(stderr, "");
    assert_eq!(fs::read_dir(demo.folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn root_of_each_port_names_its_endpoints() {
    let gate = Gate::start(&GateArgs::new());
    let version = env!("CARGO_PKG_VERSION");
    let (status, text) = gate.get("/").await;
    assert_eq!(status, 200);
    assert!(text.starts_with(&format!("garden-gate {version}: admission webhook")), "{text}");
    for path in ["/mutate", "/validate", "/healthz", "/readyz"] {
        assert!(text.contains(&format!(" {path} ")), "{text}");
    }
    let url = gate.metrics_url().await;
    let text = gate.client.get(url).send().await.unwrap().text().await.unwrap();
    assert!(text.starts_with(&format!("garden-gate {version}: metrics")), "{text}");
    assert!(text.contains("GET /metrics "), "{text}");
    let posted = gate.client.post(&gate.url).body("{}").send().await.unwrap();
    assert_eq!(posted.status().as_u16(), 405);
}
