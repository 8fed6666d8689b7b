//! Go and Kubernetes behaviour re-made, each piece checked against recorded answers of the original.

mod duration;
mod label;
mod semantic;

pub use duration::parse_duration;
pub use label::{label_value_error, qualified_name_error};
pub use semantic::semantically_equal;
