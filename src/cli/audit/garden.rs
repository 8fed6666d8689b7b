// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::stored_object::StoredObject;
use super::{directory, live};
use crate::cli::project_filter::ProjectFilter;
use crate::cli::review::garden::load_garden;
use crate::cli::versions::VersionLookup;
use crate::garden::directory::{DirectoryError, LoadedGarden, Reading, Wanted, load_with};
use crate::garden::live::Needs;
use crate::review::cluster::Live;
use crate::review::parameters::{from_cluster, from_directory};
use garden_gate_core::admission::{EntryPoint, Kind, Operation, kinds_read};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{ADMISSION_POLICIES, ObjectKey, Snapshot, WEBHOOK_CONFIGURATIONS};
use garden_gate_core::rules;
use garden_gate_products::audit::{Auditor, audited_kinds};
use garden_gate_products::review::parameters::ChangedParameters;

/// A loaded garden.
pub(in crate::cli) struct Loaded {
    /// The objects that rules look up.
    pub(in crate::cli) garden: Snapshot,
    /// The version of Gardener that the garden publishes.
    pub(in crate::cli) published: VersionLookup,
    /// Whether an unreadable part of the directory may contain objects to audit.
    pub(in crate::cli) is_partial: bool,
    /// Parts of the directory that could not be read, one sentence each.
    pub(in crate::cli) problems: Vec<String>,
}

/// The source of the garden.
pub(in crate::cli) enum Source<'a> {
    Directory(&'a PathBuf),
    Live(&'a Live),
}

/// Loads a garden directory.
type Loader = fn(&Path, Reading) -> Result<LoadedGarden, DirectoryError>;

impl<'a> Source<'a> {
    /// Returns the cluster, or else the directory.
    ///
    /// # Errors
    /// Fails if there is neither.
    pub(in crate::cli) fn of(
        live: Option<&'a Live>,
        directory: Option<&'a PathBuf>,
    ) -> anyhow::Result<Self> {
        live.map(Self::Live)
            .or(directory.map(Self::Directory))
            .context("no garden is set; use --garden DIR or --live")
    }

    /// Loads the garden, and prints which files could not be read.
    ///
    /// # Errors
    /// Fails if the directory cannot be read, or the API server does not answer.
    pub(in crate::cli) fn garden(
        &self,
        config: &Config,
        whose: &ProjectFilter,
        is_whole: bool,
    ) -> anyhow::Result<Loaded> {
        self.load(config, whose, (is_whole, load_garden))
    }

    /// Loads the garden like [`Self::garden`], whose messages were printed before.
    ///
    /// # Errors
    /// Fails like [`Self::garden`].
    pub(in crate::cli) fn garden_again(
        &self,
        config: &Config,
        whose: &ProjectFilter,
        is_whole: bool,
    ) -> anyhow::Result<Loaded> {
        self.load(config, whose, (is_whole, load_with))
    }

    fn load(
        &self,
        config: &Config,
        whose: &ProjectFilter,
        (is_whole, load): (bool, Loader),
    ) -> anyhow::Result<Loaded> {
        match self {
            Source::Directory(directory) => {
                let wanted = Wanted { config_map_data: true, ..Wanted::default() };
                let reading = Reading { wanted, is_whole };
                let loaded = load(directory, reading)?;
                let published = VersionLookup::in_directory(&loaded);
                let may_be_hidden = |kind| loaded.snapshot.gap(kind).is_some();
                let is_partial = !loaded.problems.is_empty() && audited_kinds().any(may_be_hidden);
                let problems = loaded.problems.iter().map(ToString::to_string).collect();
                let none = ChangedParameters::default();
                let directory = Some((directory.as_path(), is_whole));
                let garden = from_directory(loaded.snapshot, directory, (&none, &[]));
                Ok(Loaded { garden, published, is_partial, problems })
            }
            Source::Live(live) => {
                let namespaces = whose.namespaces();
                let listed = live.list(&Needs {
                    kinds: needed(config),
                    wanted: BTreeSet::from([ObjectKey::gardener_info()]),
                    namespaces: namespaces.clone(),
                    ..Needs::default()
                })?;
                let published = VersionLookup::in_cluster(&listed.snapshot, &listed.unknown);
                let none = ChangedParameters::default();
                let cluster = (*live, &namespaces);
                let garden = from_cluster(listed.snapshot, cluster, (&none, &[]))?;
                Ok(Loaded { garden, published, is_partial: false, problems: Vec::new() })
            }
        }
    }

    /// Audits every object, in batches, and passes the results of `of_object` to `add`.
    ///
    /// Returns the kinds that may not be listed, one sentence each.
    ///
    /// # Errors
    /// Fails if not all objects can be read, or `add` fails.
    pub(in crate::cli) fn each<T: Send>(
        &self,
        auditor: &Auditor<'_>,
        namespaces: &BTreeSet<String>,
        of_object: impl Fn(StoredObject<'_>) -> T + Sync,
        add: impl FnMut(Vec<T>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<String>> {
        match self {
            Source::Directory(directory) => {
                directory::each(directory, auditor, of_object, add).map(|()| Vec::new())
            }
            Source::Live(live) => live::each(live, auditor, namespaces, of_object, add),
        }
    }
}

/// Returns the kinds that rules look up, policies, webhook configurations, which show the admission components of
/// extensions, and Projects, which define the owners of objects.
fn needed(config: &Config) -> BTreeSet<Kind> {
    let writes = [Operation::Create, Operation::Update];
    let requests =
        audited_kinds().flat_map(|kind| writes.map(|operation| (kind, operation))).collect();
    let entry_points = [EntryPoint::Review, EntryPoint::Audit];
    let mut kinds: BTreeSet<Kind> = entry_points
        .map(|entry_point| kinds_read(rules::ALL, entry_point, config, &requests))
        .into_iter()
        .flatten()
        .collect();
    kinds.insert(Kind::Project);
    kinds.extend(ADMISSION_POLICIES);
    kinds.retain(|kind| !kind.is_outside_garden());
    kinds.extend(WEBHOOK_CONFIGURATIONS);
    kinds
}
