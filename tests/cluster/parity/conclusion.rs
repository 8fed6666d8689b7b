// SPDX-License-Identifier: Apache-2.0
//! The conclusion of a run: its counts, and the differences that are not as known.

use std::fs;
use std::path::Path;

use crate::parity::known::Retrieval;
use crate::parity::run::Outcome;
use crate::parity::{say, show};

/// Number of requests after which a known difference that does not occur is obsolete.
const ENOUGH: u64 = 10_000;

/// Maximum number of differences that are printed completely.
const SHOWN: usize = 25;

/// Prints the counts and differences of a run with a name; returns unknown differences, and known ones
/// that are obsolete.
pub(crate) fn conclude(
    outcome: &Outcome,
    known: &[Retrieval],
    (cases, name): (u64, &str),
) -> Vec<String> {
    say(&show::counts(outcome));
    say(&format!(
        "{} requests were no question to admission: a name that is taken, or the like",
        outcome.left_out
    ));
    for (cause, times) in &outcome.panics {
        say(&format!("{times:6}  panics of Gardener, not compared: {cause}"));
    }
    say(&format!(
        "refused there, allowed here, and announced by `review` as not judged:\n{}",
        show::announced(&outcome.differences)
    ));
    let mut times = vec![0; known.len()];
    let mut unknown = Vec::new();
    let differences = outcome.differences.iter();
    for (difference, shown) in differences.filter(|(it, _)| it.announced.is_none()) {
        match known.iter().position(|it| it.is(difference)) {
            Some(index) => times[index] += shown.times,
            None => unknown.push((difference, shown)),
        }
    }
    for (known, times) in known.iter().zip(&times) {
        say(&format!("{times:6}  known: {}", known.title()));
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parity").join(name);
    // Files of an earlier run must not be mistaken for those of this one.
    let _is_missing = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (index, (difference, shown)) in unknown.iter().enumerate() {
        let whole = show::difference(difference, shown);
        let path = show::write(&folder, index, &shown.asked.case, &whole);
        if index < SHOWN {
            say(&format!("\n{whole}# {}", path.display()));
        } else {
            say(&format!("{difference} ({}×)  # {}", shown.times, path.display()));
        }
    }
    let mut problems = Vec::new();
    if !unknown.is_empty() {
        let number = unknown.len();
        problems.push(format!("{name}: {number} kinds of difference are not known"));
    }
    for (known, times) in known.iter().zip(&times) {
        if *times == 0 && !known.rare && cases >= ENOUGH {
            let title = known.title();
            problems.push(format!("{name}: known, and did not occur: {title}"));
        }
    }
    problems
}
