// SPDX-License-Identifier: Apache-2.0
//! JSON patches of policies.
//!
//! Mirrors `gopkg.in/evanphx/json-patch.v4`, which differs from RFC 6902: indices may be negative, `replace` also adds fields, and `value`
//! may be missing.

use serde_json::Value;

use garden_gate_cel::PatchOperation;

/// The result of a patch that can be applied.
#[derive(Clone, Debug, PartialEq)]
pub enum Patched {
    /// The changed object.
    Changed(Value),
    /// A `test` failed, so that nothing is changed.
    Untouched,
}

/// The reason why there is no result.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PatchFailure {
    /// The patch cannot be applied.
    Failed(String),
    /// The behavior of an API server is not known.
    Unknown(&'static str),
}

/// Maximum size of all copied values, in bytes, as in API servers (`JSONPatchMaxCopyBytes`).
const MOST_COPIED: usize = 3 << 20;
const NULL: &str = "operations at a value `null` that another one added are not evaluated";
const TESTED_NULL: &str = "a `test` of a list with `null` is not evaluated";

/// Applies the operations in order.
///
/// # Errors
/// Fails if an operation cannot be applied, other than a `test` of another value.
pub fn apply(object: &Value, operations: &[PatchOperation]) -> Result<Patched, PatchFailure> {
    let mut changed = object.clone();
    let mut nulls: Vec<AddedNull> = Vec::new();
    let mut copied = 0;
    for operation in operations {
        if nulls.iter().any(|it| it.is_used_by(operation)) {
            return Err(PatchFailure::Unknown(NULL));
        }
        nulls.extend(AddedNull::of(&mut changed, operation));
        match applied(&mut changed, operation, &mut copied) {
            Ok(true) => {}
            Ok(false) => return Ok(Patched::Untouched),
            Err(PatchFailure::Failed(why)) => {
                return Err(PatchFailure::Failed(format!("JSON Patch: {why}")));
            }
            Err(unknown) => return Err(unknown),
        }
    }
    Ok(Patched::Changed(changed))
}

/// The path of a value `null` that an operation adds. The API server treats it as an object that cannot be changed.
struct AddedNull {
    steps: Vec<String>,
    is_in_list: bool,
}

impl AddedNull {
    fn of(object: &mut Value, operation: &PatchOperation) -> Option<Self> {
        if operation.op == "test" || operation.value != Some(Value::Null) {
            return None;
        }
        let is_in_list = matches!(parent(object, &operation.path), Some((Value::Array(_), _)));
        Some(Self { steps: steps(&operation.path), is_in_list })
    }

    /// Reports whether an operation reads the value, a part of it, or an element whose index it may shift.
    fn is_used_by(&self, operation: &PatchOperation) -> bool {
        let Self { steps: null, is_in_list } = self;
        let above = if *is_in_list { null.len().saturating_sub(1) } else { null.len() };
        let uses = |path: &str, reads: bool| {
            let path = steps(path);
            path.len() > above && path.iter().zip(null).take(above).all(|(a, b)| a == b)
                || reads && null.starts_with(&path)
        };
        uses(&operation.path, operation.op == "test")
            || !operation.from.is_empty() && uses(&operation.from, true)
    }
}

fn steps(path: &str) -> Vec<String> {
    path.split('/').skip(1).map(unescaped).collect()
}

/// Returns the length of the JSON of Go, which escapes some characters.
fn encoded_length(value: &Value) -> usize {
    let text = value.to_string();
    let escaped = text.chars().map(|it| match it {
        '<' | '>' | '&' => 5,
        '\u{2028}' | '\u{2029}' => 3,
        _ => 0,
    });
    text.len() + escaped.sum::<usize>()
}

fn failed<T>(message: String) -> Result<T, PatchFailure> {
    Err(PatchFailure::Failed(message))
}

