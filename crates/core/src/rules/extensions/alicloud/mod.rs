//! Rules for provider-alicloud.

pub(super) mod cloudprofile;
pub(super) mod namespacedcloudprofile;
mod profiles;
pub(super) mod seed;
pub(super) mod shoot;
