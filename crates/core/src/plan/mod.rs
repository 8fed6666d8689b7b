// SPDX-License-Identifier: Apache-2.0
//! Plan of a change: the machines that it replaces, creates, deletes or updates in place, in which waves, and how long.
//!
//! Gardener makes one MachineDeployment of each pool and zone, and machine-controller-manager updates all of them at the same time.
//! The modules from [`Amount`] to [`Zone`] follow its algorithm for one zone; a simulation of its passes tests them.
//! [`ShootPlan`] applies them to a Shoot before and after a change.
//!
//! From `pkg/controller` of machine-controller-manager v0.62.1, and `extensions/pkg/controller/worker` of Gardener v1.150.

mod addresses;
mod amount;
mod capacity;
mod change;
mod duration;
mod headline;
mod in_place;
mod pool;
mod pools;
mod price;
mod quantity;
mod rolling;
mod shoot;
mod span;
mod summary;
mod zone;

#[cfg(test)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of machines are small"
)]
mod simulation;
#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "numbers of machines are small")]
mod tests;

pub use addresses::NodeNetwork;
pub use amount::{Amount, Limits, share};
pub use capacity::Capacity;
pub use change::{ChangePlan, UnplannedShoot};
pub use duration::{Estimates, Steps, Timeouts};
pub use headline::{headline, headline_of_shoot, replacements};
pub use in_place::InPlace;
pub use pool::{Pool, PoolPlan, Size, Totals};
pub use price::{Amounts, Cost, PlanSettings, Prices};
pub use quantity::{bounds, counted, minutes, usual};
pub use rolling::{Batch, Rolling};
pub use shoot::{ShootChange, ShootPlan, Start, UnplannedPool};
pub use span::{Bounds, Span};
#[cfg(test)]
use summary::tests::pool as example_pool;
pub use summary::{POSSIBILITIES, Plan};
pub use zone::{Action, Unknown, Zone, ZonePlan};
