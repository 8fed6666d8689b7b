// SPDX-License-Identifier: Apache-2.0
//! Rules for networking-cilium.

pub(super) mod shoot;
