//! What a version is worth at an instant: pure functions, the clock is a parameter.

mod classification;
mod minor;

pub use classification::{Classified, current_classification, is_active};
pub use minor::minor;
