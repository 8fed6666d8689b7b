// SPDX-License-Identifier: Apache-2.0
use crate::cli::landscape::SelectedGarden;
use crate::notify::{StatePlace, Store};
use crate::review::cluster::Live;
use garden_gate_products::report::NotificationState;

/// Reads the state; a file is locked if it `is_saved` later.
///
/// # Errors
/// Fails if it cannot be read, is not valid, or another run uses it.
pub(super) fn open_state(
    place: &StatePlace,
    selected: &SelectedGarden<'_>,
    is_saved: bool,
) -> anyhow::Result<(Store, NotificationState)> {
    match place {
        StatePlace::File(path) if !is_saved => Ok((Store::none().0, Store::peek_file(path)?)),
        _ => selected.block_on(place.open(selected.live().map(Live::client)))?,
    }
}
