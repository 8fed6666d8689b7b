// SPDX-License-Identifier: Apache-2.0
//! Rules for shoot-cert-service, which has no admission component.

mod findings;
mod nameserver;
pub(super) mod seed;
pub(super) mod shoot;
mod values;
