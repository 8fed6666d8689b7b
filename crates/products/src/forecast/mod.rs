// SPDX-License-Identifier: Apache-2.0
//! Forecast of maintenance: its changes to Shoots in each window, and whether admission permits them.
//!
//! [`garden_gate_model::gardener::version::maintenance`] determines the target versions of one run.
//! The forecast simulates consecutive runs while versions pass through their lifecycle, and evaluates the rules for
//! each run.
//! Maintenance makes all of its changes in one update of the Shoot, and sends it to the API server as a dry run first.
//! If any rule denies it, nothing happens in this run, and the next window repeats it.

mod after;
mod binding;
mod cause;
mod difference;
mod dry_run;
mod effect;
mod event;
mod fleet;
mod hibernation;
mod impact;
mod ladder;
mod memory;
mod operations;
mod outlook;
mod part;
mod profile;
mod profile_change;
mod removed;
mod reservations;
mod rotations;
mod run;
mod simulate;
mod spread;
mod stored_shoot;
mod version_status;
mod version_updates;

pub use after::{MaintainedShoot, after};
pub use binding::BindingMigration;
pub use difference::{Change, Changed, Difference, Moment};
pub use dry_run::dry_run;
pub use effect::{Disruption, Effect};
pub use event::{Blocker, Class, Event, Maintenance};
pub use fleet::{FleetDay, FleetPlan, FleetTotals, FleetWindow, Peak};
pub use hibernation::Sleep;
pub use impact::{ChangedOffer, ForcedUpdates, Impact, Unused, impact};
pub use ladder::{Ladder, Lane, Retirement, Retirements, Rung};
pub use outlook::{Counts, Outlook, Owner, ShootForecast, UnknownForecast};
pub use part::Part;
pub use profile::Profile;
pub use profile_change::{
    ChangedProfile, PERIOD, ProfileEffect, is_profile, profile_effects, with_profiles,
};
pub use simulate::{Forecast, deletion, forecast};
pub use spread::{DayLoad, ProfileVersion, ProposedDate, Spread, SpreadProfiles};
pub use stored_shoot::{Profiles, StoredShoot};
pub use version_status::{Stage, Status, VersionStatus};
