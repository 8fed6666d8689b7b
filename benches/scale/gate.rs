// SPDX-License-Identifier: Apache-2.0
//! A garden-gate process, observed by its metrics.

use std::env;
use std::ffi::OsString;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::process::Taken;
use crate::server::{Place, Server};

/// Environment variable with the path of another binary to measure, such as the static one of the image.
const BINARY: &str = "GARDEN_GATE_BINARY";
/// Polling interval of readiness and metrics.
const INTERVAL: Duration = Duration::from_millis(5);

/// A running garden-gate server.
pub(crate) struct Gate {
    pub(crate) server: Server,
    metrics: String,
    /// The time until it was ready.
    pub(crate) start: Duration,
}

impl Gate {
    /// Starts a server with these arguments and those for ports and certificates, until it is ready.
    pub(crate) async fn start(name: &str, garden: &[&str], place: &Place) -> Self {
        let binary: OsString = env!("CARGO_BIN_EXE_garden-gate").into();
        let mut command = Command::new(env::var_os(BINARY).unwrap_or(binary));
        let (port, metrics) = (Place::free_port(), Place::free_port());
        command
            .args(["serve", "--listen", &format!("127.0.0.1:{port}")])
            .args(["--metrics-listen", &format!("127.0.0.1:{metrics}")])
            .args(garden)
            .arg("--tls-cert")
            .arg(place.certificate())
            .arg("--tls-key")
            .arg(place.key())
            .env("RUST_LOG", "error");
        let begin = Instant::now();
        let server = Server::start(name, command, port, place).await;
        let mut gate =
            Self { server, metrics: format!("http://127.0.0.1:{metrics}"), start: Duration::ZERO };
        while !reqwest::get(format!("{}/readyz", gate.metrics)).await.unwrap().status().is_success()
        {
            tokio::time::sleep(INTERVAL).await;
        }
        gate.start = begin.elapsed();
        gate
    }

    pub(crate) fn taken(&self) -> Taken {
        Taken::by(self.server.id())
    }

    /// Returns the value of a metric by name and labels.
    pub(crate) async fn metric(&self, name: &str) -> f64 {
        let response = reqwest::get(format!("{}/metrics", self.metrics)).await.unwrap();
        let text = response.text().await.unwrap();
        let mut lines = text.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| unreachable!("no {name} in {text}")).parse().unwrap()
    }

    /// Waits until a metric has this value.
    pub(crate) async fn shows(&self, name: &str, value: f64) {
        while self.metric(name).await != value {
            tokio::time::sleep(INTERVAL).await;
        }
    }
}
