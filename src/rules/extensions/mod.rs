//! Rules for what the admission components of extensions decide.

mod cilium;
mod component;
mod decoding;

pub(in crate::rules) use component::{CommonFindings, Component};
pub(in crate::rules) use decoding::Failure;

use crate::admission::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[&cilium::shoot::RULE];
