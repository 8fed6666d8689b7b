// SPDX-License-Identifier: Apache-2.0
//! A sweep over all cases of the matrices with every rule enabled.
//!
//! A matrix checks denials, and some enable only the rules under test; this sweep shows rules that misfire in such a case.
//! `also.txt` has a line with the ids for each test with additional findings; `UPDATE_ALSO=1` writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;

use garden_gate_core::admission::{Review, Rule};
use garden_gate_core::config::{Config, Level};

use crate::notes;

/// The file with additional findings of each test.
const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/core/also.txt");
/// The subject of notes about additional findings.
const SUBJECT: &str = "additional finding";
const HEAD: &str = "\
# Findings in addition to those that a test is about, with every rule enabled; `UPDATE_ALSO=1 cargo test --test core sweep` writes this.
# A case is small and incomplete: check that new findings are correct for the case.
";

/// Notes the additional findings of a review during the sweep.
pub(crate) fn note(review: &Review, with_every_rule: impl FnOnce() -> Review) {
    if !notes::are_taken() {
        return;
    }
    let refusals = review.findings.iter().filter(|it| it.level == Level::Deny);
    let known: BTreeSet<&str> = refusals.map(|it| it.finding).collect();
    let all = with_every_rule();
    let unsure = all.undetermined.iter().map(|it| format!("{}?", it.rule));
    let found = all
        .findings
        .iter()
        .map(|it| it.finding)
        .filter(|id| !known.contains(id))
        .map(str::to_owned);
    let ids: Vec<String> = found.chain(unsure).collect();
    notes::take(SUBJECT, &ids);
}

/// Returns the configuration with every rule enabled, except those that are off in the default profile.
///
/// Nearly every Shoot of a matrix violates the rules of profile `hardened`.
pub(crate) fn everything_on(config: &Config, rules: &[&Rule]) -> Config {
    let mut config = config.clone();
    config.levels.retain(|_, level| *level != Level::Off);
    for rule in rules.iter().filter(|it| it.levels.documented != Level::Off) {
        for finding in rule.findings {
            if config.level(rule.id, finding.id, rule.levels) == Level::Off {
                config.levels.insert(finding.id.to_owned(), Level::Warn);
            }
        }
    }
    config
}

/// Returns the additional findings of each test.
fn noted() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut tests = BTreeMap::<_, BTreeSet<_>>::new();
    for (test, id) in notes::about(SUBJECT).filter(|it| !it.0.starts_with("hints::")) {
        tests.entry(test).or_default().insert(id);
    }
    tests
}

#[test]
fn additional_findings_are_as_recorded() {
    let noted = noted().into_iter().map(|(test, ids)| {
        let ids: Vec<&str> = ids.into_iter().collect();
        format!("{test}: {}\n", ids.join(", "))
    });
    let now = HEAD.to_owned() + &noted.collect::<String>();
    if env::var_os("UPDATE_ALSO").is_some() {
        fs::write(LIST, now).unwrap();
        return;
    }
    let before = fs::read_to_string(LIST).unwrap_or_default();
    let [old, new] = [&before, &now].map(|it| it.lines().collect::<BTreeSet<&str>>());
    let lines = |sign: char, lines: BTreeSet<&str>| -> String {
        lines.iter().map(|it| format!("{sign} {it}\n")).collect()
    };
    assert!(
        before == now,
        "additional findings differ; if they are intended, `UPDATE_ALSO=1 cargo test --test core sweep` records them\n{}{}",
        lines('-', &old - &new),
        lines('+', &new - &old)
    );
}
