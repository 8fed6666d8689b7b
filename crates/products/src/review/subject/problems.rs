// SPDX-License-Identifier: Apache-2.0
//! Problems of an object that depend on the other manifests of a directory for `gardenadm`.

use std::sync::Arc;

use super::directory_problem::{DirectoryProblem, RefusedDocument};
use super::{Identity, Subject};
use crate::review::credentials;
use crate::review::file_documents::FileDocument;
use garden_gate_core::admission::Finding;
use garden_gate_core::config::Config;
use garden_gate_core::rules::gardenadm::DIRECTORY;
use garden_gate_text::yaml::Position;

impl Subject {
    /// Returns a document that is refused for a problem, whatever its content is.
    pub(in crate::review) fn refused(
        file: &Arc<str>,
        document: RefusedDocument<'_>,
        problem: DirectoryProblem,
    ) -> Self {
        let RefusedDocument { text, number, identity } = document;
        text.hide(credentials::lines(text.as_str()));
        let [kind, namespace, name] = identity.map(str::to_owned);
        Self {
            number,
            identity: Identity { kind, namespace, name },
            written: FileDocument::unreadable(Arc::new(text)),
            problems: vec![problem],
            ..Self::of(Arc::clone(file), Err((String::new(), Position::START)))
        }
    }

    /// Adds a problem.
    pub(in crate::review) fn add_problem(&mut self, problem: DirectoryProblem) {
        self.problems.push(problem);
    }

    /// Reports whether there are problems, of which findings are reported even if the object cannot be parsed.
    pub(in crate::review) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// Returns the findings about the problems.
    pub(super) fn problem_findings(&self, config: &Config) -> Vec<Finding> {
        if self.problems.is_empty() {
            return Vec::new();
        }
        DIRECTORY.find(config, |findings| {
            for it in &self.problems {
                findings
                    .report(it.kind, it.error, it.field.clone(), it.message.as_str())
                    .help(it.help.as_str());
            }
        })
    }
}
