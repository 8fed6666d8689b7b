// SPDX-License-Identifier: Apache-2.0
//! A live gardener-apiserver, if one is available.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

use serde_json::Value;

use crate::cluster::TestCluster;
use crate::cluster::aggregated::AggregatedServer;

/// Environment variable for the path of the program.
const PROGRAM: &str = "GARDENER_APISERVER";

/// Flags of both servers.
const FLAGS: &[&str] = &["--cluster-identity=parity"];

/// The API groups that the server serves and users write.
pub(crate) const GROUPS: &[(&str, &str)] = &[
    ("core.gardener.cloud", "v1beta1"),
    ("core.gardener.cloud", "v1"),
    ("security.gardener.cloud", "v1alpha1"),
    ("seedmanagement.gardener.cloud", "v1alpha1"),
];

/// Returns the gardener-apiserver to compare with; prints how to set it if there is none.
pub(crate) fn program() -> Option<PathBuf> {
    static SAID: Once = Once::new();
    let program = std::env::var_os(PROGRAM).filter(|it| !it.is_empty());
    if program.is_none() {
        SAID.call_once(|| {
            let line = format!(
                "tests against a living gardener-apiserver DID NOT RUN: set {PROGRAM} to the path of one, see docs/development/gardener-release.md\n"
            );
            std::io::stderr().write_all(line.as_bytes()).unwrap();
        });
    }
    let program = PathBuf::from(program?);
    let whole = std::fs::canonicalize(&program);
    Some(whole.unwrap_or_else(|error| panic!("{PROGRAM}: {}: {error}", program.display())))
}

/// Starts a server without these plugins.
pub(crate) async fn start(
    cluster: &TestCluster,
    program: &Path,
    name: &str,
    gates: &Value,
    off: &[String],
) -> AggregatedServer {
    let mut flags: Vec<String> = FLAGS.iter().copied().map(String::from).collect();
    let gates = gates.as_object().into_iter().flatten();
    flags.extend(gates.map(|(gate, is_on)| format!("--feature-gates={gate}={is_on}")));
    if !off.is_empty() {
        flags.push(format!("--disable-admission-plugins={}", off.join(",")));
    }
    AggregatedServer::start(cluster, program, name, &flags).await
}

/// Returns the plugins that are enabled by default, from the help of the program.
pub(crate) fn plugins(program: &Path) -> Vec<String> {
    let help = Command::new(program).arg("--help").output().unwrap().stdout;
    let help = String::from_utf8_lossy(&help);
    let listed = help
        .split_once("default enabled plugins list (")
        .and_then(|(_, rest)| rest.split_once(')'));
    let (names, _) = listed.unwrap_or_else(|| {
        panic!(
            "{} is no gardener-apiserver: its help lists no plugins; set {PROGRAM} to one",
            program.display()
        )
    });
    names.split(',').map(|name| name.trim().to_owned()).collect()
}