/// Applies an operation; returns `false` for a `test` of another value.
fn applied(
    object: &mut Value,
    operation: &PatchOperation,
    copied: &mut usize,
) -> Result<bool, PatchFailure> {
    let PatchOperation { op, path, from, value } = operation;
    let given = value.clone().unwrap_or_default();
    match op.as_str() {
        "add" => add(object, path, given, "add")?,
        "remove" => {
            let Some((parent, key)) = parent(object, path) else {
                return failed(format!(
                    "remove operation does not apply: doc is missing path: \"{path}\": missing value"
                ));
            };
            remove(parent, &key, path, "remove")?;
        }
        "replace" => replace(object, path, value.as_ref())?,
        "move" => {
            let moved = get(object, from, "move")?;
            if let Some((parent, key)) = parent(object, from) {
                remove(parent, &key, path, "move")?;
            }
            add(object, path, moved, "move")?;
        }
        "copy" => {
            let value = get(object, from, "copy")?;
            *copied += encoded_length(&value);
            if *copied > MOST_COPIED {
                return failed(format!(
                    "Unable to complete the copy, the accumulated size increase of copy is {copied}, exceeding the limit {MOST_COPIED}"
                ));
            }
            add(object, path, value, "copy")?;
        }
        "test" => return test(object, path, value.as_ref()),
        _ => return failed(format!("Unexpected kind: {op}")),
    }
    Ok(true)
}

/// Returns the list or object that a path leads to without its last key; `None` if there is none.
fn parent<'v>(object: &'v mut Value, path: &str) -> Option<(&'v mut Value, String)> {
    let mut steps = path.split('/').skip(1).map(unescaped);
    let mut key = steps.next()?;
    let mut parent = object;
    for next in steps {
        parent = match parent {
            Value::Object(fields) => fields.get_mut(&key)?,
            Value::Array(items) => {
                let index = position(&key, items.len()).ok()?;
                items.get_mut(index)?
            }
            _ => return None,
        };
        if !parent.is_object() && !parent.is_array() {
            return None;
        }
        key = next;
    }
    Some((parent, key))
}

/// Replaces `~1` and `~0` in one pass.
fn unescaped(key: &str) -> String {
    let mut parts = key.split("~0").map(|it| it.replace("~1", "/"));
    let first = parts.next().unwrap_or_default();
    parts.fold(first, |before, part| before + "~" + &part)
}

/// Parses an index of a list of that length; negative ones count from the end.
fn position(key: &str, length: usize) -> Result<usize, String> {
    let digits = key.strip_prefix(['+', '-']).unwrap_or(key);
    let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    let index = key.parse::<i64>().ok().filter(|_| is_number);
    let Some(index) = index else {
        return Err(format!("strconv.Atoi: parsing {key:?}: invalid syntax"));
    };
    let signed = i64::try_from(length).unwrap_or(i64::MAX);
    let from_start = if index < 0 { index.saturating_add(signed) } else { index };
    let position = usize::try_from(from_start).ok().filter(|it| *it < length);
    position
        .ok_or_else(|| format!("Unable to access invalid index: {index}: invalid index referenced"))
}

fn add(object: &mut Value, path: &str, value: Value, op: &str) -> Result<(), PatchFailure> {
    let what = match op {
        "add" => "path",
        _ => "destination path",
    };
    match parent(object, path) {
        Some((Value::Object(fields), key)) => {
            fields.insert(key, value);
            Ok(())
        }
        Some((Value::Array(items), key)) if key == "-" => {
            items.push(value);
            Ok(())
        }
        Some((Value::Array(items), key)) => match position(&key, items.len() + 1) {
            Ok(index) => {
                items.insert(index, value);
                Ok(())
            }
            Err(why) => failed(format!("error in {op} for path: '{path}': {why}")),
        },
        _ => failed(format!(
            "{op} operation does not apply: doc is missing {what}: \"{path}\": missing value"
        )),
    }
}

fn remove(parent: &mut Value, key: &str, path: &str, op: &str) -> Result<(), PatchFailure> {
    let result = match parent {
        Value::Object(fields) => fields
            .remove(key)
            .map(drop)
            .ok_or_else(|| format!("Unable to remove nonexistent key: {key}: missing value")),
        Value::Array(items) => position(key, items.len()).map(|it| drop(items.remove(it))),
        _ => Err("missing value".to_owned()),
    };
    let error = |why| PatchFailure::Failed(format!("error in {op} for path: '{path}': {why}"));
    result.map_err(error)
}

