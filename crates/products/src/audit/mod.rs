// SPDX-License-Identifier: Apache-2.0
//! Audits of stored objects.
//!
//! Each object is judged twice by the same rules: as an update without changes, and as a new object in a garden that
//! lacks it, without the parts that only the system writes ([`SYSTEM_WRITTEN`]). Warnings about unused objects come from
//! separate rules. [`crate::forecast`] predicts the next maintenance.

mod as_new;
mod creation;
mod defaults;
mod kinds;
mod maintenance;
mod object;
mod stored_manifest;
mod support;
mod tally;
mod versions;

pub use as_new::{AsNew, Part, SYSTEM_WRITTEN, SystemWritten};
pub use kinds::audited_kinds;
pub use object::{Audited, Auditor, Trigger};
pub use stored_manifest::StoredManifest;
pub use support::{IsSelected, Reason, ShootsOfProject, Support, Unsupported, support};
pub use tally::{Count, Group, ObjectCounts, Tally};
pub use versions::{InUse, versions_in_use};
