// SPDX-License-Identifier: Apache-2.0
//! The known kinds, and the typed models of their objects.

mod compressed;
pub(super) mod declared;
mod deflate;
mod key;
mod kind;
mod object;
mod set;
mod table;

pub use compressed::Compressed;
pub(super) use deflate::{deflate, inflate};
pub use key::{Name, ObjectKey};
pub use kind::{Kind, Retrieval, group_and_version};
pub use object::{Form, GardenObject, SnapshotObject};
pub use set::Kinds;