fn replace(object: &mut Value, path: &str, value: Option<&Value>) -> Result<(), PatchFailure> {
    if path.is_empty() {
        return match value {
            Some(value @ (Value::Object(_) | Value::Array(_))) => {
                object.clone_from(value);
                Ok(())
            }
            Some(Value::Null) | None => Err(PatchFailure::Unknown(
                "the replacement of the whole object by nothing is not evaluated",
            )),
            Some(_) => failed("replace operation value must be object or array".to_owned()),
        };
    }
    let value = value.cloned().unwrap_or_default();
    match parent(object, path) {
        Some((Value::Object(fields), key)) => _ = fields.insert(key, value),
        Some((Value::Array(items), key)) => {
            let index = position(&key, items.len()).ok();
            let Some(item) = index.and_then(|it| items.get_mut(it)) else {
                return failed(format!(
                    "replace operation does not apply: doc is missing key: {path}: missing value"
                ));
            };
            *item = value;
        }
        _ => {
            return failed(format!(
                "replace operation does not apply: doc is missing path: {path}: missing value"
            ));
        }
    }
    Ok(())
}

/// Returns the value that a path leads to; that of a missing field is `null`.
fn get(object: &mut Value, path: &str, op: &str) -> Result<Value, PatchFailure> {
    let is_test = op == "test";
    match parent(object, path) {
        Some((Value::Object(fields), key)) => Ok(fields.get(&key).cloned().unwrap_or_default()),
        Some((Value::Array(items), key)) => match position(&key, items.len()) {
            Ok(index) => Ok(items.get(index).cloned().unwrap_or_default()),
            Err(why) => failed(format!("error in {op} for path: '{key}': {why}")),
        },
        _ if is_test => {
            failed(format!("test operation does not apply: is missing path: {path}: missing value"))
        }
        _ if path.is_empty() => failed(format!(
            "{op} operation failed to decode from: operation, missing from field: missing value"
        )),
        _ => failed(format!(
            "{op} operation does not apply: doc is missing from path: {path}: missing value"
        )),
    }
}

fn test(object: &mut Value, path: &str, value: Option<&Value>) -> Result<bool, PatchFailure> {
    if path.is_empty() {
        return match value {
            Some(value) => is_equal(object, value),
            None => Err(PatchFailure::Unknown("a `test` of the whole object without a value")),
        };
    }
    let found = get(object, path, "test")?;
    match (&found, value) {
        (Value::Null, None) => Ok(true),
        // A value of `null` is none.
        (Value::Null, Some(_)) | (_, None) => Ok(false),
        (found, Some(value)) => is_equal(found, value),
    }
}

/// Compares two values; an operand of `null` is equal to empty lists and objects.
fn is_equal(found: &Value, value: &Value) -> Result<bool, PatchFailure> {
    match (found, value) {
        (Value::Object(fields), Value::Null) => Ok(fields.is_empty()),
        (Value::Array(items), Value::Null) => Ok(items.is_empty()),
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            all_equal(a.iter().map(|(name, a)| match (a, b.get(name)) {
                (_, None) => Ok(false),
                (Value::Null, Some(b)) => Ok(b.is_null()),
                (_, Some(Value::Null)) => Ok(false),
                (a, Some(b)) => is_equal(a, b),
            }))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            all_equal(a.iter().zip(b).map(|(a, b)| match (a, b) {
                (Value::Null, _) | (_, Value::Null) => Err(PatchFailure::Unknown(TESTED_NULL)),
                (a, b) => is_equal(a, b),
            }))
        }
        (a, b) => Ok(a == b),
    }
}

