// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::value::RawValue;

use crate::recorded_requests;

/// The text of an AdmissionReview without spaces, in which parts can be replaced by any bytes.
///
/// Paths are names and indexes, separated by slashes; the empty path is the whole review.
#[derive(Clone)]
pub(super) struct Body(String);

impl Body {
    /// Returns a recorded review, with the order of fields of an API server.
    pub(super) fn recorded(name: &str) -> Self {
        Self(recorded_requests::recorded(name))
    }

    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Returns the position of a value.
    fn value(&self, path: &str) -> Range<usize> {
        let mut text = self.0.as_str();
        for step in path.split('/').filter(|step| !step.is_empty()) {
            text = match step.parse::<usize>() {
                Ok(index) => serde_json::from_str::<Vec<&RawValue>>(text).unwrap()[index].get(),
                Err(_) => {
                    serde_json::from_str::<BTreeMap<&str, &RawValue>>(text).unwrap()[step].get()
                }
            };
        }
        let start = text.as_ptr().addr() - self.0.as_ptr().addr();
        start..start + text.len()
    }

    /// Reports whether there is a value at a path of names.
    pub(super) fn has(&self, path: &str) -> bool {
        let review: serde_json::Value = serde_json::from_str(&self.0).unwrap();
        review.pointer(&format!("/{path}")).is_some()
    }

    /// Returns the position of the name of a field.
    fn name(&self, path: &str) -> Range<usize> {
        let (_, name) = path.rsplit_once('/').unwrap_or(("", path));
        let end = self.value(path).start - 1;
        end - name.len() - 2..end
    }

    fn spliced(&self, range: Range<usize>, bytes: &[u8]) -> Vec<u8> {
        let text = self.0.as_bytes();
        [&text[..range.start], bytes, &text[range.end..]].concat()
    }

    /// Replaces a value.
    pub(super) fn with_value(&self, path: &str, value: &[u8]) -> Vec<u8> {
        self.spliced(self.value(path), value)
    }

    /// Replaces a value by well-formed JSON, for further changes.
    pub(super) fn changed(&self, path: &str, value: &str) -> Self {
        Self(String::from_utf8(self.with_value(path, value.as_bytes())).unwrap())
    }

    /// Replaces the name of a field, with its quotes.
    pub(super) fn with_name(&self, path: &str, name: &[u8]) -> Vec<u8> {
        self.spliced(self.name(path), name)
    }

    /// Adds bytes at the start of an object, such as `"a":1,`.
    pub(super) fn with_first(&self, path: &str, field: &[u8]) -> Vec<u8> {
        let start = self.value(path).start + 1;
        self.spliced(start..start, field)
    }

    /// Adds bytes at the end of an object, such as `,"a":1`.
    pub(super) fn with_last(&self, path: &str, field: &[u8]) -> Vec<u8> {
        let end = self.value(path).end - 1;
        self.spliced(end..end, field)
    }

    /// Returns the text of a value.
    pub(super) fn get(&self, path: &str) -> &str {
        &self.0[self.value(path)]
    }

    /// Removes a field.
    pub(super) fn without(&self, path: &str) -> Vec<u8> {
        let (start, mut end) = (self.name(path).start, self.value(path).end);
        let mut range = start..end;
        match self.0.as_bytes()[end] {
            b',' => {
                end += 1;
                range.end = end;
            }
            _ => range.start -= 1,
        }
        self.spliced(range, b"")
    }

    /// Writes the fields of an object in another order: the named ones first, the others sorted.
    pub(super) fn ordered(&self, path: &str, order: &[&str]) -> Self {
        let fields: BTreeMap<&str, &RawValue> = serde_json::from_str(self.get(path)).unwrap();
        assert!(order.iter().all(|name| fields.contains_key(name)));
        let named = order.iter().copied();
        let others = fields.keys().copied().filter(|name| !order.contains(name));
        let fields: Vec<String> =
            named.chain(others).map(|name| format!("\"{name}\":{}", fields[name].get())).collect();
        self.changed(path, &format!("{{{}}}", fields.join(",")))
    }
}
