//! A sweep over all cases of the matrices with every rule enabled.
//!
//! A matrix checks denials, and some enable only the rules under test; this sweep shows rules that misfire in such a case.
//! `also.txt` has a line with the ids for each test with additional findings; `UPDATE_ALSO=1` writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::process::Command;
use std::thread;

use garden_gate::admission::{Review, Rule};
use garden_gate::config::{Config, Level};

/// The file with additional findings of each test.
const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/core/also.txt");
/// Environment variable for the file in which cases record additional findings during the sweep.
const NOTES: &str = "GARDEN_GATE_ALSO";
const HEAD: &str = "\
# Findings in addition to those that a test is about, with every rule enabled; `UPDATE_ALSO=1 cargo test --test core sweep` writes this.
# A case is small and incomplete: check that new findings are correct for the case.
";

/// Records additional findings of a review during the sweep.
pub(crate) fn note(review: &Review, with_every_rule: impl FnOnce() -> Review) {
    let Some(notes) = env::var_os(NOTES) else {
        return;
    };
    let refusals = review.findings.iter().filter(|it| it.level == Level::Deny);
    let known: BTreeSet<&str> = refusals.map(|it| it.finding).collect();
    let all = with_every_rule();
    let unsure = all.undetermined.iter().map(|it| it.rule);
    let found = all.findings.iter().map(|it| it.finding);
    let thread = thread::current();
    let test = thread.name().unwrap();
    let lines = found
        .filter(|id| !known.contains(id))
        .map(|id| format!("{test} {id}\n"))
        .chain(unsure.map(|rule| format!("{test} {rule}?\n")));
    let mut notes = OpenOptions::new().append(true).open(notes).unwrap();
    notes
        .write_all(lines.collect::<String>().as_bytes())
        .unwrap();
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

/// Runs the matrices of this test binary and returns their records.
fn noted() -> BTreeMap<String, BTreeSet<String>> {
    let notes = tempfile::NamedTempFile::new().unwrap();
    // With one thread, tests have no names.
    let output = Command::new(env::current_exe().unwrap())
        .args(["matrix_", "profiles_documented", "--test-threads", "2"])
        .env(NOTES, notes.path())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "the matrices fail by themselves:\n{printed}"
    );
    let mut tests = BTreeMap::<String, BTreeSet<String>>::new();
    for line in fs::read_to_string(notes.path()).unwrap().lines() {
        let (test, id) = line.split_once(' ').unwrap();
        tests
            .entry(test.to_owned())
            .or_default()
            .insert(id.to_owned());
    }
    tests
}

#[test]
fn additional_findings_are_as_recorded() {
    let noted = noted().into_iter().map(|(test, ids)| {
        let ids: Vec<String> = ids.into_iter().collect();
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
