//! Objects as YAML, and their differences.

mod diff;
mod write;

pub use diff::diff;
pub use write::yaml_document;
