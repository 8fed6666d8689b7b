// SPDX-License-Identifier: Apache-2.0
//! Selection of Projects.

use std::collections::BTreeSet;

use clap::Args;

use crate::review::notes::note;
use garden_gate_core::admission::Kind;
use garden_gate_core::garden::Snapshot;
use garden_gate_products::forecast::Owner;
use garden_gate_text::nearest::did_you_mean;

/// The selected Projects.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Selection")]
pub(super) struct ProjectFilter {
    /// Select only objects of this Project, by its name or namespace; may be given several times.
    #[arg(long = "project", value_name = "PROJECT")]
    projects: Vec<String>,

    /// Select only objects of Projects with this owner; may be given several times.
    #[arg(long = "owner", value_name = "USER")]
    owners: Vec<String>,
}

impl ProjectFilter {
    /// Reports whether all Projects are selected.
    pub(super) fn is_all(&self) -> bool {
        self.projects.is_empty() && self.owners.is_empty()
    }

    /// Reports whether objects in a namespace are selected.
    pub(super) fn takes(&self, namespace: &str, owner: &Owner) -> bool {
        let is_its_project = |it: &String| *it == owner.project || it == namespace;
        let is_of_project = self.projects.is_empty() || self.projects.iter().any(is_its_project);
        let is_of_owner = self.owners.is_empty() || self.owners.contains(&owner.name);
        is_of_project && is_of_owner
    }

    /// Prints a warning for each selected Project that the garden lacks, since the report without it looks like good news.
    pub(super) fn warn_of_unknown(&self, garden: &Snapshot) {
        let projects: Vec<&str> = garden.names_of(Kind::Project, "").collect();
        if projects.is_empty() || garden.gap(Kind::Project).is_some() {
            return;
        }
        let namespaces: BTreeSet<&str> = garden.project_namespaces().collect();
        let is_known =
            |it: &&String| projects.contains(&it.as_str()) || namespaces.contains(it.as_str());
        for name in self.projects.iter().filter(|it| !is_known(it)) {
            let similar =
                did_you_mean(name, &projects).map(|it| format!("; {it}")).unwrap_or_default();
            note(format_args!("warning: the garden has no Project `{name}`{similar}"));
        }
    }

    /// Returns the possible namespaces of the selection, for users who may not list all of them.
    pub(super) fn namespaces(&self) -> BTreeSet<String> {
        namespaces(self.projects.iter().map(String::as_str))
    }
}

/// Returns the possible namespaces for names of Projects or namespaces.
pub(super) fn namespaces<'a>(named: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let both = named.flat_map(|it| [it.to_owned(), format!("garden-{it}")]);
    both.collect()
}
