// SPDX-License-Identifier: Apache-2.0
//! The Shoots of a garden, with the objects that rules look up.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use anyhow::bail;
use serde_json::Value;

use super::select::Selection;
use crate::cli::garden::GardenArgs;
use crate::cli::review::garden::load_garden;
use crate::cli::versions::VersionLookup;
use crate::garden::directory::{Reading, Wanted};
use crate::garden::live::Needs;
use crate::review::cluster::Live;
use garden_gate_core::admission::{EntryPoint, Kind, Operation, kinds_read};
use garden_gate_core::config::Checked;
use garden_gate_core::garden::{ObjectKey, Snapshot, WEBHOOK_CONFIGURATIONS};
use garden_gate_core::rules;
use garden_gate_products::forecast::StoredShoot;

/// A garden, and its selected Shoots in order.
pub(in crate::cli) struct Shoots {
    pub(in crate::cli) garden: Snapshot,
    pub(in crate::cli) published: VersionLookup,
    pub(in crate::cli) found: Vec<StoredShoot>,
    /// Whether an unreadable part of the directory may contain Shoots.
    pub(in crate::cli) is_partial: bool,
}

/// Loads the garden.
///
/// # Errors
/// Fails if there is no garden, if it cannot be read, or if it lacks a named Shoot.
pub(in crate::cli) fn shoots(
    arguments: &GardenArgs,
    checked: &Checked,
    selection: &Selection,
) -> anyhow::Result<Shoots> {
    let directory = arguments.directory_or(&checked.review)?;
    let (loaded, is_partial) = match (arguments.live()?, directory) {
        (Some(live), _) => (listed(&live, checked, selection)?, false),
        (None, Some(directory)) => read(directory, arguments.is_whole)?,
        (None, None) => bail!("no garden is set; use --garden DIR or --live"),
    };
    let (garden, published, kept) = loaded;
    let found = select(&garden, kept, selection)?;
    Ok(Shoots { garden, published, found, is_partial })
}

type StoredShoots = HashMap<ObjectKey, Value>;
type Loaded = (Snapshot, VersionLookup, StoredShoots);

/// Reads a directory, and whether an unreadable part of it may contain Shoots.
fn read(directory: &Path, is_whole: bool) -> anyhow::Result<(Loaded, bool)> {
    let wanted = Wanted { kinds: vec![Kind::Shoot], config_map_data: true, ..Wanted::default() };
    let loaded = load_garden(directory, Reading { wanted, is_whole })?;
    let published = VersionLookup::in_directory(&loaded);
    let is_partial = !loaded.problems.is_empty() && loaded.snapshot.gap(Kind::Shoot).is_some();
    Ok(((loaded.snapshot, published, loaded.kept), is_partial))
}

fn listed(live: &Live, checked: &Checked, selection: &Selection) -> anyhow::Result<Loaded> {
    let requests = [(Kind::Shoot, Operation::Update)];
    let mut kinds = kinds_read(rules::ALL, EntryPoint::Review, &checked.config, &requests.into());
    kinds.extend([Kind::Shoot, Kind::Project, Kind::CloudProfile, Kind::NamespacedCloudProfile]);
    kinds.retain(|kind| !kind.is_outside_garden());
    // They show which extensions refuse an update.
    kinds.extend(WEBHOOK_CONFIGURATIONS);
    let mut listed = live.list(&Needs {
        kinds,
        wanted: BTreeSet::from([ObjectKey::gardener_info()]),
        whole: BTreeSet::from([Kind::Shoot]),
        namespaces: selection.namespaces(),
        ..Needs::default()
    })?;
    let published = VersionLookup::in_cluster(&listed.snapshot, &listed.unknown);
    listed.kept.remove(&ObjectKey::gardener_info());
    match listed.snapshot.gap(Kind::Shoot) {
        Some(why) if listed.kept.is_empty() => bail!(
            "cannot list Shoots, which a forecast requires: {why}; if you may list those of one Project, select it, as in `--project dev`"
        ),
        // The forecast covers the Shoots that may be listed.
        _ => {}
    }
    Ok((listed.snapshot, published, listed.kept))
}

/// Returns the selected Shoots, including those that cannot be parsed.
fn select(
    garden: &Snapshot,
    kept: StoredShoots,
    selection: &Selection,
) -> anyhow::Result<Vec<StoredShoot>> {
    let mut named = BTreeSet::new();
    let mut found = StoredShoot::all(garden, kept);
    found.retain(|it| selection.takes(&it.namespace, &it.name, &it.owner, &mut named));
    selection.check(&named, garden)?;
    Ok(found)
}
