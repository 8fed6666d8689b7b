// SPDX-License-Identifier: Apache-2.0
//! Rules for shoot-dns-service.

mod credentials;
mod findings;
pub(super) mod shoot;
