// SPDX-License-Identifier: Apache-2.0
//! Classification of versions over time, as pure functions: the clock is a parameter.

mod classification;
mod latest;
mod machine_image;
pub mod maintenance;
mod merge;
mod overlap;
mod prefix;

pub use classification::{
    Classified, current_classification, expiry, is_active, is_deprecated, is_expired, is_preview,
    is_supported, is_unavailable, rank,
};
pub use latest::{Latest, latest};
pub use machine_image::{
    architecture_of, supports_architecture, supports_capabilities, supports_in_place_update,
};
pub use merge::{merge_profiles, to_format_of};
pub use overlap::{Overlap, supported_overlaps};
pub use prefix::{NotANumber, Prefix};
