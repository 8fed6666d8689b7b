//! JSON as text: compared and looked into without a tree of it.
//!
//! An object of a request may be megabytes of what nobody models, and may hold what no tree can: numbers beyond any type, halves of
//! surrogate pairs, a hundred thousand levels. Here nothing is unreadable, and the cost is linear in the text.

mod equality;
mod index;
mod lazy;
mod nested;
mod path;
mod raw_value;
mod reader;
mod scan;
mod tree;

pub use equality::{Form, Typing};
pub use index::{Beside, IndexedValue, JsonIndex, Name};
pub use lazy::{FieldPair, Fields, Json};
pub use nested::Nested;
pub use path::{JsonPath, JsonStep, without_position};
pub use raw_value::{Quoted, RawJson, as_text};
pub use reader::JsonReader;
pub use tree::Tree;

#[cfg(test)]
mod tests;
