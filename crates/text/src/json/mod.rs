// SPDX-License-Identifier: Apache-2.0
//! JSON text, compared and accessed without a tree.
//!
//! An object of a request may contain megabytes of fields that no model has. It may not be representable as a tree: numbers
//! beyond any type, halves of surrogate pairs, a hundred thousand levels. These modules accept all of it, and the cost is
//! linear in the size of the text.

mod decode;
mod edit;
mod equality;
mod failure;
mod lazy;
mod path;
mod placeholders;
mod pointer;
mod raw_value;
mod scan;
mod syntax;
mod zero;

pub use decode::{FieldTexts, RawObjects, Scanned, decode, decode_valid, decode_value, scan};
pub use edit::Edit;
pub use equality::{Form, Typing};
pub use lazy::{FieldPair, Fields, Json};
pub use path::{JsonPath, JsonStep, without_position, without_values};
pub use placeholders::Placeholders;
pub use pointer::{escape_step, push_step, unescape_step};
pub use raw_value::{Quoted, RawJson, as_text};
pub use scan::JsonReader;
pub use syntax::Nested;

#[cfg(test)]
mod tests;
