//! Selection of Projects.

use std::collections::BTreeSet;

use clap::Args;

use garden_gate_products::forecast::Owner;

/// The selected Projects.
#[derive(Args, Debug)]
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
