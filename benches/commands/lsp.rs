// SPDX-License-Identifier: Apache-2.0
//! The language server: time from an edit to its diagnostics, with a garden of many Shoots.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::Plan;
use crate::client::{Client, uri};
use crate::garden::write_garden;

/// Number of Shoots in the garden of `cargo bench`.
const SHOOTS: usize = 10_000;
/// Number of Shoots in `cargo test`.
const FEW: usize = 100;
/// Number of measured edits.
const EDITS: usize = 200;
/// Maximum time from an edit to its diagnostics in a release build.
const LIMIT: Duration = Duration::from_millis(50);
/// Files of the garden besides Shoots.
const FILES: [&str; 6] = [
    "cloudprofile.yaml",
    "exposureclass.yaml",
    "namespaces.yaml",
    "projects.yaml",
    "rbac.yaml",
    "seeds.yaml",
];

pub(crate) fn run(plan: Plan) {
    let Plan { is_bench, count } = plan;
    let count = count.unwrap_or(if is_bench { SHOOTS } else { FEW });
    let edits = if is_bench { EDITS } else { 4 };
    let home = tempfile::tempdir().unwrap();
    let [garden, workspace] = ["garden", "workspace"].map(|it| home.path().join(it));
    fs::create_dir_all(&garden).unwrap();
    fs::create_dir_all(&workspace).unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let shoots = fs::read_to_string(examples.join("garden/shoots.yaml")).unwrap();
    let shoots: Vec<&str> = shoots.split("---\n").collect();
    write_garden(&examples.join("garden"), &FILES, &shoots, count, &garden);
    let text = fs::read_to_string(examples.join("manifests/shoot-allowed.yaml")).unwrap();
    let file = workspace.join("shoot.yaml");
    fs::write(&file, &text).unwrap();
    let uri = uri(&file);
    let begin = Instant::now();
    let mut client = Client::initialized(&workspace, &["--garden", &garden.display().to_string()]);
    client.open(&uri, &text);
    client.diagnostics(&uri, 1);
    let start = begin.elapsed();
    let line = text.lines().position(|it| it.contains("maximum:")).unwrap();
    let mut times = Vec::new();
    for number in 0..edits {
        let version = i64::try_from(number).unwrap() + 2;
        let begin = Instant::now();
        client.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{
                "range": {"start": {"line": line, "character": 15}, "end": {"line": line, "character": 16}},
                "text": (number % 9 + 1).to_string(),
            }]}),
        );
        client.diagnostics(&uri, version);
        times.push(begin.elapsed());
    }
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "| Shoots in the garden | start to diagnostics ms | edit to diagnostics: p50 ms | p99 ms | MiB |"
    );
    println!("|---|---|---|---|---|");
    println!(
        "| {count} | {:.0} | {:.2} | {:.2} | {} |",
        milliseconds(start),
        milliseconds(at(50)),
        milliseconds(at(99)),
        client.memory() / 1024,
    );
    assert!(!is_bench || at(50) < LIMIT, "an edit takes too long");
    assert_eq!(client.exit(), Some(0));
}
