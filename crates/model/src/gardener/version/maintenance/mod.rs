// SPDX-License-Identifier: Apache-2.0
//! Prediction of Gardener's maintenance of a Shoot's versions: changes, reasons, and times.
//!
//! Updates are automatic, or forced because a version expired or was removed from the profile.
//!
//! This module follows `pkg/controllermanager/controller/shoot/maintenance` literally, also where its behavior seems unintended;
//! an [`Anomaly`] flags such behavior.

mod image;
mod images;
mod kubernetes;
mod outcome;
mod run;
mod target;
mod targets;
mod when;
mod window;

pub use image::{SkippedVersion, beyond};
pub use outcome::{Action, Anomaly, Due, Incompatibility, Outcome};
pub use run::{PoolRun, Run, run};
pub use targets::Targets;
pub use when::{Forced, turns, when_forced};
pub use window::{Window, runs_at, time_of_day};
