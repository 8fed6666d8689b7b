// SPDX-License-Identifier: Apache-2.0
//! Advice about the versions that a Shoot uses.

pub(super) mod kubernetes_version_dropped;
pub(super) mod next_minor;
pub(crate) mod prefix_resolves_on_every_write;
pub(super) mod version_deprecated;
pub(super) mod version_expired_in_use;
pub(super) mod version_expiring;
pub(super) mod version_preview;
pub(super) mod versions_in_use;
