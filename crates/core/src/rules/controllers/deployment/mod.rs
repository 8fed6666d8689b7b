// SPDX-License-Identifier: Apache-2.0
//! Rules about ControllerDeployments.

pub(super) mod form;
mod helm;
mod legacy;
pub(super) mod unused;
mod values;
