// SPDX-License-Identifier: Apache-2.0
//! Rules for auditing.

pub(super) mod shoot;
