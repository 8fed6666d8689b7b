// SPDX-License-Identifier: Apache-2.0
//! Deletion of Shoots, and protection against it.

pub(crate) mod cleanup;
mod cleanup_annotation;
mod cleanup_period_invalid;
pub(crate) mod deletion_confirmed_by;
mod deletion_not_confirmed;
mod finalizer_on_create;
mod finalizer_removal;
mod force_deletion;
mod spec_frozen_when_deleting;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &deletion_confirmed_by::RULE,
    &spec_frozen_when_deleting::RULE,
    &force_deletion::RULE,
    &finalizer_on_create::RULE,
    &cleanup_period_invalid::RULE,
    &cleanup_annotation::RULE,
    &finalizer_removal::RULE,
    &deletion_not_confirmed::RULE,
];
