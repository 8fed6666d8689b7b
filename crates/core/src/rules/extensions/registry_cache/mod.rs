// SPDX-License-Identifier: Apache-2.0
//! Rules for registry-cache, and the checks that it shares with registry-mirror.

mod findings;
pub(super) mod hosts;
pub(super) mod secrets;
pub(super) mod shoot;
mod update;
mod values;
