// SPDX-License-Identifier: Apache-2.0
//! The table of instructions in docs/explanation/performance.md is that of `benches/instructions.txt`.

use std::fmt::Write;
use std::fs;

use crate::docs::{assert_current_part, root};

/// Titles of the benchmarks, in the order of the table.
const TITLES: [(&str, &str); 13] = [
    ("request.label_update", "UPDATE of a Shoot's label (15,670 bytes)"),
    ("request.label_update_with_a_policy", "the same, with a GardenPolicy for Shoots"),
    ("request.label_update_mutate", "the same, to be mutated"),
    ("request.spec_update", "UPDATE of a Shoot's spec (16,070 bytes)"),
    ("request.status_update", "UPDATE of a Shoot's status (16,874 bytes)"),
    ("request.create", "CREATE of a Shoot (5,945 bytes)"),
    ("request.create_refused", "CREATE of a Shoot, refused (5,945 bytes)"),
    ("request.cloud_profile_update", "UPDATE of a CloudProfile (24,649 bytes)"),
    ("command.review", "`review` of 200 manifests of 1 KB"),
    ("command.audit", "`audit` of 200 Shoots of 1 KB"),
    ("command.plan", "`plan` of changes of 200 Shoots of 1 KB"),
    ("command.plan_windows", "`plan --windows` of 200 Shoots of 1 KB"),
    ("serve.shoots", "start of `serve --garden` with 200 Shoots of 8 KB, a file each"),
];

/// Writes a count in thousands.
fn thousands(count: u64) -> String {
    let count = count.div_ceil(1_000).to_string();
    let digits = count.bytes().enumerate();
    let grouped = digits.map(|(at, digit)| {
        let comma = if at > 0 && (count.len() - at).is_multiple_of(3) { "," } else { "" };
        format!("{comma}{}", char::from(digit))
    });
    grouped.collect()
}

#[test]
fn instructions_are_those_of_the_file() {
    let file = fs::read_to_string(root().join("benches/instructions.txt")).unwrap();
    let (head, rows) = file.split_once('\n').unwrap();
    let compiler = head.trim_start_matches("# ").split(',').next().unwrap();
    let mut table = format!(
        "| thousands, {compiler} | instructions | misses of the instruction cache | mispredicted branches |\n|---|---|---|---|\n"
    );
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split(' ').collect()).collect();
    assert_eq!(rows.len(), TITLES.len());
    for (name, title) in TITLES {
        let row = rows.iter().find(|row| row[0] == name).unwrap();
        let counts: Vec<String> =
            row[1..].iter().map(|it| thousands(it.parse().unwrap())).collect();
        writeln!(table, "| {title} | {} |", counts.join(" | ")).unwrap();
    }
    assert_current_part("docs/explanation/performance.md", "instructions", table.trim_end());
}
