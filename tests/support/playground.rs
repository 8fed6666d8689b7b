// SPDX-License-Identifier: Apache-2.0
//! A small playground, with the files that `.ci/wasm playground` writes.

use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::folder::folder;

/// The page of the playground.
pub(crate) const PAGE: &str = "<!doctype html><title>Playground</title>";
/// A script that gzip makes smaller.
pub(crate) fn script() -> String {
    "console.log(1);\n".repeat(200)
}

/// Returns the list for files of a version.
pub(crate) fn list(version: &str, files: &[(&str, &str)]) -> Value {
    let entries = files.iter().map(|(path, content)| {
        let checksum = digest(&SHA256, content.as_bytes());
        let checksum: String = checksum.as_ref().iter().map(|it| format!("{it:02x}")).collect();
        json!({"path": path, "sha256": checksum})
    });
    json!({"gardenGate": version, "files": entries.collect::<Vec<_>>()})
}

/// Returns a playground with an example of one rule.
pub(crate) fn playground() -> TempDir {
    let script = script();
    let files = [
        ("index.html", PAGE),
        ("assets/index-1.js", &script),
        ("assets/gate-1.wasm", "\0asm"),
        ("examples/shoot_hibernated-change.json", "{}"),
        ("examples/start.json", "{}"),
    ];
    let made = folder(&files);
    let list = list(env!("CARGO_PKG_VERSION"), &files);
    crate::folder::write(made.path(), "playground.json", &list.to_string());
    made
}
