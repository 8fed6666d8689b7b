// SPDX-License-Identifier: Apache-2.0
//! Rules about ControllerRegistrations.

pub(super) mod form;
pub(super) mod immutable_fields;
pub(super) mod references;
