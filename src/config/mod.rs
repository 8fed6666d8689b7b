//! The gate's configuration: from files to what is in force.
//!
//! [`load()`] reads the files and [`read()`] one text; both report every mistake with its line and column. [`Config`] is what rules
//! see: checked, with every default filled in. The shape of the file, for people and editors, is [`GateConfiguration`].

mod admission;
mod check;
mod duration;
mod file;
mod known;
mod level;
mod levels;
mod load;
mod nearest;
mod patterns;
mod problem;
mod reader;
mod review;
mod schema;
mod tolerations;
mod valid;

pub use file::GateConfiguration;
pub use known::KnownIds;
pub use level::{Level, Levels};
pub use load::{Checked, ConfigFiles, load, read};
pub use nearest::did_you_mean;
pub use patterns::{LevelPatterns, PathLevels};
pub use problem::{ConfigError, ConfigProblem, Severity};
pub use review::ReviewDefaults;
pub use schema::schema;
pub use valid::{
    Advice, Config, Exemption, Exemptions, FeatureGates, Profile, Silencing, Strategy,
    TolerationLists,
};
