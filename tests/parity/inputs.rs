//! Inputs of the fuzz target `differential`: requests that reach different code of garden-gate.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::parity::case::Case;

/// Reads the inputs in a folder, ordered by name.
pub(crate) fn read(folder: &Path) -> Vec<Case> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|it| it.unwrap().path()).collect();
    paths.sort();
    let inputs = paths.iter().filter_map(|path| {
        let request: Value = serde_json::from_slice(&fs::read(path).unwrap()).ok()?;
        Some(Case::recorded(&json!({"id": "input", "request": request})))
    });
    let inputs: Vec<Case> = inputs.collect();
    assert!(!inputs.is_empty(), "{} holds no inputs", folder.display());
    inputs
}
