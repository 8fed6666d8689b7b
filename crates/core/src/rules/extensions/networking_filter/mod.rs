// SPDX-License-Identifier: Apache-2.0
//! Rules for shoot-networking-filter.

pub(super) mod shoot;
