// SPDX-License-Identifier: Apache-2.0
//! Rules about kinds that CustomResourceDefinitions declare.

mod explanation;
mod form;
mod unknown_fields;
mod validation_rule;

pub(crate) use explanation::{help, message};
pub(super) use unknown_fields::unknown_fields;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[&form::RULE, &validation_rule::RULE];
