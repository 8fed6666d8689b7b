// SPDX-License-Identifier: Apache-2.0
//! Rules for shoot-rsyslog-relp.

mod findings;
pub(super) mod shoot;
mod values;
