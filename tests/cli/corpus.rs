// SPDX-License-Identifier: Apache-2.0
//! Manifests in typical layouts of repositories, and their verdicts in `review`.
//!
//! They are judged without a garden, with a part of one, and with a whole one.
//!
//! `corpus/verdicts.txt` has a line for each object, and one for each file without objects, with the reason why it is
//! skipped. A line applies to all gardens unless it names some. `UPDATE_CORPUS=1` writes the file. Check the changes: a
//! refusal, a warning or a skipped file that its author would not expect is a bug.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;

use serde_json::Value;

use crate::command::garden_gate;

const VERDICTS: &str = "tests/corpus/verdicts.txt";
const MANIFESTS: &str = "tests/corpus/manifests";
/// The gardens, each with its arguments.
const GARDENS: [(&str, &[&str]); 3] = [
    ("none", &[]),
    ("part", &["--garden", "tests/corpus/garden/profiles"]),
    ("whole", &["--garden", "tests/corpus/garden"]),
];

/// Returns a line for each object, and one for each file without objects, with one of the gardens.
fn reviewed(arguments: &[&str]) -> BTreeSet<String> {
    let mut command = garden_gate(&["review", "--no-config", "--at", "2026-12-01"]);
    let output = command.args(["--format", "json", MANIFESTS]).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| unreachable!("{errors}"));
    let file = |path: &Value| {
        let path = path.as_str().unwrap().to_owned();
        path.replace(&format!("{MANIFESTS}/"), "")
    };
    let reviews = report["reviews"].as_array().unwrap().iter();
    let mut lines: BTreeSet<String> =
        reviews.map(|review| line(&file(&review["file"]), review)).collect();
    let names: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
    let incomplete = report["leftOut"]["incomplete"].as_array().into_iter().flatten();
    let reasons: BTreeMap<String, &str> =
        incomplete.map(|it| (file(&it["file"]), it["why"].as_str().unwrap())).collect();
    let silent: Vec<String> = files()
        .into_iter()
        .filter(|name| !names.contains(&name.as_str()))
        .map(|name| {
            let reason = reasons.get(&name).map_or("", |why| why.split(", not").next().unwrap());
            format!("{name} - {reason}").trim_end().to_owned()
        })
        .collect();
    lines.extend(silent);
    lines
}

/// Formats `<file> <kind> <name> <verdict> <ids>`; ids of undetermined checks have a question mark.
fn line(file: &str, review: &Value) -> String {
    let text = |field: &str| review[field].as_str().unwrap_or_default().to_owned();
    let ids = |list: &str, id: &str, mark: &str| -> BTreeSet<String> {
        let list = review[list].as_array().into_iter().flatten();
        list.map(|it| format!("{}{mark}", it[id].as_str().unwrap())).collect()
    };
    let mut words = vec![file.to_owned(), text("kind"), text("name"), text("verdict")];
    words.extend(ids("findings", "finding", ""));
    words.extend(ids("undetermined", "rule", "?"));
    words.join(" ")
}

/// Returns the names of all files, including those in folders.
fn files() -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    let mut folders = vec![MANIFESTS.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path.display().to_string());
            } else {
                let path = path.display().to_string();
                files.insert(path.replace(&format!("{MANIFESTS}/"), ""));
            }
        }
    }
    files
}

#[test]
fn manifests_of_many_shapes_have_the_verdicts_that_are_expected() {
    let mut lines = BTreeMap::<String, Vec<&str>>::new();
    for (name, arguments) in GARDENS {
        for line in reviewed(arguments) {
            lines.entry(line).or_default().push(name);
        }
    }
    let found: Vec<String> = lines
        .into_iter()
        .map(|(line, gardens)| match gardens.len() {
            3 => line,
            _ => format!("{line} [{}]", gardens.join(", ")),
        })
        .collect();
    if env::var_os("UPDATE_CORPUS").is_some() {
        fs::write(VERDICTS, found.join("\n") + "\n").unwrap();
    }
    let expected = fs::read_to_string(VERDICTS).unwrap();
    let expected: BTreeSet<&str> = expected.lines().collect();
    let found: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    let gone = expected.difference(&found).map(|line| format!("- {line}"));
    let new = found.difference(&expected).map(|line| format!("+ {line}"));
    let mut differences: Vec<String> = gone.chain(new).collect();
    differences.sort_by(|a, b| a[2..].cmp(&b[2..]));
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(files().len() >= 60);
}
