// SPDX-License-Identifier: Apache-2.0
//! Objects of the files of a change, and other objects that affect verdicts about them.

use std::collections::HashSet;
use std::path::PathBuf;

use super::kustomize::Kustomizations;
use super::notes::note;
use garden_gate_products::report::SkippedInput;
use garden_gate_products::review::OtherObjects;
use garden_gate_products::review::subject::{FileObjects, Subject};

/// The objects of files, and the files that were read, by absolute paths.
#[derive(Default)]
pub(crate) struct ReadObjects {
    /// Files with objects that matter.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) walked: HashSet<PathBuf>,
    /// The names of files of which some documents are templates, and the others are judged.
    pub(crate) partial: HashSet<String>,
    pub(crate) new: Vec<Subject>,
    pub(crate) others: OtherObjects,
    pub(crate) kustomizations: Kustomizations,
}

impl ReadObjects {
    /// Adds the objects of a file, and counts those that are not judged.
    pub(crate) fn add(
        &mut self,
        path: Option<PathBuf>,
        mut held: FileObjects,
        left_out: &mut SkippedInput,
    ) {
        left_out.others += held.others;
        let is_used = !held.policies.is_empty() || !held.parameters.is_empty();
        if !held.subjects.is_empty() || !held.named.is_empty() || is_used {
            self.files.extend(path);
        }
        for warning in self.others.take(&mut held) {
            note(format_args!("warning: {warning}"));
        }
        self.new.extend(held.subjects);
    }
}
