// SPDX-License-Identifier: Apache-2.0
//! `garden-gate review` in pipelines: discovered configuration, exit codes, and the recipes of docs/how-to/review-in-ci.md.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

mod baseline;
mod configuration;
mod gardener_release;
mod hooks;
mod hostile;
mod install;
mod recipes;

fn shoot(name: &str, namespace: &str) -> String {
    let shoot = include_str!("../../../examples/manifests/shoot-allowed.yaml");
    shoot.replace("name: gateway", &format!("name: {name}")).replace("garden-platform", namespace)
}

/// Returns a Shoot with one warning, about its Kubernetes version.
fn warned(name: &str) -> String {
    shoot(name, "garden-platform").replace("1.34.7", "\"1.34\"")
}

/// Returns a Shoot with one refusal, since its Project whitelists no toleration.
fn refused(name: &str) -> String {
    let shoot = shoot(name, "garden-dev");
    shoot.replace("  exposureClassName: internal\n", "")
}

/// Returns the garden of the examples.
fn garden() -> String {
    format!("{}/examples/garden", env!("CARGO_MANIFEST_DIR"))
}
