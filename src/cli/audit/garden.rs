use std::collections::BTreeSet;
use std::path::PathBuf;

use super::run::Run;
use super::{directory, live};
use crate::cli::gardener_version::VersionLookup;
use crate::cli::project_filter::ProjectFilter;
use crate::cli::review;
use crate::garden::directory::{Reading, Wanted};
use crate::garden::live::Needs;
use crate::review::cluster::Live;
use crate::review::parameters::{from_cluster, from_directory};
use garden_gate_core::admission::{EntryPoint, Kind, Operation, kinds_read};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{ObjectKey, Snapshot, WEBHOOK_CONFIGURATIONS};
use garden_gate_core::rules;
use garden_gate_products::audit::audited_kinds;
use garden_gate_products::review::parameters::ChangedParameters;

/// A loaded garden.
pub(super) struct Loaded {
    /// The objects that rules look up.
    pub(super) garden: Snapshot,
    /// The version of Gardener that the garden publishes.
    pub(super) published: VersionLookup,
    /// Whether an unreadable part of the directory may contain objects to audit.
    pub(super) is_partial: bool,
}

/// The source of the garden.
pub(super) enum Source<'a> {
    Directory(&'a PathBuf),
    Live(&'a Live),
}

impl Source<'_> {
    /// Loads the garden.
    ///
    /// # Errors
    /// Fails if the directory cannot be read, or the API server does not answer.
    pub(super) fn garden(
        &self,
        config: &Config,
        whose: &ProjectFilter,
        is_whole: bool,
    ) -> anyhow::Result<Loaded> {
        match self {
            Source::Directory(directory) => {
                let wanted = Wanted { config_map_data: true, ..Wanted::default() };
                let reading = Reading { wanted, is_whole };
                let loaded = review::load_garden(directory, reading)?;
                let published = VersionLookup::in_directory(&loaded);
                let may_be_hidden = |kind| loaded.snapshot.gap(kind).is_some();
                let is_partial = !loaded.problems.is_empty() && audited_kinds().any(may_be_hidden);
                let none = ChangedParameters::default();
                let directory = Some((directory.as_path(), is_whole));
                let garden = from_directory(loaded.snapshot, directory, (&none, &[]));
                Ok(Loaded { garden, published, is_partial })
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
                Ok(Loaded { garden, published, is_partial: false })
            }
        }
    }

    /// Audits every object, in batches, and passes the results to `run`.
    ///
    /// # Errors
    /// Fails if not all objects can be read, or the output fails.
    pub(super) fn each(&self, run: &mut Run<'_, '_>) -> anyhow::Result<()> {
        match self {
            Source::Directory(directory) => directory::each(directory, run),
            Source::Live(live) => live::each(live, run),
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
    let kinds =
        entry_points.map(|entry_point| kinds_read(rules::ALL, entry_point, config, &requests));
    let mut kinds: BTreeSet<Kind> = kinds.into_iter().flatten().collect();
    kinds.insert(Kind::Project);
    kinds.insert(Kind::ValidatingAdmissionPolicy);
    kinds.insert(Kind::ValidatingAdmissionPolicyBinding);
    kinds.retain(|kind| !kind.is_of_shoot_cluster());
    kinds.extend(WEBHOOK_CONFIGURATIONS);
    kinds
}
