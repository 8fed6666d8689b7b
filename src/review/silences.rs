// SPDX-License-Identifier: Apache-2.0
//! Annotations that silence the warnings of a review, written into the manifests.

use std::path::PathBuf;

use super::notes::note;
use super::versions::{STANDARD_INPUT, rewrite, why_kept};
use garden_gate_products::review::silences::{SilencedFile, Silences};

/// Writes the annotations into the files at or below `paths`, and prints a note for each file.
///
/// # Errors
/// Fails if a file cannot be written, or has changed since it was read.
pub(crate) fn write(silences: Silences, reason: &str, paths: &[PathBuf]) -> anyhow::Result<()> {
    for SilencedFile { name, before, after, count, left } in silences.edited(reason) {
        let why = match name.as_str() {
            STANDARD_INPUT => Some("it is standard input".to_owned()),
            _ => why_kept(&name, paths),
        };
        match (why, after) {
            (Some(why), _) => note(format_args!("note: `{name}` is not changed: {why}")),
            (None, None) => note(format_args!(
                "note: `{name}` is not changed: its annotations cannot be added safely; add them by hand"
            )),
            (None, Some(_)) if count == 0 => {}
            (None, Some(after)) => {
                rewrite(&name, &before, &after)?;
                let silences = match count {
                    1 => "1 silence was".to_owned(),
                    count => format!("{count} silences were"),
                };
                note(format_args!("note: {silences} written into `{name}`"));
            }
        }
        if !left.is_empty() {
            note(format_args!("note: warnings in `{name}` are not silenced: {}", left.join(", ")));
        }
    }
    Ok(())
}
