use std::collections::BTreeMap;

use super::ObjectMeta;
use crate::compat::parse_bool;

/// The annotation that confirms a deletion.
pub const DELETION_CONFIRMATION: &str = "confirmation.gardener.cloud/deletion";
/// The annotation in which Gardener keeps who confirmed a deletion.
pub const DELETION_CONFIRMED_BY: &str = "deletion.gardener.cloud/confirmed-by";

/// A confirmed deletion: who confirmed it, and the labels by which a Project may ask for a second person.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmation {
    /// The user; empty if that was not recorded.
    pub by: String,
    /// All labels of the object.
    pub labels: BTreeMap<String, String>,
}

impl Confirmation {
    /// The confirmation of an object's deletion; `None` if it is not confirmed.
    ///
    /// Mirrors CheckIfDeletionIsConfirmed in `pkg/utils/gardener/deletion_confirmation.go`.
    #[must_use]
    pub fn of(object: &ObjectMeta) -> Option<Self> {
        is_confirmed(object).then(|| Self {
            by: object
                .annotations
                .get(DELETION_CONFIRMED_BY)
                .cloned()
                .unwrap_or_default(),
            labels: object.labels.clone(),
        })
    }
}

/// Whether the deletion of an object is confirmed.
#[must_use]
pub fn is_confirmed(object: &ObjectMeta) -> bool {
    let value = object.annotations.get(DELETION_CONFIRMATION);
    value.and_then(|value| parse_bool(value)) == Some(true)
}
