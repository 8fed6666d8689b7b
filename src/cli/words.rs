// SPDX-License-Identifier: Apache-2.0
//! Arguments for commands in another process.

use std::ffi::OsString;
use std::path::{Path, absolute};

/// Returns an argument with a path as its value, which is the same in every working directory.
pub(in crate::cli) fn named(flag: &str, path: &Path) -> OsString {
    let mut word = OsString::from(flag);
    word.push("=");
    word.push(absolute(path).as_deref().unwrap_or(path));
    word
}
