// SPDX-License-Identifier: Apache-2.0
//! Inputs of the fuzz target `differential`: requests that reach different code of garden-gate.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::{Value, json};

use crate::parity::case::Case;

/// The committed inputs, one per line; `.ci/fuzz` begins with them, too.
const COMMITTED: &str = "fuzz/corpus/differential.jsonl.gz";

/// Returns the committed inputs.
pub(crate) fn committed() -> Vec<Case> {
    let lines = BufReader::new(GzDecoder::new(File::open(COMMITTED).unwrap())).lines();
    let inputs = lines.filter_map(|line| input(line.unwrap().as_bytes()));
    inputs.collect()
}

/// Reads the inputs in a folder, ordered by name.
pub(crate) fn read(folder: &Path) -> Vec<Case> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|it| it.unwrap().path()).collect();
    paths.sort();
    let inputs = paths.iter().filter_map(|path| input(&fs::read(path).unwrap()));
    inputs.collect()
}

fn input(text: &[u8]) -> Option<Case> {
    let request: Value = serde_json::from_slice(text).ok()?;
    Some(Case::recorded(&json!({"id": "input", "request": request})))
}
