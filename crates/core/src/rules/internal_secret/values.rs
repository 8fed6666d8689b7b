// SPDX-License-Identifier: Apache-2.0
use crate::admission::FieldPath;
use crate::rules::shared::validation::Part;
use garden_gate_text::go::{decoded_base64, is_json_object};

/// A value of an InternalSecret.
pub(super) struct Value {
    pub(super) key: String,
    pub(super) field: FieldPath,
    pub(super) text: String,
    /// The bytes; `None` if the text is not base64, which values in `data` must be.
    pub(super) bytes: Option<Vec<u8>>,
}

impl Value {
    /// Returns the number of bytes; 0 if they are not known.
    pub(super) fn length(&self) -> usize {
        self.bytes.as_ref().map_or(0, Vec::len)
    }

    /// Reports whether it is a JSON object, or `null`.
    pub(super) fn is_json_object(&self) -> bool {
        is_json_object(self.bytes.as_deref().unwrap_or(self.text.as_bytes()))
    }
}

/// Returns the values of `data`, then those of `stringData`, which replace others of the same key.
pub(super) fn values(secret: &Part<'_>) -> Vec<Value> {
    let mut values = Vec::new();
    for (field, is_plain) in [("data", false), ("stringData", true)] {
        for (key, value) in secret.at(&[field]).iter().flat_map(Part::entries) {
            let text = value.text().unwrap_or_default();
            let bytes =
                if is_plain { Some(text.clone().into_bytes()) } else { decoded_base64(&text) };
            values.push(Value { key, field: value.path().clone(), text, bytes });
        }
    }
    values
}
