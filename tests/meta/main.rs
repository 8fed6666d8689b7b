// SPDX-License-Identifier: Apache-2.0
//! Tests of the repository: generated files, documentation, imports.
#![expect(clippy::disallowed_methods, reason = "tests use files, clocks and processes")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

#[path = "../support/browser.rs"]
mod browser;
#[path = "../support/command.rs"]
mod command;

mod advisories;
mod docs;
mod hygiene;
mod insights;
mod licences;
mod packages;
mod webhooks;
mod words;

use std::fs;
use std::io::{Write as _, stderr};

/// `.ci/run` runs the suites that `cargo test` skips, and `cargo test` prints their names.
#[test]
fn suites_that_are_left_out_are_named_and_run_in_ci() {
    let manifest: toml::Table = toml::from_str(&fs::read_to_string("Cargo.toml").unwrap()).unwrap();
    let suites = manifest["test"].as_array().unwrap().iter();
    let left_out = suites.filter(|it| it.get("test").is_some_and(|it| it.as_bool() == Some(false)));
    let names: Vec<&str> = left_out.filter_map(|it| it["name"].as_str()).collect();
    let arguments: String = names.iter().map(|it| format!(" --test {it}")).collect();
    let ci = fs::read_to_string(".ci/run").unwrap();
    for name in &names {
        let command = format!("cargo test --locked --test {name}\n");
        assert!(ci.contains(&command), "{command}");
    }
    // The test harness hides the output of passing tests.
    let line =
        format!("\nnot run by `cargo test`: {}; run cargo test{arguments}\n", names.join(", "));
    stderr().write_all(line.as_bytes()).unwrap();
}
