// SPDX-License-Identifier: Apache-2.0
use json_patch::jsonptr::PointerBuf;
use json_patch::{AddOperation, Patch, PatchOperation, RemoveOperation, ReplaceOperation};
use serde_json::json;
use thiserror::Error;

use garden_gate_text::json::{Fields, Json, push_step};

/// Maximum number of operations.
///
/// Setting all defaults of a hundred worker pools needs fewer; the response would have some hundred kilobytes.
const MOST_OPERATIONS: usize = 2_000;

/// An error that prevents a patch.
#[derive(Debug, Error)]
pub(super) enum PatchError {
    /// The patch is too large.
    #[error(
        "more than {MOST_OPERATIONS} fields would have to be filled in; write out what Gardener fills in, or use fewer worker pools"
    )]
    TooLarge,
    /// A value cannot be serialized as JSON.
    #[error("a changed field cannot be written: {0}")]
    Value(#[from] serde_json::Error),
}

/// Returns the smallest JSON patch for `raw` that turns `before` into `after`.
///
/// `before` and `after` are typed views of `raw`, so that fields outside of the model are never changed. Only differing
/// values are parsed.
///
/// # Errors
/// Fails if the patch is too large or cannot be serialized.
pub(super) fn between(before: &str, after: &str, raw: &str) -> Result<Patch, PatchError> {
    if before == after {
        return Ok(Patch::default());
    }
    let mut making = Making { operations: Vec::new(), pointer: String::new() };
    let [before, after, raw] = [before, after, raw].map(Json::text);
    making.value([before, after], raw)?;
    Ok(Patch(making.operations))
}

/// Removes list elements; `pointers` are in order, and refer to the original object.
pub(super) fn removals(pointers: &[String]) -> Patch {
    // In reverse order, so that no removal shifts the remaining elements.
    let paths = pointers.iter().rev().map(PointerBuf::parse);
    let operations = paths.flatten().map(|path| PatchOperation::Remove(RemoveOperation { path }));
    Patch(operations.collect())
}

/// The operations so far, and the pointer of the current value.
struct Making {
    operations: Vec<PatchOperation>,
    pointer: String,
}

impl Making {
    /// Compares two values; `raw` is `null` if it is absent.
    fn value<'a>(
        &mut self,
        [mut before, mut after]: [Json<'a>; 2],
        mut raw: Json<'a>,
    ) -> Result<(), PatchError> {
        if before.is_same_text(&after) {
            return Ok(());
        }
        if let Some(before) = before.fields()
            && let Some(after) = after.fields()
        {
            return self.fields([before, after], raw);
        }
        if let Some(before) = before.elements()
            && let Some(after) = after.elements()
        {
            return self.elements([before, after], raw.elements().map_or(&[], |it| it));
        }
        self.put(&after, !raw.is_null())
    }

