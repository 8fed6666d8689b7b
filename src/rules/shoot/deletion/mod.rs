//! How a Shoot is deleted, and what protects it.

pub(in crate::rules::shoot) mod cleanup;

rules! {
    RULES:
    deletion_confirmed_by,
    spec_frozen_when_deleting,
    force_deletion,
    finalizer_on_create,
    cleanup_period_invalid,
    cleanup_annotation,
    finalizer_removal,
    deletion_not_confirmed,
}
