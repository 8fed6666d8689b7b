// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::sync::Arc;

use super::value::{Map, Value};
use garden_gate_text::json::unescape_step;

/// The fields below a value that are not known, by name or index.
#[derive(Debug, Default)]
struct UnknownFields<'a> {
    /// The reason why the value itself is not known.
    reason: Option<&'a Arc<str>>,
    inner: BTreeMap<String, Self>,
}

impl<'a> UnknownFields<'a> {
    fn add(&mut self, pointer: &str, reason: &'a Arc<str>) {
        let steps = pointer.split('/').skip(1).map(unescape_step);
        let field = steps.fold(self, |fields, step| fields.inner.entry(step).or_default());
        field.reason = Some(reason);
    }

    /// Returns a value with these fields replaced, in one pass.
    fn replace(&self, value: &Value) -> Value {
        match (self.reason, value) {
            (Some(reason), _) => Value::Unknown(Arc::clone(reason)),
            (None, Value::Map(map)) => Value::Map(Arc::new(self.replace_in_map(map))),
            (None, Value::List(list)) => {
                let mut items = list.items.clone();
                for (index, fields) in &self.inner {
                    if let Ok(index) = index.parse::<usize>()
                        && let Some(item) = items.get_mut(index)
                    {
                        *item = fields.replace(item);
                    }
                }
                Value::List(Arc::new(list.with_items(items)))
            }
            (None, other) => other.clone(),
        }
    }

    fn replace_in_map(&self, map: &Map) -> Map {
        let mut pairs = map.entries().to_vec();
        for (name, fields) in &self.inner {
            let known = map.position(name).and_then(|it| pairs.get_mut(it));
            match (known, fields.reason) {
                (Some((_, value)), _) => *value = fields.replace(value),
                (None, Some(reason)) => {
                    let value = Value::Unknown(Arc::clone(reason));
                    pairs.push((Value::from(name.as_str()), value));
                }
                (None, None) => {}
            }
        }
        map.with_entries(pairs)
    }
}

impl Value {
    /// Returns the value with fields that are not known, given as JSON pointers with the reasons.
    ///
    /// A field may be absent; the map that it belongs to must not.
    #[must_use]
    pub fn with_unknown(self, fields: &[(String, Arc<str>)]) -> Self {
        if fields.is_empty() {
            return self;
        }
        let mut unknown = UnknownFields::default();
        for (pointer, reason) in fields {
            unknown.add(pointer, reason);
        }
        unknown.replace(&self)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rstest::rstest;
    use serde_json::json;

    use crate::Value;

    #[rstest]
    #[case::none(&[], "{a: {b: 1}, l: [1, [2]]}")]
    #[case::field(&[("/a/b", "x")], "{a: {b: unknown (x)}, l: [1, [2]]}")]
    #[case::absent(&[("/a/c", "x"), ("/a/c/d", "y")], "{a: {b: 1, c: unknown (x)}, l: [1, [2]]}")]
    #[case::below_an_absent_one(&[("/n/m", "x")], "{a: {b: 1}, l: [1, [2]]}")]
    #[case::elements(&[("/l/1/0", "x"), ("/l/0", "y"), ("/l/7", "z"), ("/l/n", "z")], "{a: {b: 1}, l: [unknown (y), [unknown (x)]]}")]
    #[case::below_another(&[("/a/b", "x"), ("/a", "y")], "{a: unknown (y), l: [1, [2]]}")]
    #[case::above_another(&[("/a", "y"), ("/a/b", "x")], "{a: unknown (y), l: [1, [2]]}")]
    #[case::last_reason(&[("/a", "x"), ("/a", "y")], "{a: unknown (y), l: [1, [2]]}")]
    #[case::all(&[("", "x")], "unknown (x)")]
    fn fields_are_replaced(#[case] fields: &[(&str, &str)], #[case] expected: &str) {
        let value = Value::from_json(&json!({"a": {"b": 1}, "l": [1, [2]]}));
        let fields: Vec<(String, Arc<str>)> =
            fields.iter().map(|(field, why)| ((*field).to_owned(), (*why).into())).collect();
        assert_eq!(value.with_unknown(&fields).to_string(), expected);
    }
}
