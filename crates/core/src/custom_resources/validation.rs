// SPDX-License-Identifier: Apache-2.0
use std::cell::OnceCell;

use super::correlation::Correlation;
use super::decoding::Decoded;
use super::schema::SchemaValidation;
use super::tree::Tree;
use super::violation::{Validated, leave_open};
use super::{expressions, list_types};
use crate::admission::{FieldPath, Request};
use garden_gate_model::api::{Definition, Schema};

/// A custom resource that is created or updated, and its definition.
#[derive(Debug)]
pub(crate) struct CustomResource {
    pub(crate) definition: &'static Definition,
    pub(crate) decoded: Decoded,
    validated: OnceCell<Validated<'static>>,
}

impl CustomResource {
    /// Decodes the objects of a request; `None` for kinds without a definition, for other operations, or without a new object.
    pub(crate) fn of(request: &Request<'_>) -> Option<Self> {
        let definition = Definition::of(request.kind()?)?;
        let decoded = Decoded::of(definition, request)?;
        Some(Self { definition, decoded, validated: OnceCell::new() })
    }

    /// Returns the result of the validation, which is computed on first use.
    pub(crate) fn validated(&self) -> &Validated<'static> {
        self.validated.get_or_init(|| validated(&self.decoded, self.definition))
    }
}

/// Validates the new object.
pub(super) fn validated(decoded: &Decoded, definition: &'static Definition) -> Validated<'static> {
    let mut validated = Validated::default();
    if let Some((field, why)) = &decoded.unreadable {
        leave_open(&mut validated.undetermined, field, (*why).to_owned());
        return validated;
    }
    let schema = &definition.schema;
    let old = decoded.old.as_ref();
    let correlation = old.map(|old| Correlation::of(&decoded.new, old, schema));
    let mut validation = SchemaValidation::of(&mut validated);
    if decoded.is_status {
        let of_status = |it: &Tree| it.as_map().and_then(|it| it.get("status").cloned());
        if let (Some(status), Some(schema)) = (of_status(&decoded.new), schema.field("status")) {
            let path = FieldPath::new("status");
            let correlation = correlation.and_then(|it| it.field("status"));
            validation.value(&status, schema, (&path, correlation));
        }
    } else {
        validation.value(&decoded.new, schema, (&FieldPath::root(), correlation));
    }
    list_types::validate((&decoded.new, old), schema, &mut validated.form);
    if !validated.form.blocks_rules() {
        expressions::evaluate((&decoded.new, old), schema, true, &mut validated);
    }
    validated
}

/// Validates a part of an object, and returns the cost of its rules in CEL. Unchanged values are validated, too.
pub(crate) fn validate_part<'d>(decoded: &Decoded, schema: &'d Schema) -> (Validated<'d>, u64) {
    let mut validated = Validated::default();
    if let Some((field, why)) = &decoded.unreadable {
        leave_open(&mut validated.undetermined, field, (*why).to_owned());
        return (validated, 0);
    }
    let place = (&FieldPath::root(), None);
    SchemaValidation::of(&mut validated).value(&decoded.new, schema, place);
    list_types::validate((&decoded.new, None), schema, &mut validated.form);
    let is_blocked = validated.form.blocks_rules();
    let objects = (&decoded.new, decoded.old.as_ref());
    let mut evaluate = || expressions::evaluate(objects, schema, false, &mut validated);
    let cost = if is_blocked { 0 } else { evaluate() };
    (validated, cost)
}
