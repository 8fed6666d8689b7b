// SPDX-License-Identifier: Apache-2.0
//! Functions and operators: their signatures, costs and implementations.

mod arithmetic;
mod conversions;
mod declaration;
mod format;
mod libraries;
mod lists;
mod signature;
mod strings;
mod table;
#[cfg(test)]
mod tests;

pub(super) use declaration::{Declaration, Implementation, Price};
pub(super) use format::walk as walk_format;
pub(super) use lists::sort_by_keys;
pub(super) use signature::Signature;
pub(super) use strings::with_pattern;
pub(super) use table::{ELSEWHERE, ESCAPE_KEY, find, is_declared};
