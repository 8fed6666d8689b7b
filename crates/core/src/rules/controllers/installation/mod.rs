// SPDX-License-Identifier: Apache-2.0
//! Rules about ControllerInstallations.

pub(super) mod form;
pub(super) mod immutable_fields;
