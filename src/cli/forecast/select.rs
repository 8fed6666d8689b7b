// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use anyhow::bail;
use clap::Args;

use crate::cli::project_filter::{ProjectFilter, namespaces};
use garden_gate_core::garden::Snapshot;
use garden_gate_products::forecast::Owner;

/// The selected Shoots.
#[derive(Args, Debug)]
pub(in crate::cli) struct Selection {
    /// Shoots, by name, or by Project or namespace and name (`web`, `dev/web`, `garden-dev/web`) [default: all].
    #[arg(value_name = "SHOOT")]
    shoots: Vec<String>,

    #[command(flatten)]
    whose: ProjectFilter,
}

impl Selection {
    /// Selects these Shoots of these Projects; all Shoots if there are none.
    pub(in crate::cli) fn new(shoots: Vec<String>, whose: ProjectFilter) -> Self {
        Self { shoots, whose }
    }

    /// Reports whether a Shoot is selected; adds the argument that names it to `named`.
    pub(in crate::cli) fn takes<'a>(
        &'a self,
        namespace: &str,
        name: &str,
        owner: &Owner,
        named: &mut BTreeSet<&'a str>,
    ) -> bool {
        if !self.whose.takes(namespace, owner) {
            return false;
        }
        let names: Vec<&str> = self
            .shoots
            .iter()
            .filter(|it| match it.split_once('/') {
                Some((of, it)) => it == name && (of == owner.project || of == namespace),
                None => *it == name,
            })
            .map(String::as_str)
            .collect();
        named.extend(&names);
        self.shoots.is_empty() || !names.is_empty()
    }

    /// Returns the possible namespaces of the selection, for users who may not list all of them.
    pub(in crate::cli) fn namespaces(&self) -> BTreeSet<String> {
        let of_shoots = self.shoots.iter().filter_map(|it| it.split_once('/'));
        let of_shoots = namespaces(of_shoots.map(|(of, _)| of));
        self.whose.namespaces().into_iter().chain(of_shoots).collect()
    }

    /// Checks the named Shoots, and warns of Projects that the garden lacks.
    ///
    /// # Errors
    /// Fails if a named Shoot does not exist.
    pub(in crate::cli) fn check(
        &self,
        named: &BTreeSet<&str>,
        garden: &Snapshot,
    ) -> anyhow::Result<()> {
        self.whose.warn_of_unknown(garden);
        let missing = self.shoots.iter().find(|it| !named.contains(it.as_str()));
        match missing {
            Some(missing) => {
                bail!("Shoot `{missing}` not found in the garden, or excluded by the other options")
            }
            None => Ok(()),
        }
    }
}
