// SPDX-License-Identifier: Apache-2.0
//! The garden cluster's objects as rules see them.
//!
//! The table of [`Kind`](garden_gate_model::api::Kind) defines which part of each kind is kept, and where its objects come from.
//! Each rule declares its lookups in `reads`.
//! Gardens have many Shoots, so that only the fields in use are kept of each, with indexes.
//!
//! A [`Snapshot`] is cheap to clone; each request uses one clone.
//! Lookups that a snapshot cannot answer are [`Question`]s.
//! Their answers are added to the request's clone, so that rules only use snapshots.

mod access;
mod children;
mod collection;
mod decompressed;
mod derived;
mod domains;
mod extensions;
mod gardener_info;
mod index;
mod interner;
mod live_answers;
mod merged;
mod object_names;
mod parameters;
mod policies;
mod question;
mod quotas;
mod rbac;
mod read;
mod referenced;
mod regions;
mod shoots;
mod snapshot;
pub mod texts;
mod unknown;

pub use access::AccessQuestion;
pub use children::Children;
pub use collection::Collection;
pub use domains::ConflictingDomain;
pub use extensions::{ExtensionAdmission, WEBHOOK_CONFIGURATIONS};
pub use garden_gate_model::api::{GardenObject, ObjectKey};
pub use gardener_info::PublishedVersion;
pub use interner::Interner;
pub use object_names::{FileNames, Named, NamedObject};
pub use parameters::{FurtherObjects, Parameter, Parameters, RawObject};
pub use policies::ADMISSION_POLICIES;
pub use question::Question;
pub use read::{read, read_with_configuration};
pub use regions::distances;
pub use shoots::{ProfileUsers, Shoots, ShootsVersion};
pub use snapshot::{Knowledge, Snapshot};
pub use unknown::Unknown;
