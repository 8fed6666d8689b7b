//! Rules about Quotas.

mod form;
mod scope_immutable;

use crate::engine::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[&form::RULE, &scope_immutable::RULE];
