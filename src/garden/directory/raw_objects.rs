// SPDX-License-Identifier: Apache-2.0
//! Objects of any kind in a garden directory, as in its files.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;

use super::{RawObjects, stored_objects};
use crate::files;
use garden_gate_core::garden::{RawObject, texts};
use garden_gate_model::api::ParamKind;

/// Number of files that are read as one batch.
const AT_ONCE: usize = 256;

/// Returns the objects of some kinds, in any version, in the files of a directory.
///
/// Only files that contain the name of a kind are parsed.
pub fn raw_objects(directory: &Path, kinds: &BTreeSet<ParamKind>) -> RawObjects {
    let mut found = RawObjects::default();
    if kinds.is_empty() {
        return found;
    }
    let mut paths = stored_objects::files(directory).peekable();
    while paths.peek().is_some() {
        let some: Vec<_> = paths.by_ref().take(AT_ONCE).collect();
        let read: Vec<Result<Vec<RawObject>, String>> =
            some.into_par_iter().map(|path| of_file(&path, kinds)).collect();
        for it in read {
            found.add(it);
        }
        if found.is_full(&directory.display().to_string()) {
            break;
        }
    }
    found
}

fn of_file(path: &Path, kinds: &BTreeSet<ParamKind>) -> Result<Vec<RawObject>, String> {
    // Loading the garden has reported what cannot be read.
    let unread = |why: &str| format!("`{}` cannot be read: {why}", path.display());
    let bytes = files::read(path).map_err(|problem| unread(&problem.message))?;
    let Ok(text) = files::text(path, bytes) else {
        return Ok(Vec::new());
    };
    texts::raw_objects(&text, kinds).map_err(|error| unread(&error.message))
}
