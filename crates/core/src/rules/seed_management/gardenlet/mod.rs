// SPDX-License-Identifier: Apache-2.0
//! Rules about Gardenlets, and about the gardenlets of ManagedSeeds.

pub(super) mod configuration;
pub(super) mod configuration_kind;
pub(super) mod deployment;
pub(super) mod dropped_field;
pub(super) mod form;
pub(super) mod immutable_fields;
pub(super) mod name_taken;
