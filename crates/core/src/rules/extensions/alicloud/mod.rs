// SPDX-License-Identifier: Apache-2.0
//! Rules for provider-alicloud.

pub(super) mod cloudprofile;
pub(super) mod namespacedcloudprofile;
mod profiles;
pub(super) mod seed;
pub(super) mod shoot;
