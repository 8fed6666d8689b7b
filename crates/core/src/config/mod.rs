// SPDX-License-Identifier: Apache-2.0
//! The configuration of garden-gate: loading, checking and defaults.
//!
//! [`load()`] reads files through a [`FileAccess`], and [`read()`] a string; both report every error with line and column.
//! [`Config`] is the checked configuration with all defaults, which rules use.
//! [`GateConfiguration`] is the schema of the file for users and editors.

mod admission;
mod check;
mod components;
mod duration;
mod extensions;
mod file;
mod gardener;
mod known;
mod level;
mod levels;
mod load;
mod path_patterns;
mod patterns;
mod plan;
mod problem;
mod reader;
mod resource_limits;
mod review;
mod schema;
mod tolerations;
mod valid;

pub use components::{ChangedComponent, Components};
pub use file::{FailOn, GateConfiguration};
pub use gardener::{JudgedVersion, VersionSource, note_on_published};
pub use known::{KnownExtension, KnownIds, POLICY_PREFIX};
pub use level::{Level, Levels};
pub use load::{Checked, ConfigFiles, FileAccess, load, read, read_components};
pub use path_patterns::PathPatterns;
pub use patterns::{LevelPatterns, PathLevels};
pub use problem::{ConfigError, ConfigProblem, Severity};
pub use review::ReviewDefaults;
pub use schema::schema;
pub use valid::{
    Advice, Config, Exemption, Exemptions, ExtensionSettings, FeatureGates, HardenedSettings,
    Profile, ResourceLimit, ServerAdmission, Silencing, Strategy, TolerationLists,
};
