use std::collections::BTreeSet;

use anyhow::bail;
use clap::Args;

use crate::cli::project_filter::{ProjectFilter, namespaces};
use crate::forecast::Owner;

/// Of which Shoots.
#[derive(Args, Debug)]
pub(super) struct Selection {
    /// Shoots, by name, or by Project or namespace and name (`web`, `dev/web`, `garden-dev/web`); all if there are none.
    #[arg(value_name = "SHOOT")]
    shoots: Vec<String>,

    #[command(flatten)]
    whose: ProjectFilter,
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
        if !self.whose.takes(namespace, owner) {
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
        let of_shoots = namespaces(of_shoots.map(|(of, _)| of));
        self.whose
            .namespaces()
            .into_iter()
            .chain(of_shoots)
            .collect()
    }

    /// # Errors
    /// When a Shoot was named that there is not.
    pub(super) fn check(&self, named: &BTreeSet<&str>) -> anyhow::Result<()> {
        let missing = self.shoots.iter().find(|it| !named.contains(it.as_str()));
        match missing {
            Some(missing) => {
                bail!("Shoot `{missing}` not found in the garden, or excluded by the other options")
            }
            None => Ok(()),
        }
    }
}
