// SPDX-License-Identifier: Apache-2.0
//! Rules for shoot-lakom-service.

pub(super) mod shoot;
