//! The gate's configuration.

mod level;
mod nearest;
mod valid;

pub use level::{Level, Levels};
pub use nearest::did_you_mean;
pub use valid::{Advice, Config, Exemption, Exemptions, FeatureGates, Profile, TolerationLists};
