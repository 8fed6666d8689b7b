// SPDX-License-Identifier: Apache-2.0
//! What the files around a manifest say about it: kustomizations, and Helm charts.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use super::kustomize::Kustomizations;
use super::repository::{absolute, shown};
use super::versions::STANDARD_INPUT;
use garden_gate_products::report::Placeholder;
use garden_gate_products::review::{Subject, Surroundings};

/// The files around manifests.
pub(crate) struct Files<'a> {
    kustomizations: Option<&'a Kustomizations>,
    /// The last file, with its absolute path: many objects may share a file.
    place: RefCell<(String, PathBuf)>,
}

impl<'a> Files<'a> {
    /// Returns the files with these kustomizations around.
    pub(crate) fn new(kustomizations: Option<&'a Kustomizations>) -> Self {
        Self { kustomizations, place: RefCell::default() }
    }

    /// Calls `look` with the kustomizations and the absolute path of a file.
    fn look<T>(
        &self,
        file: &str,
        look: impl FnOnce(&'a Kustomizations, &Path) -> Option<T>,
    ) -> Option<T> {
        let kustomizations = self.kustomizations?;
        let mut known = self.place.borrow_mut();
        if known.0 != file {
            let path = Path::new(file);
            *known = (file.to_owned(), absolute(path).unwrap_or_else(|_| path.to_owned()));
        }
        look(kustomizations, &known.1)
    }
}

impl Surroundings for Files<'_> {
    fn why_template(&self, file: &str, placeholder: Placeholder) -> String {
        why_template(file, placeholder)
    }

    fn why_left(&self, subject: &Subject) -> Option<String> {
        self.look(&subject.file, |it, place| it.why_left(subject, place))
    }

    fn namespace(&self, file: &str) -> Option<String> {
        // Standard input may be the output of kustomize.
        if file == STANDARD_INPUT {
            return None;
        }
        self.look(file, |it, place| it.namespace(place).map(str::to_owned))
    }

    fn why_unnamed(&self, file: &str) -> Option<String> {
        if file == STANDARD_INPUT {
            return None;
        }
        self.look(file, |it, place| it.why_unnamed(place))
    }
}

/// Returns why a file with placeholders is not judged.
pub(crate) fn why_template(file: &str, placeholder: Placeholder) -> String {
    let chart = match placeholder {
        Placeholder::Template => chart(file),
        Placeholder::Variable => None,
    };
    placeholder.why(chart.as_deref())
}

/// Returns the folder of the Helm chart that a file belongs to.
fn chart(file: &str) -> Option<String> {
    let place = absolute(Path::new(file)).ok()?;
    let mut folders = place.ancestors().skip(1);
    let folder = folders.find(|it| it.join("Chart.yaml").is_file())?;
    Some(shown(folder))
}
