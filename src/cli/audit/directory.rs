// SPDX-License-Identifier: Apache-2.0
//! Audit of a garden directory.
//!
//! It reads the files a second time, in batches, so that memory does not grow with the number of objects.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::stored_object::StoredObject;
use crate::files::{self, Found, Ignoring};
use garden_gate_products::audit::Auditor;
use garden_gate_products::review::subject::read;

/// Maximum size and number of files that are read as one batch.
const AT_ONCE: u64 = 8 << 20;
const FILES_AT_ONCE: usize = 1_000;

/// Audits every object of the directory, and passes the results of `of_object` to `add`.
///
/// # Errors
/// Fails if `add` fails.
pub(super) fn each<T: Send>(
    directory: &Path,
    auditor: &Auditor<'_>,
    of_object: impl Fn(StoredObject<'_>) -> T + Sync,
    mut add: impl FnMut(Vec<T>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
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
        let audited: Vec<Vec<T>> =
            some.into_par_iter().map(|path| of_file(&path, auditor, &of_object)).collect();
        add(audited.into_iter().flatten().collect())?;
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
fn of_file<T: Send>(
    path: &Path,
    auditor: &Auditor<'_>,
    of_object: impl Fn(StoredObject<'_>) -> T + Sync,
) -> Vec<T> {
    let text = files::read(path).ok().and_then(|bytes| files::text(path, bytes).ok());
    let Some(text) = text else {
        return Vec::new();
    };
    let held = read(&path.display().to_string(), text, false);
    let audited = held.subjects.par_iter().filter_map(|subject| {
        let (key, reviewed) = subject.audit(auditor)?;
        let stored = subject.new_state()?;
        let is_audited = key.kind.is_audited();
        is_audited.then(|| of_object(StoredObject { key, stored, reviewed }))
    });
    audited.collect()
}