fn all_equal(
    results: impl Iterator<Item = Result<bool, PatchFailure>>,
) -> Result<bool, PatchFailure> {
    let mut all = true;
    // The order of fields is random in an API server.
    for result in results {
        all &= result?;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{PatchFailure, Patched, apply};
    use garden_gate_cel::PatchOperation;

    /// Returns operations from pairs such as `{"op": "add", "path": "/a", "value": 1}`.
    fn operations(of: &Value) -> Vec<PatchOperation> {
        let text = |it: &Value, name: &str| it[name].as_str().unwrap_or_default().to_owned();
        let operations = of.as_array().unwrap().iter().map(|it| PatchOperation {
            op: text(it, "op"),
            path: text(it, "path"),
            from: text(it, "from"),
            value: it.get("value").cloned(),
        });
        operations.collect()
    }

    fn object() -> Value {
        json!({"a": {"b": [1, 2, {"c": "d"}]}, "x/y": {"~": 1}, "none": null, "empty": {}, "list": []})
    }

    #[rstest]
    #[case::add(json!([{"op": "add", "path": "/a/z", "value": 1}]), "/a/z", json!(1))]
    #[case::add_existing(json!([{"op": "add", "path": "/a", "value": 1}]), "/a", json!(1))]
    #[case::add_without_value(json!([{"op": "add", "path": "/z"}]), "/z", json!(null))]
    #[case::insert(json!([{"op": "add", "path": "/a/b/1", "value": 9}]), "/a/b", json!([1, 9, 2, {"c": "d"}]))]
    #[case::append(json!([{"op": "add", "path": "/a/b/-", "value": 9}]), "/a/b", json!([1, 2, {"c": "d"}, 9]))]
    #[case::append_by_index(json!([{"op": "add", "path": "/a/b/3", "value": 9}]), "/a/b/3", json!(9))]
    #[case::append_by_negative_index(json!([{"op": "add", "path": "/a/b/-1", "value": 9}]), "/a/b/3", json!(9))]
    #[case::insert_first(json!([{"op": "add", "path": "/a/b/-4", "value": 9}]), "/a/b/0", json!(9))]
    #[case::signed_index(json!([{"op": "replace", "path": "/a/b/+1", "value": 9}]), "/a/b/1", json!(9))]
    #[case::leading_zero(json!([{"op": "replace", "path": "/a/b/01", "value": 9}]), "/a/b/1", json!(9))]
    #[case::remove(json!([{"op": "remove", "path": "/a/b/-1"}]), "/a/b", json!([1, 2]))]
    #[case::remove_null(json!([{"op": "remove", "path": "/none"}]), "/list", json!([]))]
    #[case::replace_missing_field(json!([{"op": "replace", "path": "/z", "value": 1}]), "/z", json!(1))]
    #[case::replace_element(json!([{"op": "replace", "path": "/a/b/-2", "value": 9}]), "/a/b/1", json!(9))]
    #[case::replace_all(json!([{"op": "replace", "path": "", "value": {"q": 1}}]), "", json!({"q": 1}))]
    #[case::overwritten_null(json!([{"op": "add", "path": "/z", "value": null}, {"op": "add", "path": "/z", "value": 1}]), "/z", json!(1))]
    #[case::beside_null(json!([{"op": "add", "path": "/a/z", "value": null}, {"op": "add", "path": "/a/zz", "value": 1}]), "/a/zz", json!(1))]
    #[case::moved(json!([{"op": "move", "from": "/a/b/2/c", "path": "/q"}]), "/q", json!("d"))]
    #[case::copied(json!([{"op": "copy", "from": "/a/b/2", "path": "/a/b/0"}]), "/a/b", json!([{"c": "d"}, 1, 2, {"c": "d"}]))]
    #[case::copied_missing(json!([{"op": "copy", "from": "/z", "path": "/q"}]), "/q", json!(null))]
    #[case::escaped(json!([{"op": "add", "path": "/x~1y/~0", "value": 2}]), "/x~1y/~0", json!(2))]
    #[case::escaped_once(json!([{"op": "add", "path": "/~01", "value": 2}]), "/~01", json!(2))]
    #[case::tested(json!([{"op": "test", "path": "/a/b/2", "value": {"c": "d"}}, {"op": "add", "path": "/q", "value": 1}]), "/q", json!(1))]
    #[case::test_of_nothing(json!([{"op": "test", "path": "/z"}, {"op": "test", "path": "/none"}, {"op": "add", "path": "/q", "value": 1}]), "/q", json!(1))]
    #[case::test_of_empty(json!([{"op": "test", "path": "/empty", "value": null}, {"op": "test", "path": "/list", "value": null}, {"op": "add", "path": "/q", "value": 1}]), "/q", json!(1))]
    fn patch_is_applied(#[case] patch: Value, #[case] pointer: &str, #[case] expected: Value) {
        let Ok(Patched::Changed(changed)) = apply(&object(), &operations(&patch)) else {
            unreachable!("{:?}", apply(&object(), &operations(&patch)));
        };
        assert_eq!(changed.pointer(pointer), Some(&expected), "{changed}");
    }

    #[rstest]
    #[case::other_value(json!({"op": "test", "path": "/a/b/0", "value": 2}))]
    #[case::other_type(json!({"op": "test", "path": "/a/b/0", "value": "1"}))]
    #[case::missing(json!({"op": "test", "path": "/z", "value": 2}))]
    #[case::explicit_null(json!({"op": "test", "path": "/z", "value": null}))]
    #[case::no_value(json!({"op": "test", "path": "/a"}))]
    #[case::length(json!({"op": "test", "path": "/a/b", "value": [1, 2]}))]
    fn failed_test_changes_nothing(#[case] test: Value) {
        let patch = json!([{"op": "remove", "path": "/a/b/2"}, test]);
        let patch = if test["path"] == "/a/b" { json!([test]) } else { patch };
        assert_eq!(apply(&object(), &operations(&patch)), Ok(Patched::Untouched));
    }

    #[rstest]
    #[case::operation(json!({"op": "merge", "path": "/a"}), "Unexpected kind: merge")]
    #[case::no_operation(json!({"path": "/a"}), "Unexpected kind: ")]
    #[case::parent(json!({"op": "add", "path": "/z/y", "value": 1}), "doc is missing path: \"/z/y\"")]
    #[case::scalar_parent(json!({"op": "add", "path": "/a/b/0/c", "value": 1}), "doc is missing path")]
    #[case::null_parent(json!({"op": "add", "path": "/none/c", "value": 1}), "doc is missing path")]
    #[case::whole_object(json!({"op": "add", "path": "", "value": {}}), "doc is missing path")]
    #[case::no_slash(json!({"op": "add", "path": "a", "value": 1}), "doc is missing path")]
    #[case::index(json!({"op": "add", "path": "/a/b/4", "value": 1}), "Unable to access invalid index: 4")]
    #[case::negative_index(json!({"op": "add", "path": "/a/b/-5", "value": 1}), "Unable to access invalid index: -5")]
    #[case::no_index(json!({"op": "add", "path": "/a/b/x", "value": 1}), "invalid syntax")]
    #[case::removed_missing(json!({"op": "remove", "path": "/z"}), "Unable to remove nonexistent key: z")]
    #[case::removed_end(json!({"op": "remove", "path": "/a/b/-"}), "invalid syntax")]
    #[case::replaced_index(json!({"op": "replace", "path": "/a/b/3", "value": 1}), "doc is missing key")]
    #[case::replaced_by_scalar(json!({"op": "replace", "path": "", "value": 1}), "must be object or array")]
    #[case::moved_missing(json!({"op": "move", "from": "/z", "path": "/q"}), "Unable to remove nonexistent key")]
    #[case::moved_from_nowhere(json!({"op": "move", "path": "/q"}), "missing from field")]
    #[case::tested_index(json!({"op": "test", "path": "/a/b/7", "value": 1}), "Unable to access invalid index: 7")]
    fn invalid_patch_fails(#[case] operation: Value, #[case] expected: &str) {
        let Err(PatchFailure::Failed(why)) = apply(&object(), &operations(&json!([operation])))
        else {
            unreachable!("{operation}");
        };
        assert!(why.starts_with("JSON Patch: ") && why.contains(expected), "{why}");
    }

    #[rstest]
    #[case::nothing(json!([{"op": "replace", "path": ""}]))]
    #[case::below_null(json!([{"op": "add", "path": "/z", "value": null}, {"op": "add", "path": "/z/y", "value": 1}]))]
    #[case::below_null_by_another_spelling(json!([{"op": "add", "path": "/~0", "value": null}, {"op": "add", "path": "/~/y", "value": 1}]))]
    #[case::null_in_a_list(json!([{"op": "add", "path": "/list/-", "value": null}, {"op": "remove", "path": "/list/0"}]))]
    #[case::copied_null(json!([{"op": "add", "path": "/empty/y", "value": null}, {"op": "copy", "from": "/empty", "path": "/q"}]))]
    #[case::tested_null(json!([{"op": "add", "path": "/z", "value": null}, {"op": "test", "path": "/z", "value": null}]))]
    #[case::test_of_a_list(json!([{"op": "add", "path": "/q", "value": [null]}, {"op": "test", "path": "/q", "value": [1]}]))]
    #[case::test_of_all(json!([{"op": "test", "path": ""}]))]
    fn uncommon_patch_is_unknown(#[case] patch: Value) {
        let result = apply(&object(), &operations(&patch));
        assert!(matches!(result, Err(PatchFailure::Unknown(_))), "{result:?}");
    }

    #[test]
    fn copies_are_limited() {
        let object = json!({"a": ["x".repeat(1 << 20)]});
        let copy = json!({"op": "copy", "from": "/a/0", "path": "/a/-"});
        let of = |count: usize| apply(&object, &operations(&json!(vec![copy.clone(); count])));
        assert!(matches!(of(2), Ok(Patched::Changed(_))));
        let Err(PatchFailure::Failed(why)) = of(3) else { unreachable!("it is not refused") };
        assert!(why.contains("exceeding the limit 3145728"), "{why}");
    }
}
