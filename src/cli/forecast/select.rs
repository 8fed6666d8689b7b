use std::collections::BTreeSet;

use anyhow::bail;
use clap::Args;

use crate::forecast::Owner;

/// Of which Shoots.
#[derive(Args, Debug)]
pub(super) struct Selection {
    /// Shoots, by name, or by Project or namespace and name (`web`, `dev/web`, `garden-dev/web`); all if there are none.
    #[arg(value_name = "SHOOT")]
    shoots: Vec<String>,

    /// Only Shoots of this Project, by its name or namespace; may be given several times.
    #[arg(long = "project", value_name = "PROJECT")]
    projects: Vec<String>,

    /// Only Shoots of Projects of this owner; may be given several times.
    #[arg(long = "owner", value_name = "USER")]
    owners: Vec<String>,
}

impl Selection {
    /// Whether a Shoot is asked for; `named` learns what names it.
    pub(super) fn takes<'a>(
        &'a self,
        namespace: &str,
        name: &str,
        owner: &Owner,
        named: &mut BTreeSet<&'a str>,
    ) -> bool {
        let is_its_project = |it: &String| *it == owner.project || it == namespace;
        let is_of_project = self.projects.is_empty() || self.projects.iter().any(is_its_project);
        let is_of_owner = self.owners.is_empty() || self.owners.contains(&owner.name);
        if !is_of_project || !is_of_owner {
            return false;
        }
        let names = self.shoots.iter().filter(|it| match it.split_once('/') {
            Some((of, it)) => it == name && (of == owner.project || of == namespace),
            None => *it == name,
        });
        let names: Vec<&str> = names.map(String::as_str).collect();
        named.extend(&names);
        self.shoots.is_empty() || !names.is_empty()
    }

    /// The namespaces that may be meant, for whoever may not look at all of them.
    pub(super) fn namespaces(&self) -> BTreeSet<String> {
        let of_shoots = self.shoots.iter().filter_map(|it| it.split_once('/'));
        let projects = self.projects.iter().map(String::as_str);
        let named = projects.chain(of_shoots.map(|(of, _)| of));
        let both = named.flat_map(|it| [it.to_owned(), format!("garden-{it}")]);
        both.collect()
    }

    /// # Errors
    /// When a Shoot was named that there is not.
    pub(super) fn check(&self, named: &BTreeSet<&str>) -> anyhow::Result<()> {
        let missing = self.shoots.iter().find(|it| !named.contains(it.as_str()));
        match missing {
            Some(missing) => {
                bail!("the garden has no Shoot `{missing}` of those that are asked for")
            }
            None => Ok(()),
        }
    }
}
