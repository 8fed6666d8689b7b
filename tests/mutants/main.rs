// SPDX-License-Identifier: Apache-2.0
//! Mutation testing with one build: the library is rewritten so that `MUTANT=ID` chooses a mutant at run time.
//!
//! `.ci/mutants` runs the steps, and `docs/development/mutation-testing.md` describes them. All files are in `target/mutants`:
//!
//! - `list.json`: the mutants, as listed by cargo-mutants
//! - `tree/`: a copy of the repository, with rewritten crates
//! - `dropped.json`: mutants that are not in the build, with the reason
//! - `recorded.json`: the tests, with the mutants that each reaches
//! - `results.json`: the outcome of each mutant; `missed.txt`: those that no test fails for
#![expect(clippy::disallowed_methods, reason = "tests use files, clocks and processes")]

mod process;
#[path = "../support/random.rs"]
#[expect(dead_code, reason = "shared with tests")]
mod random;
mod report;
mod rewrite;
mod run;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::{env, fs, io};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use random::Random;

/// A mutant; its id is its position in the list of cargo-mutants.
#[derive(Deserialize)]
struct Mutant {
    #[serde(skip)]
    id: usize,
    name: String,
    file: String,
    genre: String,
    replacement: String,
    span: Span,
}

#[derive(Deserialize)]
struct Span {
    start: Position,
    end: Position,
}

/// A position in a file; lines and columns begin with 1.
#[derive(Deserialize)]
struct Position {
    line: usize,
    column: usize,
}

/// The reasons why mutants are not in the build.
type Dropped = BTreeMap<usize, String>;

const FOLDER: &str = "target/mutants";
const TREE: &str = "target/mutants/tree";
/// The crates with mutants.
const CRATES: [&str; 3] = ["crates/core", "crates/model", "crates/text"];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["rewrite"] => rewrite(),
        ["drop"] => drop_mutants(),
        ["judge", selection, seed] => judge(selection, seed.parse().unwrap()),
        _ => panic!("usage: mutants rewrite|drop|judge COUNT SEED; see .ci/mutants"),
    }
}

fn read<T: DeserializeOwned>(name: &str) -> Option<T> {
    let file = fs::read(Path::new(FOLDER).join(name)).ok()?;
    Some(serde_json::from_slice(&file).unwrap())
}

fn write<T: Serialize>(name: &str, value: &T) {
    let text = serde_json::to_vec(value).unwrap();
    fs::write(Path::new(FOLDER).join(name), text).unwrap();
}

fn mutants() -> Vec<Mutant> {
    let mut mutants: Vec<Mutant> = read("list.json").unwrap();
    let all = mutants.iter_mut().enumerate();
    all.for_each(|(id, it)| it.id = id);
    mutants
}

/// Writes the rewritten files of the copy.
fn rewrite() {
    let mutants = mutants();
    let mut dropped: Dropped = read("dropped.json").unwrap_or_default();
    let mut files = BTreeMap::<_, Vec<_>>::new();
    for mutant in &mutants {
        files.entry(&mutant.file).or_default().push(mutant);
    }
    for (file, mut mutants) in files {
        mutants.retain(|it| !dropped.contains_key(&it.id));
        let text = fs::read_to_string(file).unwrap();
        let (text, rewritten) = rewrite::rewrite(&text, &mutants);
        mutants.retain(|it| !rewritten.contains(&it.id));
        let skipped = mutants.iter();
        dropped.extend(skipped.map(|it| (it.id, "not expressible".to_owned())));
        replace(file, &text);
    }
    for folder in CRATES.map(|it| format!("{it}/src")) {
        let library = format!("{folder}/lib.rs");
        replace(&library, &(fs::read_to_string(&library).unwrap() + "\nmod mutants;\n"));
        replace(&format!("{folder}/mutants.rs"), include_str!("switch.rs"));
    }
    println!("{} mutants, {} in the build", mutants.len(), mutants.len() - dropped.len());
    write("dropped.json", &dropped);
}

/// Writes a file of the copy if it differs.
fn replace(file: &str, text: &str) {
    let path = Path::new(TREE).join(file);
    if fs::read_to_string(&path).is_ok_and(|it| it == text) {
        return;
    }
    fs::write(path, text).unwrap();
}

/// Drops mutants that do not compile, given the messages of cargo.
fn drop_mutants() {
    let mut dropped: Dropped = read("dropped.json").unwrap_or_default();
    let before = dropped.len();
    for line in io::stdin().lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let message = &message["message"];
        if message["level"] != "error" {
            continue;
        }
        let spans = message["spans"].as_array().unwrap();
        let (primary, others): (Vec<_>, Vec<_>) =
            spans.iter().partition(|it| it["is_primary"] == true);
        let mut spans = primary.into_iter().chain(others).map(mutants_in);
        let mutants = spans.find(|it| !it.is_empty()).unwrap_or_default();
        if mutants.is_empty() && !message["code"].is_null() {
            println!("{}", message["rendered"].as_str().unwrap());
        }
        dropped.extend(mutants.into_iter().map(|id| (id, "unviable".to_owned())));
    }
    assert!(dropped.len() > before, "the errors are not in mutants");
    println!("{} mutants do not compile", dropped.len() - before);
    write("dropped.json", &dropped);
}

/// Returns the innermost mutants that contain the span of an error.
fn mutants_in(span: &Value) -> Vec<usize> {
    let file = Path::new(TREE).join(span["file_name"].as_str().unwrap());
    let offset = span["byte_start"].as_u64().unwrap();
    let text = fs::read_to_string(file).unwrap_or_default();
    rewrite::mutants_at(&text, usize::try_from(offset).unwrap())
}

/// Judges a number of random mutants, or those that the last run missed.
fn judge(selection: &str, seed: u64) {
    let dropped: Dropped = read("dropped.json").unwrap();
    let mutants = mutants();
    let built = mutants.iter().filter(|it| !dropped.contains_key(&it.id));
    let mut rest: Vec<&Mutant> = built.collect();
    let chosen = if selection == "missed" {
        let missed = fs::read_to_string(Path::new(FOLDER).join("missed.txt")).unwrap();
        let missed: BTreeSet<&str> = missed.lines().collect();
        rest.retain(|it| missed.contains(it.name.as_str()));
        rest
    } else {
        let mut random = Random::of_case(seed);
        let count = rest.len().min(selection.parse().unwrap());
        let pick = |_| rest.swap_remove(random.below(rest.len()));
        (0..count).map(pick).collect()
    };
    let results = File::create(Path::new(FOLDER).join("results.json")).unwrap();
    let judged = run::judge(&chosen, &results);
    report::print(&mutants, &dropped, &judged);
}
