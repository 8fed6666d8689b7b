//! What Gardener's maintenance does to the versions of a Shoot, why, and when: updates that are automatic, and updates
//! that are forced because a version expired or left the profile.
//!
//! Everything here follows `pkg/controllermanager/controller/shoot/maintenance` literally, also where it looks unintended;
//! an [`Oddity`] says so.

mod image;
mod images;
mod kubernetes;
mod outcome;
mod run;
mod target;
mod targets;
mod when;
mod window;

pub use image::{Beyond, beyond};
pub use outcome::{Action, Due, Misfit, Oddity, Outcome};
pub use run::{PoolRun, Run, run};
pub use targets::Targets;
pub use when::{Forced, turns, when_forced};
pub use window::{Window, runs_at};
