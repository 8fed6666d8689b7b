//! Rules about kinds that CustomResourceDefinitions declare.

mod explanation;
mod form;
mod unknown_fields;
mod validation_rule;

pub(super) use unknown_fields::unknown_fields;

use crate::admission::{Rule, finding_kinds};

pub(crate) const RULES: &[&Rule] = &[&form::RULE, &validation_rule::RULE];

finding_kinds! {
    WRONG_TYPE = "field/wrong-type": "a value has the wrong type",
    REFUSED = "custom-resource/validation-rule": "a rule of the CustomResourceDefinition refuses the value",
}
