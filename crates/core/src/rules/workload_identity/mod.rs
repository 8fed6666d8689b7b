// SPDX-License-Identifier: Apache-2.0
//! Rules about WorkloadIdentities.

mod form;
mod immutable_fields;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[&form::RULE, &immutable_fields::RULE];
