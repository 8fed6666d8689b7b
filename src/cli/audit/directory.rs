//! Audit of a garden directory.
//!
//! It reads the files a second time, in batches, so that memory does not grow with the number of objects.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::run::{AuditedObject, Run};
use crate::files::{self, Found, Ignoring};
use garden_gate_products::audit::Auditor;
use garden_gate_products::review::subject::{Subject, read};

/// Maximum size and number of files that are read as one batch.
const AT_ONCE: u64 = 8 << 20;
const FILES_AT_ONCE: usize = 1_000;

/// Audits every object of the directory and passes the results to `run`.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn each(directory: &Path, run: &mut Run<'_, '_>) -> anyhow::Result<()> {
    let found = files::below(directory, Ignoring::Within);
    // Loading the garden has already reported the other entries.
    let mut paths = found
        .filter_map(|found| match found {
            Found::File(path) => Some(path),
            Found::Loop(_) | Found::Outside(_) | Found::Closed(_) => None,
        })
        .peekable();
    while paths.peek().is_some() {
        let some = some(&mut paths);
        let auditor = run.auditor;
        let stood = some.into_par_iter().map(|path| of_file(&path, auditor));
        let stood: Vec<Vec<AuditedObject>> = stood.collect();
        run.add(stood.into_iter().flatten())?;
    }
    Ok(())
}

fn some(paths: &mut impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let (mut some, mut bytes) = (Vec::new(), 0);
    for path in paths {
        bytes += path.metadata().map_or(0, |metadata| metadata.len());
        some.push(path);
        if bytes > AT_ONCE || some.len() == FILES_AT_ONCE {
            break;
        }
    }
    some
}

/// Audits the objects of a file.
///
/// Returns nothing for a file without manifests, which loading the garden has reported.
fn of_file(path: &Path, auditor: &Auditor<'_>) -> Vec<AuditedObject> {
    let text = files::read(path).ok();
    let text = text.and_then(|bytes| files::text(path, bytes).ok());
    let Some(text) = text else {
        return Vec::new();
    };
    let held = read(&path.display().to_string(), text, false);
    let subjects = held.subjects.into_par_iter();
    subjects.filter_map(|it| stood(&it, auditor)).collect()
}

fn stood(subject: &Subject, auditor: &Auditor<'_>) -> Option<AuditedObject> {
    let (key, reviewed) = subject.audit(auditor)?;
    if key.kind.is_of_shoot_cluster() {
        return None;
    }
    Some(AuditedObject { key, reviewed })
}
