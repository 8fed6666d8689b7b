use super::groups::Groups;
use super::landscape::{Landscape, json};
use super::projects::{self, Numbers, Row, SHOOTS_AT_ONCE};
use super::rules::Rules;
use super::{findings, overview, versions};
use crate::report::truncation::number_of;

/// The site of a landscape.
#[derive(Debug)]
pub struct Site<'a> {
    pub(super) landscape: &'a Landscape,
    pub(super) groups: Groups,
}

impl<'a> Site<'a> {
    /// Returns the site of a landscape.
    pub fn of(landscape: &'a Landscape) -> Self {
        Self { landscape, groups: Groups::of(landscape) }
    }

    /// Passes the documents of all pages to `write`: the name, such as `shoots/3`, and the content as JSON in one line.
    ///
    /// # Errors
    /// Fails if `write` fails, or `serde_json`, which does not happen for strings.
    pub(super) fn documents<E: From<serde_json::Error>>(
        &self,
        mut write: impl FnMut(&str, String) -> Result<(), E>,
    ) -> Result<(), E> {
        let Self { landscape, groups } = self;
        let numbers = Numbers::of(landscape);
        let rows: Vec<Row<'_>> = projects::rows(landscape, groups, &numbers);
        write("overview", json(&overview::document(landscape, groups))?)?;
        write("projects", json(&projects::all(landscape, &rows, &numbers))?)?;
        write("clusters", json(&projects::clusters(&rows, &numbers))?)?;
        write("versions", json(&versions::document(landscape))?)?;
        write("findings", json(&findings::document(landscape, &numbers)?)?)?;
        let rules = Rules::of(landscape);
        write("rules", json(&rules.document())?)?;
        for (name, page) in rules.pages() {
            write(&name, json(&page)?)?;
        }
        for (index, project) in projects::each(landscape, &rows, &numbers)?.iter().enumerate() {
            write(&format!("project/{index}"), json(project)?)?;
        }
        for (index, shoots) in landscape.shoots.chunks(SHOOTS_AT_ONCE).enumerate() {
            let shoots: Vec<&str> = shoots.iter().map(|it| &*it.document).collect();
            write(&format!("shoots/{index}"), format!("{{\"shoots\":[{}]}}", shoots.join(",")))?;
        }
        Ok(())
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
