//! The gate's configuration.

mod level;
mod valid;

pub use level::{Level, Levels};
pub use valid::{Advice, Config, Exemption, Exemptions, FeatureGates, Profile, TolerationLists};
