// SPDX-License-Identifier: Apache-2.0
//! Rules for registry-mirror.

pub(super) mod shoot;
