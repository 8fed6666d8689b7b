// SPDX-License-Identifier: Apache-2.0
//! Interpretation of a Shoot's status: its label, and the codes of its errors.

mod error_codes;
mod label;

pub use error_codes::{ERROR_CODES, ErrorCode, error_code, is_retried};
pub use label::{LABEL, status_label};
