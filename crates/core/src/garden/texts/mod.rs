// SPDX-License-Identifier: Apache-2.0
//! A garden from the texts of its manifests, such as those of a directory.
//!
//! [`load`] takes all texts at once. A [`FileIndex`] is for files that change: a changed file replaces its own objects.
//!
//! Unreadable parts that may belong to a garden make the affected objects or kinds unknown.
//!
//! # Example
//!
//! ```
//! use garden_gate_core::admission::Kind;
//! use garden_gate_core::garden::texts::{Reading, load};
//!
//! let project = "apiVersion: core.gardener.cloud/v1beta1\nkind: Project\nmetadata: {name: dev}\n";
//! let garden = load("garden".as_ref(), [("dev.yaml", project)], &Reading::default());
//! assert_eq!(garden.snapshot.counts()[&Kind::Project], 1);
//! // Every garden has Seeds, so that the texts are only a part of it.
//! assert!(garden.lacking.contains(&Kind::Seed));
//! ```

mod dump;
mod file_content;
mod file_index;
mod identity;
mod kind_hints;
mod loaded;
mod missing_kinds;
mod problem;
mod raw_objects;
mod removals;
mod shoot_filter;
mod state;
mod wanted;

pub use dump::{DumpRecord, Incomplete};
pub use file_content::{FileContent, FileProblems, Item, Object, config_map_data};
pub use file_index::{Changes, FileIndex, NonRegularEntry, VanishedObjects};
pub use kind_hints::{mentioned, unescaped};
pub use loaded::{LoadedGarden, load};
pub use problem::{FilePosition, Problem};
pub use raw_objects::{RawObjects, raw_objects};
pub use removals::Removal;
pub use shoot_filter::ShootFilter;
pub use state::{FileMetadata, FileState};
pub use wanted::{Reading, Wanted};
