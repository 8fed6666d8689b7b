// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use crate::api::ObjectMeta;
use garden_gate_text::go::parse_bool;

/// The annotation that confirms a deletion.
pub const DELETION_CONFIRMATION: &str = "confirmation.gardener.cloud/deletion";
/// The annotation in which Gardener records the user who confirmed a deletion.
pub const DELETION_CONFIRMED_BY: &str = "deletion.gardener.cloud/confirmed-by";

/// A confirmed deletion: the confirming user, and the labels of the object.
///
/// A Project may select objects for dual approval by these labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmation {
    /// The user; empty if it was not recorded.
    pub by: String,
    /// All labels of the object.
    pub labels: BTreeMap<String, String>,
}

impl Confirmation {
    /// Returns the confirmation of an object's deletion; `None` if it is not confirmed.
    ///
    /// Mirrors CheckIfDeletionIsConfirmed in `pkg/utils/gardener/deletion_confirmation.go`.
    pub fn of(object: &ObjectMeta) -> Option<Self> {
        is_confirmed(object).then(|| Self {
            by: object.annotations.get(DELETION_CONFIRMED_BY).cloned().unwrap_or_default(),
            labels: object.labels.clone(),
        })
    }
}

/// Reports whether the deletion of an object is confirmed.
pub fn is_confirmed(object: &ObjectMeta) -> bool {
    let value = object.annotations.get(DELETION_CONFIRMATION);
    value.and_then(|value| parse_bool(value)) == Some(true)
}
