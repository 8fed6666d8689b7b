//! Audits of stored objects.
//!
//! Each object is judged twice by the same rules: as an update without changes, and as a new object in a garden that
//! lacks it. Warnings about unused objects come from separate rules. [`crate::forecast`] predicts the next maintenance.

mod defaults;
mod kinds;
mod maintenance;
mod object;
mod tally;
mod versions;

pub use kinds::audited_kinds;
pub use object::{Audited, Auditor, Trigger};
pub use tally::{Count, Group, ObjectCounts, Tally};
pub use versions::{InUse, versions_in_use};
