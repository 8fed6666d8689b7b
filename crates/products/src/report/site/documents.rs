use super::groups::Groups;
use super::landscape::{Landscape, json};
use super::projects::{self, Numbers, Row, SHOOTS_AT_ONCE};
use super::rules::Rules;
use super::{findings, overview, versions};
use crate::report::truncation::number_of;

/// A document of a site.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SiteDocument {
    /// The name, such as `overview` or `shoots/3`.
    pub name: String,
    /// The content, as JSON in one line.
    pub json: String,
}

impl Landscape {
    /// Returns the documents of all pages, one after the other, the overview first.
    ///
    /// The objects must be sorted.
    ///
    /// # Errors
    /// Fails if `each` fails, or `serde_json`, which does not happen for strings.
    pub fn documents<E: From<serde_json::Error>>(
        &self,
        mut each: impl FnMut(SiteDocument) -> Result<(), E>,
    ) -> Result<(), E> {
        let groups = Groups::of(self);
        let numbers = Numbers::of(self);
        let rows: Vec<Row<'_>> = projects::rows(self, &groups, &numbers);
        let mut write =
            |name: &str, json: String| each(SiteDocument { name: name.to_owned(), json });
        write("overview", json(&overview::document(self, &groups))?)?;
        write("projects", json(&projects::all(self, &rows, &numbers))?)?;
        write("clusters", json(&projects::clusters(&rows, &numbers))?)?;
        write("versions", json(&versions::document(self))?)?;
        write("findings", json(&findings::document(self, &numbers)?)?)?;
        let rules = Rules::of(self);
        write("rules", json(&rules.document())?)?;
        for (name, page) in rules.pages() {
            write(&name, json(&page)?)?;
        }
        for (index, project) in projects::each(self, &rows, &numbers)?.iter().enumerate() {
            write(&format!("project/{index}"), json(project)?)?;
        }
        for (index, shoots) in self.shoots.chunks(SHOOTS_AT_ONCE).enumerate() {
            let shoots: Vec<&str> = shoots.iter().map(|it| &*it.document).collect();
            write(&format!("shoots/{index}"), format!("{{\"shoots\":[{}]}}", shoots.join(",")))?;
        }
        Ok(())
    }

    /// Formats the number of Shoots, and of those for which a person must act.
    pub fn summary(&self) -> String {
        let counts = overview::counts(self, &Groups::of(self), 0);
        let projects = number_of(counts.projects, "Project", "Projects");
        let shoots = number_of(counts.shoots, "Shoot", "Shoots");
        format!(
            "{shoots} of {projects}: {} must act, {} not known",
            counts.must_act, counts.not_forecast
        )
    }
}