    fn fields(
        &mut self,
        [before, after]: [&Fields<'_>; 2],
        raw: Json<'_>,
    ) -> Result<(), PatchError> {
        // A typed view shows an absent or `null` struct as an empty one; the actual object needs it created first.
        if raw.is_null() {
            let (path, value) = (self.path(), json!({}));
            self.push(PatchOperation::Add(AddOperation { path, value }))?;
        }
        let fields = raw.into_fields();
        for field in before.pairs(after) {
            let raw = fields.get(&field.name).unwrap_or(&Json::NULL);
            self.at(&field.name, |making| match [field.own.is_null(), field.other.is_null()] {
                [_, true] if raw.is_null() => Ok(()),
                [_, true] => making.remove(),
                [true, false] => making.put(field.other, !raw.is_null()),
                [false, false] => {
                    making.value([field.own.clone(), field.other.clone()], raw.clone())
                }
            })?;
        }
        Ok(())
    }

    fn elements(
        &mut self,
        [before, after]: [&[Json<'_>]; 2],
        raw: &[Json<'_>],
    ) -> Result<(), PatchError> {
        for (index, after) in after.iter().enumerate() {
            let raw = raw.get(index).unwrap_or(&Json::NULL);
            self.at(&index.to_string(), |making| match before.get(index) {
                Some(before) => making.value([before.clone(), after.clone()], raw.clone()),
                None => making.put(after, false),
            })?;
        }
        let mut gone = (after.len()..before.len()).rev();
        gone.try_for_each(|index| self.at(&index.to_string(), Self::remove))
    }

    /// Processes a field or element of the current value.
    fn at(
        &mut self,
        name: &str,
        run: impl FnOnce(&mut Self) -> Result<(), PatchError>,
    ) -> Result<(), PatchError> {
        let length = self.pointer.len();
        push_step(&mut self.pointer, name);
        let result = run(self);
        self.pointer.truncate(length);
        result
    }

    fn put(&mut self, value: &Json<'_>, is_there: bool) -> Result<(), PatchError> {
        let (path, value) = (self.path(), value.read()?);
        self.push(if is_there {
            PatchOperation::Replace(ReplaceOperation { path, value })
        } else {
            PatchOperation::Add(AddOperation { path, value })
        })
    }

    fn remove(&mut self) -> Result<(), PatchError> {
        let path = self.path();
        self.push(PatchOperation::Remove(RemoveOperation { path }))
    }

    fn push(&mut self, operation: PatchOperation) -> Result<(), PatchError> {
        if self.operations.len() == MOST_OPERATIONS {
            return Err(PatchError::TooLarge);
        }
        self.operations.push(operation);
        Ok(())
    }

    /// Returns the current pointer.
    /// Segments are escaped, so that it is always valid.
    fn path(&self) -> PointerBuf {
        PointerBuf::parse(self.pointer.as_str()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::PatchError;

    fn between(raw: &Value, before: &Value, after: &Value) -> json_patch::Patch {
        let [before, after] = [before, after].map(Value::to_string);
        super::between(&before, &after, &raw.to_string()).unwrap()
    }

    fn patched(raw: Value, before: &Value, after: &Value) -> Value {
        let patch = between(&raw, before, after);
        let mut result = raw;
        json_patch::patch(&mut result, &patch).unwrap();
        result
    }

    #[test]
    fn nothing_changed_is_no_patch() {
        let object = json!({"spec": {"tolerations": [{"key": "a"}]}});
        assert!(between(&object, &object, &object).is_empty());
    }

    #[test]
    fn appending_touches_only_the_new_element() {
        let raw = json!({"spec": {"tolerations": [{"key": "a", "unknown": 1}], "other": true}});
        let before = json!({"spec": {"tolerations": [{"key": "a"}]}});
        let after = json!({"spec": {"tolerations": [{"key": "a"}, {"key": "b"}]}});
        let result = patched(raw, &before, &after);
        assert_eq!(
            result["spec"]["tolerations"],
            json!([{"key": "a", "unknown": 1}, {"key": "b"}])
        );
    }

    #[rstest]
    #[case::absent(json!({}))]
    #[case::null(json!({"spec": null}))]
    #[case::null_below(json!({"spec": {"x": null}}))]
    fn absent_and_null_parents_are_made(#[case] raw: Value) {
        let (before, after) = (json!({"spec": {"x": {}}}), json!({"spec": {"x": {"y": 1}}}));
        assert_eq!(patched(raw, &before, &after), after);
    }

    #[rstest]
    #[case::shorter(json!({"a": [1, 2, 3, 4]}), json!({"a": [1, 3]}))]
    #[case::longer(json!({"a": [{"b": 1}]}), json!({"a": [{"b": 2}, {"c": 3}, {"d": 4}]}))]
    #[case::removed(json!({"a": {"b": 1, "c": 2}}), json!({"a": {"c": 2}}))]
    #[case::slashes(json!({"a/b~c": {"/": 1}}), json!({"a/b~c": {"/": 2, "~1": 3}}))]
    #[case::other_kind(json!({"a": {"b": [1]}}), json!({"a": {"b": {"c": 1}}}))]
    fn the_patch_makes_one_of_the_other(#[case] before: Value, #[case] after: Value) {
        assert_eq!(patched(before.clone(), &before, &after), after);
        assert_eq!(patched(after.clone(), &after, &before), before);
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<u8>().prop_map(Value::from),
            "[a\"\\\\]{0,2}".prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[ab/~\"]{1,2}", inner, 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn whatever_there_is_becomes_whatever_is_wanted(before in value(), after in value()) {
            prop_assert_eq!(patched(before.clone(), &before, &after), after);
        }

        #[test]
        fn fields_are_found_wherever_they_stand(fields in prop::collection::vec((0..4_u8, 0..4_u8), 0..40)) {
            // Fields with even numbers are present.
            let object = |half: fn(&(u8, u8)) -> u8| {
                fields
                    .iter()
                    .map(half)
                    .enumerate()
                    .filter(|(_, value)| value % 2 == 0)
                    .map(|(name, value)| (format!("{name:02}"), json!(value)))
                    .collect::<Value>()
            };
            let (before, after) = (object(|it| it.0), object(|it| it.1));
            prop_assert_eq!(patched(before.clone(), &before, &after), after);
        }
    }

    #[test]
    fn what_no_tree_can_hold_stays_where_it_is() {
        let raw =
            format!(r#"{{"config": {}"\ud800"{}, "a": 1}}"#, "[".repeat(500), "]".repeat(500));
        let patch = super::between(r#"{"a": 1}"#, r#"{"a": 2}"#, &raw).unwrap();
        let expected = json!([{"op": "replace", "path": "/a", "value": 2}]);
        assert_eq!(serde_json::to_value(patch).unwrap(), expected);
    }

    #[test]
    fn an_absurd_patch_is_none() {
        let list = |length: usize| json!({"a": vec![json!({}); length]}).to_string();
        let made = |length| super::between(&list(0), &list(length), "{}");
        assert!(made(2_000).is_ok());
        assert!(matches!(made(2_001), Err(PatchError::TooLarge)));
    }
}
