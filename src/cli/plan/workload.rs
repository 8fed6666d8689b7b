// SPDX-License-Identifier: Apache-2.0
//! Reads the manifests of workload.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::files::{explain, is_passed_descriptor};
use crate::review::input::{self, Unread};
use garden_gate_core::workload::Workload;
use garden_gate_text::yaml;

/// Reads the objects in files and directories.
///
/// Files that cannot be read or parsed are part of the snapshot, so that the checks are undetermined.
///
/// # Errors
/// Fails if a path does not exist.
pub(super) fn read(paths: &[PathBuf]) -> anyhow::Result<Workload> {
    for path in paths {
        let is_stream = path == Path::new("-") || is_passed_descriptor(path);
        if !is_stream && let Err(error) = fs::metadata(path) {
            bail!("{}: {}", path.display(), explain(&error));
        }
    }
    let mut workload = Workload::default();
    for input in input::read(paths, &[]) {
        match input.text {
            Ok(text) => add(&mut workload, &input.name, &text, input.is_quiet),
            Err(Unread::NoText(..)) if !input.is_named => {}
            Err(unread) => workload.add_unread(input.name, unread.why()),
        }
    }
    Ok(workload)
}

fn add(workload: &mut Workload, name: &str, text: &str, is_quiet: bool) {
    let documents = match yaml::parse(text) {
        Ok(documents) => documents,
        Err(_) if is_quiet => return,
        Err(error) => {
            let line = error.position.line;
            return workload.add_unread(format!("{name}:{line}"), error.message);
        }
    };
    for document in documents.iter().filter(|it| it.is_mapping()) {
        match serde_json::to_string(document) {
            Ok(json) => workload.add(name, &json),
            Err(error) => workload.add_unread(name, error.to_string()),
        }
    }
}
