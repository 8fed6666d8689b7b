// SPDX-License-Identifier: Apache-2.0
//! Rules for networking-calico.

mod detection;
pub(super) mod shoot;
