// SPDX-License-Identifier: Apache-2.0
//! Rules for shoot-networking-problemdetector.

pub(super) mod shoot;
