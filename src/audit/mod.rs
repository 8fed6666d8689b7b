//! How the objects stand that are there: what is said to any write of them, what would be said if they were made anew today, and what
//! nobody writes at all.
//!
//! Each object is judged twice by the same rules: as an update that changes nothing, and as if it were not there yet and came now, in the
//! garden without it. What maintenance is going to do comes from [`crate::forecast`].

mod kinds;
mod maintenance;
mod object;
mod tally;
mod versions;

pub use kinds::audited_kinds;
pub use object::{Audited, Auditor, Occasion};
pub use tally::{Count, Group, Stands, Tally};
pub use versions::{InUse, versions_in_use};
