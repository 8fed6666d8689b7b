// SPDX-License-Identifier: Apache-2.0
//! Kinds that CustomResourceDefinitions declare, and the definitions of those that gardener-operator installs.
//!
//! The definitions are data of Gardener; `crates/model/definitions/README.md` has their source and licence.

mod definition;
mod objects;
mod schema;

pub use definition::Definition;
pub(in crate::api) use definition::{declared, is_declared};
pub(in crate::api) use objects::object_of;
pub use schema::{JsonType, ListType, Schema, SchemaOrBool, ValidationRule};
