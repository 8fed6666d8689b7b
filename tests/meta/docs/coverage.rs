// SPDX-License-Identifier: Apache-2.0
//! docs/coverage.md lists the rules for each decision of gardener-apiserver: it agrees with the catalogue.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use garden_gate_core::admission::{EntryPoints, Operation, Rule, Subresource};
use garden_gate_core::config::Level;
use garden_gate_core::rules;

use crate::docs::{assert_current_part, root};

const PAGE: &str = "docs/coverage.md";
/// The page that counts the decisions.
const COUNTS: &str = "docs/reference/limitations.md";
/// The mark of a decision that no rule covers, although one could.
const MISSING: &str = "missing";

/// A decision of the API server.
struct Row {
    /// The kind, from the heading above.
    kind: String,
    decided: String,
    operations: Vec<String>,
    rules: Vec<&'static Rule>,
    /// Other checks that cover the decision: `schema` or `stored`.
    beside: Vec<String>,
    /// The reasons why the decision is not covered, or not completely.
    reasons: Vec<String>,
}

impl Row {
    fn is_judged(&self) -> bool {
        !self.rules.is_empty() || !self.beside.is_empty()
    }

    fn is_missing(&self) -> bool {
        self.reasons.iter().any(|reason| reason == MISSING)
    }
}

fn page() -> String {
    fs::read_to_string(root().join(PAGE)).unwrap()
}

/// The heading of the explanation of reasons.
const REASONS: &str = "Why something is not judged";

/// Returns the cells of the tables below headings, each row with its heading.
fn cells(page: &str) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for section in page.split("\n## ").skip(1) {
        let (heading, text) = section.split_once('\n').unwrap();
        let columns = if heading == REASONS { 2 } else { 4 };
        let lines = text.lines().filter(|line| line.starts_with('|'));
        for line in lines.filter(|line| !line.starts_with("|---")) {
            let row = line.strip_prefix("| ").and_then(|it| it.strip_suffix(" |"));
            let cells = row.unwrap_or_default().split(" | ").map(str::to_owned);
            let cells: Vec<String> = cells.collect();
            assert_eq!(cells.len(), columns, "{line}");
            all.push((heading.to_owned(), cells));
        }
    }
    all
}

fn rows() -> Vec<Row> {
    let cells = cells(&page()).into_iter();
    let rows = cells.filter(|(_, cells)| cells.len() == 4 && cells[0] != "decision");
    rows.map(|(kind, cells)| row(kind, &cells)).collect()
}

fn row(kind: String, cells: &[String]) -> Row {
    let words = cells[1].split(", ");
    let mut row = Row {
        kind,
        decided: cells[0].clone(),
        operations: words.map(|it| it.trim_matches('`').to_owned()).collect(),
        rules: Vec::new(),
        beside: Vec::new(),
        reasons: Vec::new(),
    };
    for part in cells[3].split("; ") {
        match part.strip_prefix("not: ") {
            Some(reason) => {
                let reason = reason.split_once(" (").map_or(reason, |(it, _)| it);
                row.reasons.push(reason.to_owned());
            }
            None => part.split(", ").for_each(|it| add(it, &mut row)),
        }
    }
    row
}

/// Records what covers a decision: a link to the page of a rule, or another check.
fn add(judge: &str, row: &mut Row) {
    if ["`schema`", "`stored`"].contains(&judge) {
        return row.beside.push(judge.trim_matches('`').to_owned());
    }
    let id = judge.strip_prefix("[`").and_then(|it| it.split('`').next()).unwrap_or_default();
    let rule = rules::find(id).unwrap_or_else(|| panic!("{judge} is no rule: {}", row.decided));
    assert_eq!(judge, format!("[`{id}`](rules/{id}.md)"));
    row.rules.push(rule);
}

/// Reports whether a rule is one of Gardener's components, and not an additional one or an extension's.
fn decides_like_gardener(rule: &Rule) -> bool {
    let is_of_controller = rule.id.starts_with("admission-controller/");
    let is_of_gardener = is_of_controller || rule.entry_points != EntryPoints::Offline;
    rule.levels.gardener != Level::Off && is_of_gardener
}

#[test]
fn every_decision_is_judged_or_has_a_reason() {
    let rows = rows();
    assert!(!rows.is_empty());
    for row in rows {
        let decided = &row.decided;
        assert!(row.is_judged() || !row.reasons.is_empty(), "{decided}");
        assert!(!row.operations.is_empty(), "{decided}");
    }
}

