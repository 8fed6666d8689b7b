//! What a rule may ask about the landscape.
//!
//! What is kept of each kind, and how it becomes known, stands in the table of [`Kind`](crate::model::Kind); which rule looks up what,
//! in its `reads`. There are many Shoots, so that of each only what it uses is kept, and found by what is used.
//!
//! A [`Snapshot`] is cheap to clone; a request takes one and keeps it to its end. [`directory`] makes one out of manifests,
//! [`live`] out of what an API server shows. What it cannot tell is a [`Question`]; the answers are told to the request's own
//! clone of it, so that rules only ever see a garden.

mod access;
mod children;
mod collection;
mod decompressed;
pub mod directory;
mod domains;
mod index;
mod interner;
pub mod live;
mod live_answers;
mod lookup;
mod merged;
mod object_names;
mod policies;
mod question;
mod quotas;
mod rbac;
mod read;
mod referenced;
mod regions;
mod shoots;
mod snapshot;

pub use crate::model::{GardenObject, ObjectKey};
pub use access::{AccessAnswer, AccessQuestion};
pub use children::Children;
pub use collection::Collection;
pub use domains::Rival;
pub use lookup::Lookup;
pub use object_names::Named;
pub use question::Question;
pub use read::read;
pub use regions::distances;
pub use shoots::{ProfileUsers, Shoots};
pub use snapshot::{Knowledge, Snapshot};
