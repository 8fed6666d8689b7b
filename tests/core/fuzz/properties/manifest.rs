// SPDX-License-Identifier: Apache-2.0
use std::ffi::OsString;
use std::fs;

use garden_gate::cli::{self, Arguments, Outcome};
use serde_json::Value;
use tempfile::TempDir;

use super::gardens;

/// Formats other than JSON, each written to a file of its name.
const FORMATS: [&str; 6] = ["text", "sarif", "junit", "github", "markdown", "status"];
/// Maximum size of the output: a factor of the size of the manifest, and a constant.
const TIMES: usize = 200;
const BYTES: usize = 512 << 10;

/// The folders: the garden, and one for input and output.
struct Folders {
    garden: TempDir,
    work: TempDir,
}

thread_local! {
    /// Folders of each thread, as tests run in parallel; removed at its end.
    static FOLDERS: Folders = Folders {
        garden: gardens::folder(),
        work: tempfile::tempdir().unwrap(),
    };
}

/// Reviews a file as the command line does, in every format.
pub(crate) fn check(data: &[u8]) {
    FOLDERS.with(|folders| review(folders, data));
}

fn review(folders: &Folders, data: &[u8]) {
    let file = |name| folders.work.path().join(name);
    fs::write(file("input.yaml"), data).unwrap();
    let mut words = ["garden-gate", "review", "--at", "2026-12-01T00:00:00Z", "--garden"]
        .map(OsString::from)
        .to_vec();
    words.push(folders.garden.path().into());
    words.extend(["--color", "never", "--format", "json"].map(OsString::from));
    for format in FORMATS {
        let mut output = OsString::from(format!("{format}="));
        output.push(file(format));
        words.extend(["--format".into(), output]);
    }
    words.push(file("input.yaml").into());
    let mut json = Vec::new();
    let outcome = match cli::run(Arguments::read(&words).unwrap(), &mut json) {
        Ok(outcome) => outcome,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let report: Value = serde_json::from_slice(&json).unwrap();
    agrees(outcome, &report);
    let limit = BYTES + TIMES * data.len();
    assert!(json.len() <= limit, "{} bytes of JSON", json.len());
    for format in FORMATS {
        let text = fs::read_to_string(file(format)).unwrap();
        assert!(text.len() <= limit, "{} bytes of {format}", text.len());
        readable(format, &text);
    }
}

/// The exit code is that of the worst verdict.
fn agrees(outcome: Outcome, report: &Value) {
    let reviews = report["reviews"].as_array().unwrap();
    let has = |verdict: &str| reviews.iter().any(|review| review["verdict"] == verdict);
    match outcome {
        Outcome::Clean => assert!(!has("denied") && !has("undetermined")),
        Outcome::Problems => assert!(has("denied")),
        Outcome::Undetermined | Outcome::Failed => {}
        Outcome::Nothing => assert!(reviews.is_empty()),
    }
}

/// Formats for programs are well-formed, and no output contains control characters.
fn readable(format: &str, text: &str) {
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    let control = text.find(is_control);
    assert_eq!(control, None, "a control character in {format}");
    match format {
        "sarif" => drop(serde_json::from_str::<Value>(text).unwrap()),
        "status" => {
            let statuses = serde_json::Deserializer::from_str(text).into_iter::<Value>();
            statuses.for_each(|status| drop(status.unwrap()));
        }
        "github" => text.lines().for_each(|line| {
            assert!(line.starts_with("::") || !line.contains("::"), "{line}");
        }),
        _ => {}
    }
}