#[test]
fn every_rule_that_decides_like_gardener_has_a_decision() {
    let rows = rows();
    let named = rows.iter().flat_map(|row| row.rules.iter().map(|it| it.id));
    let named: BTreeSet<&str> = named.collect();
    let rules = rules::ALL.iter().filter(|rule| decides_like_gardener(rule));
    let rules: BTreeSet<&str> = rules.map(|rule| rule.id).collect();
    assert_eq!(named, rules, "{PAGE} names the rules in force in `gardener`");
}

#[test]
fn a_rule_is_named_where_it_looks_at_the_kind() {
    for row in rows() {
        for rule in &row.rules {
            let mut kinds = rule.kinds().into_iter();
            let looks = kinds.any(|kind| kind.as_str() == row.kind);
            assert!(looks, "{} does not look at a {}", rule.id, row.kind);
        }
    }
}

/// Returns the operations and subresources that the rules of a row cover, and the other checks.
fn looked_at(row: &Row) -> BTreeSet<&'static str> {
    let scopes = row.rules.iter().flat_map(|rule| rule.scopes);
    let mut names = BTreeSet::new();
    for scope in scopes.filter(|scope| scope.kind.as_str() == row.kind) {
        let parts = scope.subresources.iter().map(|it| it.as_str());
        names.extend(parts);
        if scope.subresources.contains(&Subresource::Itself) {
            names.extend(scope.operations.iter().map(|it| it.as_str()));
        }
    }
    if names.contains(Operation::Delete.as_str()) {
        names.insert("DELETECOLLECTION");
    }
    if !row.beside.is_empty() {
        let written = [Operation::Create, Operation::Update].map(Operation::as_str);
        names.extend(written);
        names.insert(Subresource::Binding.as_str());
    }
    names
}

#[test]
fn what_is_judged_wholly_is_judged_in_every_operation() {
    let rows = rows().into_iter().filter(|row| row.reasons.is_empty());
    for row in rows {
        let looked_at = looked_at(&row);
        let mut operations = row.operations.iter();
        let missed = operations.find(|it| !looked_at.contains(it.as_str()));
        assert_eq!(missed, None, "{}", row.decided);
    }
}

#[test]
fn reasons_are_those_that_the_page_explains() {
    let cells = cells(&page()).into_iter();
    let explained = cells.filter(|(heading, _)| heading == REASONS);
    let explained: BTreeSet<String> = explained
        .map(|(_, cells)| cells[0].trim_matches('`').to_owned())
        .filter(|it| it != "reason")
        .collect();
    let given: BTreeSet<String> = rows().into_iter().flat_map(|row| row.reasons).collect();
    assert_eq!(given, explained);
}

/// Counts of decisions by coverage.
#[derive(Default)]
struct Counts {
    all: usize,
    wholly: usize,
    in_part: usize,
    not: usize,
    missing: usize,
}

impl Counts {
    fn add(&mut self, row: &Row) {
        self.all += 1;
        match (row.is_judged(), row.reasons.is_empty()) {
            (true, true) => self.wholly += 1,
            (true, false) => self.in_part += 1,
            (false, _) => self.not += 1,
        }
        self.missing += usize::from(row.is_missing());
    }

    fn row(&self, kind: &str) -> String {
        let Counts { all, wholly, in_part, not, missing } = self;
        let share = wholly * 100 / all;
        format!("| {kind} | {all} | {wholly} ({share} %) | {in_part} | {not} | {missing} |\n")
    }
}

#[test]
fn a_page_counts_the_decisions() {
    let (mut kinds, mut all) = (BTreeMap::<usize, (String, Counts)>::new(), Counts::default());
    for row in rows() {
        all.add(&row);
        let known = kinds.iter().find(|(_, (kind, _))| *kind == row.kind);
        let place = known.map_or(kinds.len(), |(place, _)| *place);
        let entry = kinds.entry(place).or_default();
        entry.0.clone_from(&row.kind);
        entry.1.add(&row);
    }
    let mut table = "| kind | decisions | judged | judged in part | not judged | of these, `missing` |\n|---|---|---|---|---|---|\n".to_owned();
    for (kind, counts) in kinds.values() {
        table += &counts.row(kind);
    }
    let _infallible = write!(table, "{}", all.row("all"));
    assert_current_part(COUNTS, "how much is judged", &table);
}
