use super::correlation::Correlation;
use super::decoding::Decoded;
use super::schema::SchemaValidation;
use super::tree::Tree;
use super::violation::{Validated, leave_open};
use super::{expressions, list_types};
use crate::admission::{FieldPath, Request};
use garden_gate_model::api::Definition;

/// Decodes and validates the objects of a CREATE or UPDATE.
///
/// `None` if the definition of the kind, or the object, is missing.
pub(crate) fn validate(request: &Request<'_>) -> Option<Validated<'static>> {
    let definition = Definition::of(request.kind()?)?;
    let decoded = Decoded::of(definition, request)?;
    Some(validated(&decoded, definition))
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
        expressions::evaluate((&decoded.new, old), schema, &mut validated);
    }
    validated
}
