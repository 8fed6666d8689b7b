// SPDX-License-Identifier: Apache-2.0
//! The number of agreeing recorded cases in docs/reference/parity-measurements.md.
//!
//! It is that of tests/cli/predict.rs, and of the families in tests/server/https/conformance.rs, which fails at the first
//! disagreement.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::{self, File};

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::Value;

use crate::docs::{assert_current_part, root};

/// Folders whose families are one row of the table. Those with `kind_` in their names belong to `kinds`.
const FOLDERS: [&str; 2] = ["kinds", "wild"];

/// An entry of `tests/conformance/agreement.json`.
#[derive(Deserialize)]
struct Agreement {
    cases: usize,
    verdict: usize,
    refused: usize,
    fields: usize,
    kept: usize,
    stored: usize,
}

/// An entry of `tests/conformance/differences.yaml`.
#[derive(Deserialize)]
struct Retrieval {
    family: String,
    cases: Vec<String>,
    why: String,
    /// The version of an earlier server, whose cases are counted elsewhere.
    version: Option<String>,
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join("tests").join(name)).unwrap()
}

/// Returns the families of which the server and `review` have to agree with every case.
fn without_exception() -> Vec<String> {
    let test = read("server/https/conformance.rs");
    let lines = test.lines().filter_map(|it| it.strip_prefix("#[case(\""));
    let families = lines.filter_map(|it| it.strip_suffix("\")]"));
    families.map(str::to_owned).collect()
}

fn counted(family: &str) -> Agreement {
    let path = format!("tests/conformance/{family}.json.gz");
    let file = File::open(root().join(path)).unwrap();
    let recorded: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let gardens = recorded["gardens"].as_array().unwrap().iter();
    let cases = gardens.flat_map(|it| it["cases"].as_array().unwrap());
    let expected: Vec<&Value> = cases.map(|case| &case["expect"]).collect();
    let (cases, is_refused) = (expected.len(), |it: &&&Value| it["allowed"] == false);
    let refused = expected.iter().filter(is_refused).count();
    let is_kept = |it: &&&Value| it["allowed"] == true && !it["after"].is_null();
    let kept = expected.iter().filter(is_kept).count();
    Agreement { cases, verdict: cases, refused, fields: refused, kept, stored: kept }
}

fn families() -> BTreeMap<String, Agreement> {
    let text = read("conformance/agreement.json");
    let mut all: BTreeMap<String, Agreement> = serde_json::from_str(&text).unwrap();
    for family in without_exception() {
        let counted = counted(&family);
        let before = all.insert(family, counted);
        assert!(before.is_none(), "a family belongs to one test");
    }
    all
}

/// Returns the families of the table: those of operators' kinds, and those with several changes, are one row each.
fn rows() -> BTreeMap<String, Agreement> {
    let mut rows = families();
    for folder in FOLDERS {
        let is_inside = |family: &str| {
            let path = format!("tests/conformance/{folder}/{family}.json.gz");
            root().join(path).is_file() || folder == "kinds" && family.starts_with("kind_")
        };
        let (inside, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            rows.into_iter().partition(|(family, _)| is_inside(family));
        let sum = |of: fn(&Agreement) -> usize| inside.values().map(of).sum::<usize>();
        let together = Agreement {
            cases: sum(|it| it.cases),
            verdict: sum(|it| it.verdict),
            refused: sum(|it| it.refused),
            fields: sum(|it| it.fields),
            kept: sum(|it| it.kept),
            stored: sum(|it| it.stored),
        };
        rows = others;
        rows.insert(folder.to_owned(), together);
    }
    rows
}

fn table() -> String {
    let known: Vec<Retrieval> =
        serde_saphyr::from_str(&read("conformance/differences.yaml")).unwrap();
    let known: Vec<_> = known.into_iter().filter(|it| it.version.is_none()).collect();
    let families = rows();
    let mut table = "| family | cases | verdict | fields of a refusal | stored object | what differs, and why |\n|---|---|---|---|---|---|\n".to_owned();
    for (family, it) in &families {
        let known = known.iter().filter(|known| known.family == *family);
        let why = known.map(|it| format!("{}: {}", it.cases.len(), it.why));
        let why: Vec<String> = if FOLDERS.contains(&&**family) {
            vec!["reasons in `tests/conformance/differences.yaml`".to_owned()]
        } else {
            why.collect()
        };
        let stored = match it.kept {
            0 => "not compared".to_owned(),
            kept => format!("{} of {kept}", it.stored),
        };
        let _infallible = writeln!(
            table,
            "| `{family}` | {} | {} | {} of {} | {stored} | {} |",
            it.cases,
            it.verdict,
            it.fields,
            it.refused,
            why.join("; ")
        );
    }
    let sum = |of: fn(&Agreement) -> usize| families.values().map(of).sum::<usize>();
    let _infallible = writeln!(
        table,
        "| all | {} | {} | {} of {} | {} of {} | |",
        sum(|it| it.cases),
        sum(|it| it.verdict),
        sum(|it| it.fields),
        sum(|it| it.refused),
        sum(|it| it.stored),
        sum(|it| it.kept)
    );
    table
}

#[test]
fn a_page_counts_recorded_cases() {
    assert_current_part("docs/reference/parity-measurements.md", "recorded cases", &table());
}

#[test]
fn every_recorded_family_is_counted() {
    let folders = ["tests/conformance", "tests/conformance/kinds", "tests/conformance/wild"];
    let files = folders.map(|it| fs::read_dir(root().join(it)).unwrap());
    let names =
        files.into_iter().flatten().map(|it| it.unwrap().file_name().into_string().unwrap());
    let mut recorded: Vec<String> =
        names.filter_map(|it| it.strip_suffix(".json.gz").map(str::to_owned)).collect();
    recorded.sort();
    assert_eq!(families().into_keys().collect::<Vec<_>>(), recorded);
}
