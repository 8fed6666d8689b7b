// SPDX-License-Identifier: Apache-2.0
//! Other webhooks with one rule each: whether a Shoot's Kubernetes version is in a list.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::server::{Place, Server};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers");
const OPA: &str = "github.com/open-policy-agent/opa@v1.21.1";

/// Starts the peers that could be built.
pub(crate) async fn start(place: &Place) -> Vec<Server> {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
    let mut servers = Vec::new();
    let mut build = Command::new("go");
    let program = built.join("webhook");
    build
        .args(["build", "-o"])
        .arg(&program)
        .arg(".")
        .current_dir(Path::new(SOURCES).join("webhook"));
    if is_built("controller-runtime", build) {
        servers.push(controller_runtime(&program, place).await);
    }
    let mut build = Command::new("go");
    build.args(["install", OPA]).env("GOBIN", &built);
    if is_built("OPA", build) {
        servers.push(opa(&built.join("opa"), place).await);
    }
    servers
}

/// Builds a program; Go skips parts that are already built.
fn is_built(name: &str, mut build: Command) -> bool {
    let is_built = build.status().is_ok_and(|it| it.success());
    if !is_built {
        println!("{name} is left out: it could not be built by {build:?}");
    }
    is_built
}

async fn controller_runtime(program: &Path, place: &Place) -> Server {
    let port = Place::free_port();
    let mut command = Command::new(program);
    command.args(["-port", &port.to_string(), "-certificates"]).arg(place.folder());
    Server::start("controller-runtime", command, port, place).await
}

async fn opa(program: &Path, place: &Place) -> Server {
    let port = Place::free_port();
    let policy: PathBuf = Path::new(SOURCES).join("version.rego");
    let mut command = Command::new(program);
    command
        .args(["run", "--server", "--skip-version-check"])
        .args(["--log-level", "error"])
        .args(["--addr", &format!("127.0.0.1:{port}")])
        .arg("--tls-cert-file")
        .arg(place.certificate())
        .arg("--tls-private-key-file")
        .arg(place.key())
        .arg(policy);
    // At this path, OPA uses the decision of the package `system`.
    Server::start("OPA", command, port, place).await.at("/")
}
