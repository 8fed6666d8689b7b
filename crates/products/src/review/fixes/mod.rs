// SPDX-License-Identifier: Apache-2.0
//! Fixes of files and of webhook configurations.

mod files;
mod webhooks;

pub use files::{FixOptions, Fixed, FixedFile, MadeFix, fix};
pub use webhooks::remediated;
