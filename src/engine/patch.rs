use json_patch::jsonptr::PointerBuf;
use json_patch::{AddOperation, Patch, PatchOperation, RemoveOperation};
use serde::Serialize;
use serde_json::{Value, json};

/// The smallest JSON patch that turns `before` into `after` in the object that `raw` is, empty if they are equal.
///
/// Both are typed views of `raw`, so whatever they do not model stays untouched.
pub(super) fn between<T: Serialize>(before: &T, after: &T, raw: &Value) -> Patch {
    let (Ok(before), Ok(after)) = (serde_json::to_value(before), serde_json::to_value(after))
    else {
        return Patch::default();
    };
    let Patch(operations) = json_patch::diff(&before, &after);
    let mut patch = Vec::with_capacity(operations.len());
    let mut present = raw.clone();
    for operation in operations {
        add_missing_parents(&operation, &mut present, &mut patch);
        patch.push(operation);
    }
    Patch(patch)
}

/// Removes list elements; `pointers` are in order, each as it is before anything is removed.
pub(super) fn removals(pointers: &[String]) -> Patch {
    // From the end, so that no removal moves what is still to be removed.
    let paths = pointers.iter().rev().map(PointerBuf::parse);
    let operations = paths
        .flatten()
        .map(|path| PatchOperation::Remove(RemoveOperation { path }));
    Patch(operations.collect())
}

/// A typed view shows an absent or `null` struct as an empty one; in the real object it must be made first.
fn add_missing_parents(
    operation: &PatchOperation,
    present: &mut Value,
    patch: &mut Vec<PatchOperation>,
) {
    let pointer = operation.path().to_string();
    for (end, _) in pointer.match_indices('/').skip(1) {
        let parent = &pointer[..end];
        if present.pointer(parent).is_none_or(Value::is_null) {
            let Ok(path) = PointerBuf::parse(parent) else {
                return;
            };
            let add = PatchOperation::Add(AddOperation {
                path,
                value: json!({}),
            });
            if json_patch::patch(present, std::slice::from_ref(&add)).is_err() {
                return;
            }
            patch.push(add);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    fn patched(raw: Value, before: Value, after: Value) -> Value {
        let patch = super::between(&before, &after, &raw);
        let mut result = raw;
        json_patch::patch(&mut result, &patch).unwrap();
        result
    }

    #[test]
    fn nothing_changed_is_no_patch() {
        let object = json!({"spec": {"tolerations": [{"key": "a"}]}});
        assert!(super::between(&object, &object, &object).is_empty());
    }

    #[test]
    fn appending_touches_only_the_new_element() {
        let raw = json!({"spec": {"tolerations": [{"key": "a", "unknown": 1}], "other": true}});
        let before = json!({"spec": {"tolerations": [{"key": "a"}]}});
        let after = json!({"spec": {"tolerations": [{"key": "a"}, {"key": "b"}]}});
        let result = patched(raw, before, after);
        assert_eq!(
            result["spec"]["tolerations"],
            json!([{"key": "a", "unknown": 1}, {"key": "b"}])
        );
    }

    #[test]
    fn absent_and_null_parents_are_made() {
        let (before, after) = (json!({"spec": {}}), json!({"spec": {"x": {"y": 1}}}));
        assert_eq!(patched(json!({}), before.clone(), after.clone()), after);
        assert_eq!(patched(json!({"spec": null}), before, after.clone()), after);
    }
}
