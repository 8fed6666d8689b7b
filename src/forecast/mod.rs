//! What maintenance will do to Shoots, window by window, and whether admission lets it.
//!
//! What one run chooses is known below the rules, in [`crate::version::maintenance`]. Here runs are put one after another, as versions
//! pass through their stages, and each is put to the rules: maintenance puts everything that it does into one update of the Shoot and
//! asks the API server first, as a dry run. If any rule refuses that, nothing of the run happens, and the next window tries again.

mod after;
mod cause;
mod difference;
mod dry_run;
mod effect;
mod event;
mod hibernation;
mod impact;
mod ladder;
mod operations;
mod outlook;
mod part;
mod profile;
mod removed;
mod rotations;
mod run;
mod simulate;
mod version_status;

pub use after::{After, after};
pub use difference::{Change, Changed, Difference, Moment};
pub use dry_run::dry_run;
pub use effect::{Effect, Happens};
pub use event::{Blocker, Class, Event, Maintenance};
pub use hibernation::Sleep;
pub use impact::{ForcedUpdates, Impact, Touched, Unused, impact};
pub use ladder::{Ladder, Lane, Rung};
pub use outlook::{Counts, Foreseen, Outlook, Owner, Unforeseen};
pub use part::Part;
pub use profile::Profile;
pub use simulate::{Forecast, forecast};
pub use version_status::{Stage, Standing, Status};
