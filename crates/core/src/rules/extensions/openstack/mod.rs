// SPDX-License-Identifier: Apache-2.0
//! Rules for provider-openstack.

pub(super) mod cloudprofile;
mod load_balancers;
pub(super) mod namespacedcloudprofile;
mod profiles;
pub(super) mod shoot;
mod syntax;
