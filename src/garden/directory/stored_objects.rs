// SPDX-License-Identifier: Apache-2.0
use std::path::Path;

use serde_json::value::{RawValue, to_raw_value};

use super::Wanted;
use super::scan::content_of;
use crate::files::{self, Found, Ignoring};
use garden_gate_core::garden::ObjectKey;
use garden_gate_core::garden::texts::Item;
use garden_gate_model::api::Kind;

/// Returns all files of a garden directory, in order.
pub fn files(directory: &Path) -> impl Iterator<Item = std::path::PathBuf> + use<> {
    let found = files::below(directory, Ignoring::Within);
    found.filter_map(|found| match found {
        Found::File(path) => Some(path),
        Found::Loop(_) | Found::Outside(_) | Found::Closed(_) => None,
    })
}

/// Returns the whole objects of certain kinds in a file of a garden directory.
///
/// Returns none if the file cannot be read.
pub fn objects(file: &Path, kinds: &[Kind]) -> Vec<(ObjectKey, Box<RawValue>)> {
    let Ok(bytes) = files::read(file) else {
        return Vec::new();
    };
    let wanted = Wanted { kinds: kinds.to_vec(), ..Wanted::default() };
    let items = content_of(file, bytes, &wanted).items.into_iter();
    let objects = items.filter_map(|item| match item {
        Item::Object(object) => Some((object.key, to_raw_value(&object.whole?).ok()?)),
        Item::Trouble(..) => None,
    });
    objects.collect()
}
