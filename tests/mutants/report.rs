// SPDX-License-Identifier: Apache-2.0
//! The score of a sample.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::run::{Judged, Outcome};
use crate::{Dropped, FOLDER, Mutant};

/// Prints a table of all folders, and writes the names of mutants that no test fails for.
pub(crate) fn print(mutants: &[Mutant], dropped: &Dropped, judged: &[Judged]) {
    let mut reasons = BTreeMap::<_, usize>::new();
    dropped.values().for_each(|it| *reasons.entry(it).or_default() += 1);
    println!("not in the build: {reasons:?}");
    println!(
        "| folder | listed | in the build | sampled | caught | timeout | survived | not covered | score |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for folder in
        ["crates/core/src/rules", "crates/model/src/gardener", "crates/text/src/go", "crates"]
    {
        let listed = mutants.iter().filter(|it| is_in(&it.name, folder));
        let built = listed.clone().filter(|it| !dropped.contains_key(&it.id));
        let sampled = judged.iter().filter(|it| is_in(&it.mutant, folder));
        let count = |outcome| sampled.clone().filter(|it| it.outcome == outcome).count();
        let [caught, timeout] = [Outcome::Caught, Outcome::TimedOut].map(count);
        let [survived, uncovered] = [Outcome::Survived, Outcome::NotCovered].map(count);
        let score = 100.0 * (caught + timeout) as f64 / sampled.clone().count().max(1) as f64;
        println!(
            "| `{folder}` | {} | {} | {} | {caught} | {timeout} | {survived} | {uncovered} | {score:.1} % |",
            listed.clone().count(),
            built.count(),
            sampled.clone().count(),
        );
    }
    let missed =
        judged.iter().filter(|it| matches!(it.outcome, Outcome::Survived | Outcome::NotCovered));
    let mut missed: Vec<&str> = missed.map(|it| it.mutant.as_str()).collect();
    missed.sort_unstable();
    let path = Path::new(FOLDER).join("missed.txt");
    fs::write(&path, missed.join("\n") + "\n").unwrap();
    println!("{} missed mutants are in {}", missed.len(), path.display());
}

fn is_in(name: &str, folder: &str) -> bool {
    name.strip_prefix(folder).is_some_and(|it| it.starts_with('/'))
}
