// SPDX-License-Identifier: Apache-2.0
use std::ops::Range;

use super::groups::Groups;
use super::landscape::{Landscape, json};
use super::naming::Naming;
use super::projects::{self, Numbers, Row};
use super::rules::Rules;
use super::{findings, overview, versions};
use crate::report::truncation::number_of;

/// The site of a landscape.
#[derive(Debug)]
pub struct Site<'a> {
    pub(super) landscape: &'a Landscape,
    pub(super) groups: Groups,
    pub(super) naming: Naming,
}

/// The documents of a site.
pub struct Documents<'a> {
    site: &'a Site<'a>,
    numbers: Numbers<'a>,
    rows: Vec<Row<'a>>,
    rules: Rules,
}

/// The content of a document.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Subject {
    Overview,
    Projects,
    Clusters,
    Versions,
    Findings,
    Rules,
    /// A rule with its position.
    Rule(usize),
    /// A namespace with its number.
    Project(usize),
    /// The Shoots at these positions.
    Shoots(Range<usize>),
}

/// The documents about all objects, with their names.
const WHOLE: [(&str, Subject); 6] = [
    ("overview", Subject::Overview),
    ("projects", Subject::Projects),
    ("clusters", Subject::Clusters),
    ("versions", Subject::Versions),
    ("findings", Subject::Findings),
    ("rules", Subject::Rules),
];

impl<'a> Site<'a> {
    /// Returns the site of a landscape.
    pub fn of(landscape: &'a Landscape, naming: Naming) -> Self {
        Self { landscape, groups: Groups::of(landscape), naming }
    }

    /// Returns the documents.
    pub fn documents(&'a self) -> Documents<'a> {
        let numbers = Numbers::of(self.landscape, self.naming);
        let rows = projects::rows(self.landscape, &self.groups, &numbers, self.naming);
        let rules = Rules::of(self.landscape, self.naming);
        Documents { site: self, numbers, rows, rules }
    }

    /// Formats the number of Shoots, and of those for which a person must act.
    pub fn summary(&self) -> String {
        let counts = overview::counts(self.landscape, &self.groups, 0);
        let projects = number_of(counts.projects, "Project", "Projects");
        let shoots = number_of(counts.shoots, "Shoot", "Shoots");
        format!(
            "{shoots} of {projects}: {} must act, {} not known",
            counts.must_act, counts.not_forecast
        )
    }
}

impl Documents<'_> {
    /// Returns the names of the documents about all objects.
    pub fn whole() -> impl Iterator<Item = &'static str> {
        WHOLE.into_iter().map(|(name, _)| name)
    }

    /// Returns a document other than those with Shoots as JSON in one line; `None` if there is none with this name.
    ///
    /// [`Landscape::shoot_document`] returns that of a Shoot.
    ///
    /// # Errors
    /// Fails if `serde_json` fails, which does not happen for strings.
    pub fn get(&self, name: &str) -> serde_json::Result<Option<String>> {
        let whole = WHOLE.into_iter().find(|(known, _)| *known == name).map(|(_, it)| it);
        let subject = whole
            .or_else(|| self.rules.position(name).map(Subject::Rule))
            .or_else(|| self.numbers.position(name).map(Subject::Project));
        subject.map(|it| self.json(&it)).transpose()
    }

    /// Passes all documents to `each`, with their names.
    ///
    /// # Errors
    /// Fails if `each` fails, or `serde_json`, which does not happen for strings.
    pub(super) fn each<E: From<serde_json::Error>>(
        &self,
        mut each: impl FnMut(&str, String) -> Result<(), E>,
    ) -> Result<(), E> {
        for (name, subject) in WHOLE {
            each(name, self.json(&subject)?)?;
        }
        for (position, name) in self.rules.names().enumerate() {
            each(name, self.json(&Subject::Rule(position))?)?;
        }
        for (number, namespace) in self.numbers.namespaces.iter().enumerate() {
            each(&namespace.data, self.json(&Subject::Project(number))?)?;
        }
        let at_once = self.site.naming.shoots_at_once();
        for start in (0..self.rows.len()).step_by(at_once) {
            let shoots = Subject::Shoots(start..self.rows.len().min(start + at_once));
            each(self.rows[start].data(), self.json(&shoots)?)?;
        }
        Ok(())
    }

    fn json(&self, subject: &Subject) -> serde_json::Result<String> {
        let Self { site: Site { landscape, groups, .. }, numbers, rows, rules } = self;
        match subject {
            Subject::Overview => json(&overview::document(landscape, groups)),
            Subject::Projects => json(&projects::all(landscape, rows, numbers)),
            Subject::Clusters => json(&projects::clusters(rows, numbers)),
            Subject::Versions => json(&versions::document(landscape)),
            Subject::Findings => json(&findings::document(landscape, numbers)?),
            Subject::Rules => json(&rules.document()),
            Subject::Rule(position) => json(&rules.page(*position)),
            Subject::Project(number) => json(&projects::one(landscape, rows, numbers, *number)?),
            Subject::Shoots(range) => {
                let shoots: Vec<_> =
                    landscape.shoots[range.clone()].iter().map(|it| it.document.text()).collect();
                Ok(format!("{{\"shoots\":[{}]}}", shoots.join(",")))
            }
        }
    }
}
