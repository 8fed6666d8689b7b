// SPDX-License-Identifier: Apache-2.0
//! Pages about security name files that exist, and count the states of their criteria.

use std::collections::BTreeMap;
use std::fs;

use regex::Regex;

use crate::docs::{assert_current_part, root};

const FOLDER: &str = "docs/security";

/// States of criteria, in the order of the tables.
const STATES: [&str; 5] = ["met", "host", "person", "open", "n/a"];

/// Pages with criteria, and the number of criteria in each section.
const PAGES: [(&str, &[(&str, usize)]); 3] = [
    ("docs/security/best-practices.md", &[("Criteria", 67)]),
    ("docs/security/best-practices-silver-gold.md", &[("Silver", 55), ("Gold", 23)]),
    ("docs/security/osps-baseline.md", &[("Controls", 64)]),
];

/// The number of criteria by section and state.
type Counts<'t> = BTreeMap<&'t str, BTreeMap<&'t str, usize>>;

/// Counts the rows of tables with the columns `state` and `evidence`.
fn counts(page: &str) -> Counts<'_> {
    let (mut counts, mut section, mut column) = (Counts::new(), "", None);
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading;
        } else if cells.len() < 3 {
            column = None;
        } else if cells.contains(&"evidence") {
            column = cells.iter().position(|it| *it == "state");
        } else if let Some(state) = column.and_then(|it| cells.get(it))
            && !state.starts_with("---")
        {
            assert!(STATES.contains(state), "{line}");
            let evidence = cells[cells.len() - 2];
            assert!(!evidence.is_empty(), "{line}");
            *counts.entry(section).or_default().entry(state).or_default() += 1;
        }
    }
    counts
}

fn table(counts: &Counts, sections: &[(&str, usize)]) -> String {
    let states = STATES.join(" | ");
    let mut table =
        format!("| section | {states} | all |\n|---|{}\n", "---|".repeat(STATES.len() + 1));
    for (section, _) in sections {
        let numbers = STATES.map(|it| counts[section].get(it).copied().unwrap_or(0));
        let all: usize = numbers.iter().sum();
        let cells = numbers.map(|it| it.to_string()).join(" | ");
        table += &format!("| {section} | {cells} | {all} |\n");
    }
    table
}

#[test]
fn evidence_of_each_criterion_is_counted() {
    for (path, sections) in PAGES {
        let page = fs::read_to_string(root().join(path)).unwrap();
        let counts = counts(&page);
        for (section, expected) in sections {
            let all: usize = counts[section].values().sum();
            assert_eq!(all, *expected, "{path}: {section}");
        }
        assert_current_part(path, "states", &table(&counts, sections));
    }
}

/// Returns the paths in code of a page, except in blocks.
fn paths(page: &str) -> Vec<&str> {
    let code = Regex::new("`([^`\n]+)`").unwrap();
    let path =
        Regex::new(r"^(?:\.?[\w-]+/[\w./-]*|\.?[\w-]+\.(?:json|md|rs|sh|toml|yml|lock))$").unwrap();
    let prose = page.split("```").step_by(2);
    let spans =
        prose.flat_map(|text| code.captures_iter(text).map(|it| it.get(1).unwrap().as_str()));
    // Statements exist only while an advisory is ignored.
    spans.filter(|it| path.is_match(it) && !it.starts_with(".vex/")).collect()
}

#[test]
fn evidence_names_existing_files() {
    let (mut missing, mut seen) = (Vec::new(), 0);
    for entry in fs::read_dir(root().join(FOLDER)).unwrap() {
        let file = entry.unwrap().path();
        let page = fs::read_to_string(&file).unwrap();
        for path in paths(&page) {
            seen += 1;
            if !root().join(path).exists() {
                missing.push(format!("{}: {path}", file.display()));
            }
        }
    }
    assert!(seen > 150, "{seen} paths were read");
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn paths_in_code_are_found() {
    let page = "`.ci/deny` and `deny.toml`, not `cargo test`, `n/a b`, `SHA256SUMS`\n```sh\n`a/b`\n```\n`tests/bugs`";
    assert_eq!(paths(page), [".ci/deny", "deny.toml", "tests/bugs"]);
}
