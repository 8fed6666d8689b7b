// SPDX-License-Identifier: Apache-2.0
//! Records the mutants that each test reaches, and runs the tests that reach a mutant.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::process::{self, End};
use crate::{Mutant, read, write};

/// Tests that take longer alone are left out.
const LONGEST_TEST: Duration = Duration::from_secs(60);
/// The tests of a mutant run in groups that take about this time, so that most mutants need the first group only.
const GROUPS: [Duration; 3] =
    [Duration::from_millis(300), Duration::from_secs(2), Duration::from_secs(90)];
/// Modules of tests that measure, run other programs, or compare large outputs.
const LEFT_OUT: &str = "allocations editors enormous escapes filled_in fuzz growth installed limits lsp may_be_mutated mcp page pipelines simulation sweep work";

/// A test that reaches mutants.
#[derive(Deserialize, Serialize)]
struct Test {
    binary: PathBuf,
    name: String,
    time: Duration,
    reached: BTreeSet<usize>,
}

/// The tests of a build, the fastest first.
#[derive(Deserialize, Serialize)]
struct Recorded {
    build: String,
    tests: Vec<Test>,
}

#[derive(Clone, Copy, Eq, PartialEq, Serialize)]
pub(crate) enum Outcome {
    Caught,
    TimedOut,
    Survived,
    NotCovered,
}

/// The outcome of a mutant.
#[derive(Serialize)]
pub(crate) struct Judged {
    pub(crate) mutant: String,
    pub(crate) outcome: Outcome,
    /// The test that failed.
    test: String,
    seconds: f64,
}

/// Runs the tests of mutants, given the messages of cargo about the test binaries, and writes each outcome to a file.
pub(crate) fn judge(mutants: &[&Mutant], results: &File) -> Vec<Judged> {
    let tests = recorded(&binaries());
    println!("{} mutants, {} tests", mutants.len(), tests.len());
    let judge = |mutant: &&Mutant| {
        let started = Instant::now();
        let (outcome, test) = outcome(mutant, &tests);
        let judged = Judged {
            mutant: mutant.name.clone(),
            outcome,
            test,
            seconds: started.elapsed().as_secs_f64(),
        };
        let line = serde_json::to_string(&judged).unwrap() + "\n";
        let mut results = results;
        results.write_all(line.as_bytes()).unwrap();
        judged
    };
    mutants.par_iter().map(judge).collect()
}

/// Returns the test binaries in messages of cargo.
fn binaries() -> Vec<PathBuf> {
    let messages = io::stdin()
        .lines()
        .map(Result::unwrap)
        .map(|it| serde_json::from_str::<Value>(&it).unwrap());
    let tests = messages.filter(|it| it["profile"]["test"] == true);
    let binaries = tests.filter_map(|it| it["executable"].as_str().map(PathBuf::from));
    binaries.collect()
}

/// Returns the tests with the mutants that they reach, recorded once for each build.
fn recorded(binaries: &[PathBuf]) -> Vec<Test> {
    let modified = |it: &PathBuf| fs::metadata(it).unwrap().modified().unwrap();
    let build = format!("{:?}", binaries.iter().map(modified).collect::<Vec<_>>());
    let recorded = read::<Recorded>("recorded.json");
    if let Some(recorded) = recorded.filter(|it| it.build == build) {
        return recorded.tests;
    }
    let in_binary = |it: &PathBuf| {
        let tests = process::tests(it).into_iter();
        tests.map(|test| (it.clone(), test)).collect::<Vec<_>>()
    };
    let mut tests: Vec<_> = binaries.iter().flat_map(in_binary).collect();
    let modules: Vec<&str> = LEFT_OUT.split(' ').collect();
    tests.retain(|(_, name)| !modules.contains(&name.split("::").next().unwrap()));
    let record = |(binary, name): &(PathBuf, String)| record(binary, name);
    let mut tests: Vec<Test> = tests.par_iter().filter_map(record).collect();
    tests.sort_by_key(|it| it.time);
    let recorded = Recorded { build, tests };
    write("recorded.json", &recorded);
    recorded.tests
}

/// Runs one test; `None` if it reaches no mutant, fails, or takes too long.
fn record(binary: &Path, name: &str) -> Option<Test> {
    let file = tempfile::NamedTempFile::new().unwrap();
    let started = Instant::now();
    let variable = ("MUTANTS_REACHED", file.path().to_str().unwrap());
    match process::run(binary, &[name], variable, LONGEST_TEST) {
        End::Passed => {}
        _ => {
            println!("left out, since it fails or is slow: {name}");
            return None;
        }
    }
    let text = fs::read_to_string(file.path()).unwrap();
    let reached = text.lines().map(|it| it.parse().unwrap());
    let test = Test {
        binary: binary.to_owned(),
        name: name.to_owned(),
        time: started.elapsed(),
        reached: reached.collect(),
    };
    (!test.reached.is_empty()).then_some(test)
}

/// Runs the tests that reach a mutant, the fastest first, until one fails, and returns its name.
fn outcome(mutant: &Mutant, tests: &[Test]) -> (Outcome, String) {
    let mut reaching = tests.iter().filter(|it| it.reached.contains(&mutant.id)).peekable();
    if reaching.peek().is_none() {
        return (Outcome::NotCovered, String::new());
    }
    let mut total = Duration::ZERO;
    for group in GROUPS {
        let mut binaries = BTreeMap::<_, Vec<&Test>>::new();
        while let Some(test) = reaching.next_if(|it| total.is_zero() || total + it.time <= group) {
            total += test.time;
            binaries.entry(&test.binary).or_default().push(test);
        }
        for (binary, tests) in binaries {
            let names: Vec<&str> = tests.iter().map(|it| it.name.as_str()).collect();
            let usual: Duration = tests.iter().map(|it| it.time).sum();
            let limit = usual * 10 + Duration::from_secs(2);
            let id = mutant.id.to_string();
            match process::run(binary, &names, ("MUTANT", &id), limit) {
                End::Passed => {}
                End::Failed(test) => return (Outcome::Caught, test),
                End::TimedOut => return (Outcome::TimedOut, names.join(" ")),
            }
        }
    }
    (Outcome::Survived, String::new())
}
