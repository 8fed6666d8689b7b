//! Objects as YAML, and how two of them differ.

mod diff;
mod write;

pub use diff::diff;
pub use write::yaml_document;
