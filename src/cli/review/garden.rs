// SPDX-License-Identifier: Apache-2.0
//! Garden directories, with messages about files that could not be read.

use std::io::stderr;
use std::path::Path;

use crate::garden::directory::{DirectoryError, Listed, LoadedGarden, Reading, load_with};
use crate::review::notes::note;
use garden_gate_core::config::Config;
use garden_gate_core::garden::Snapshot;
use garden_gate_core::policies::missing_policies;
use garden_gate_products::report::Lines;
use garden_gate_text::escape;

/// Loads a garden directory, and prints on standard error which files could not be read, and which were skipped.
///
/// # Errors
/// Fails if the directory cannot be read.
pub(crate) fn load_garden(
    directory: &Path,
    reading: Reading,
) -> Result<LoadedGarden, DirectoryError> {
    let loaded = load_with(directory, reading)?;
    report_loaded(directory, &loaded);
    Ok(loaded)
}

/// Prints a note on policies that are missing in a garden, so that bindings or a setting have no effect.
///
/// `name` is the directory; empty if there is only one garden.
pub(crate) fn note_missing_policies(name: &str, garden: &Snapshot, config: &Config) {
    for why in missing_policies(garden, config.mutating_admission_policies) {
        match name {
            "" => note(format_args!("note: {why}")),
            name => note(format_args!("note: `{name}`: {why}")),
        }
    }
}

fn report_loaded(directory: &Path, garden: &LoadedGarden) {
    let directory = directory.display().to_string();
    if !garden.problems.is_empty() {
        let problems = Listed(&garden.problems);
        let directory = escape::value(&directory);
        // It affects no verdict, so an error is ignored.
        let _ = Lines::plain(&mut stderr()).block(&format!(
            "warning: the garden directory `{directory}` has {problems}\n  objects there are unknown, not absent\n"
        ));
    }
    let kinds = garden.skipped.iter();
    let mut skipped: Vec<String> = kinds.map(|(kind, count)| format!("{count} {kind}")).collect();
    if garden.others > 0 {
        skipped.push(format!("{} without a kind", garden.others));
    }
    if let Some(first) = garden.no_manifests.first() {
        let count = garden.no_manifests.len();
        skipped.push(format!("{count} that are not valid YAML (first {first})"));
    }
    if !skipped.is_empty() {
        note(format_args!(
            "note: left out of the garden `{directory}`, since no rule uses them: {}",
            skipped.join(", ")
        ));
    }
}
