//! Rules about Shoots: those of the rooms, and those that are in none.

mod change;
pub(in crate::rules) mod deletion;
pub(in crate::rules) mod dns;
pub(in crate::rules) mod exposure;
pub(in crate::rules) mod forms;
pub(in crate::rules) mod images;
pub(in crate::rules) mod machines;
pub(in crate::rules) mod migration;
mod node_network;
pub(in crate::rules) mod pools;
pub(in crate::rules) mod references;
pub(in crate::rules) mod seed;
pub(in crate::rules) mod sleep;
pub(in crate::rules) mod tolerations;
pub(in crate::rules) mod versions;

rules! {
    RULES:
    refilled_fields,
    dropped_fields,
    profile_missing,
    self_hosted_verb,
    profile_change,
    operation,
    immutable_fields,
    status_immutable,
    purpose_unsupported,
    rotation_due,
    deprecated_fields,
    status_label_stale,
}
