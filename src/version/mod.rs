//! What a version is worth at an instant: pure functions, the clock is a parameter.

mod classification;

pub use classification::{Classified, current_classification, is_active};
