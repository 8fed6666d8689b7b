//! All fields of the supported kinds: one row per field, in files that read like an API reference.
//!
//! A row declares the shape, presence and constraints of a field. Strict decoding, the JSON Schema for editors and the rules about single
//! fields are derived from it.
//!
//! Rows are declared with `object!`:
//!
//! ```text
//! object! {
//!     /// A pool of machines that are alike.
//!     Worker {
//!         /// Name of the pool.
//!         name: String required;
//!         /// Zones that machines are spread over.
//!         zones: [String];
//!         taints: [NodeTaint];
//!         tolerations: [GardenToleration; by key];
//!         labels: {String};
//!         effect: String => [Enum(&["NoExecute", "NoSchedule"])];
//!     }
//! }
//! ```
//!
//! `[…]` is a list, replaced as a whole unless `by` names the field that identifies its items, or `set` declares that the items
//! identify themselves. `{…}` is a map from names. `required` fields cannot be omitted; `filled` fields are always stored, with a default if
//! omitted.

#![expect(
    non_upper_case_globals,
    reason = "objects are named as the types that they describe"
)]

mod bindings;
mod cloud_profile;
mod constraint;
mod exposure_class;
mod json_schema;
mod kinds;
pub mod kubernetes;
mod namespaced_cloud_profile;
mod project;
mod quota;
mod removed;
mod seed;
mod shared;
mod shoot;
mod strict;
mod table;
mod typing;

pub use constraint::{Constraint, Format, seconds};
pub use json_schema::json_schema;
pub use kinds::{Described, KINDS, described};
pub use removed::Removed;
pub use strict::{Listed, Step, StrictErrors};
pub use table::{Field, ListKind, Object, Presence, Shape};
pub use typing::Declared;

use table::object;
