// SPDX-License-Identifier: Apache-2.0
//! Replays the stored inputs of the fuzz targets.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use rstest::rstest;

use crate::fuzz::properties::TARGETS;

/// Returns the files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[rstest]
fn kept_input_satisfies_its_property(
    #[values("corpus", "regressions")] kind: &str,
    #[values(
        "config",
        "constraint",
        "expression",
        "json",
        "manifest",
        "review",
        "scalars",
        "yaml"
    )]
    target: &str,
) {
    let (_, check) = TARGETS.iter().find(|(name, _)| *name == target).unwrap();
    let files = files(&Path::new("fuzz").join(kind).join(target));
    assert!(!files.is_empty());
    let fails = |file: &&PathBuf| catch_unwind(|| check(&fs::read(file).unwrap())).is_err();
    let failed: Vec<_> = files.iter().filter(fails).collect();
    assert!(failed.is_empty(), "{failed:?}");
}
