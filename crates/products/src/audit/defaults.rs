// SPDX-License-Identifier: Apache-2.0
//! Findings about defaults that differ between two versions of Gardener.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use garden_gate_core::admission::{FieldPath, Findings};
use garden_gate_core::config::Config;
use garden_gate_core::rules::DEFAULT_CHANGES;
use garden_gate_text::go::clip;

/// Maximum size of a quoted value in bytes.
const LONGEST_VALUE: usize = 100;

/// Reports each field of a `spec` that the two configurations store differently.
pub(super) fn report([before, after]: [&Value; 2], configs: [&Config; 2], findings: &mut Findings) {
    let [old, new] = names(configs);
    compare(&FieldPath::new("spec"), [Some(before), Some(after)], &mut |path, values| {
        let [was, becomes] = values.map(|it| it.map(quoted));
        let message = match (was, becomes) {
            (Some(was), Some(becomes)) => {
                format!("{new} stores {becomes}, {old} stores {was}")
            }
            (None, Some(becomes)) => {
                format!("{new} stores {becomes}, {old} stores no value")
            }
            (Some(was), None) => {
                format!("{new} stores no value, {old} stores {was}")
            }
            (None, None) => return,
        };
        findings
            .forbid(&DEFAULT_CHANGES, path.clone(), message)
            .help("set the field if you need another value");
    });
}

/// Returns the versions that differ between two configurations, such as `Gardener 1.145 with aws 1.70`.
fn names(configs: [&Config; 2]) -> [String; 2] {
    let gardener = configs.map(|it| it.gardener_version.known());
    let version =
        |config: &Config, name: &str| config.extensions.get(name).and_then(|it| it.version);
    let extensions: BTreeSet<&str> =
        configs.iter().flat_map(|it| it.extensions.keys().copied()).collect();
    let differing: Vec<&str> = extensions
        .into_iter()
        .filter(|name| {
            let [old, new] = configs.map(|it| version(it, name));
            old != new
        })
        .collect();
    let has_gardener = differing.is_empty() || gardener[0] != gardener[1];
    [0, 1].map(|index| {
        let extensions = differing
            .iter()
            .map(|name| match version(configs[index], name) {
                Some(version) => format!("{name} {version}"),
                None => format!("{name} of the garden"),
            })
            .collect::<Vec<_>>()
            .join(", ");
        match (has_gardener, extensions.as_str()) {
            (true, "") => format!("Gardener {}", gardener[index]),
            (true, extensions) => format!("Gardener {} with {extensions}", gardener[index]),
            (false, extensions) => extensions.to_owned(),
        }
    })
}

type Values<'v> = [Option<&'v Value>; 2];

/// Calls `differs` for each value that differs; missing objects count as empty.
fn compare(path: &FieldPath, values: Values<'_>, differs: &mut dyn FnMut(&FieldPath, Values<'_>)) {
    match values {
        [one, other] if one == other => {}
        [Some(Value::Array(one)), Some(Value::Array(other))] if one.len() == other.len() => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                compare(&path.index(index), [Some(one), Some(other)], differs);
            }
        }
        [one, other] => {
            let objects = [one, other].map(|it| it.and_then(Value::as_object));
            let is_other = |value: Option<&Value>| value.is_some_and(|it| !it.is_object());
            let names: BTreeSet<&String> =
                objects.into_iter().flatten().flat_map(Map::keys).collect();
            if is_other(one) || is_other(other) || names.is_empty() {
                return differs(path, values);
            }
            for name in names {
                let values = objects.map(|it| it.and_then(|it| it.get(name)));
                compare(&path.child_called(name), values, differs);
            }
        }
    }
}

/// Formats a value for a message.
fn quoted(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    format!("`{}`", clip(text, LONGEST_VALUE))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_differing_field_is_found_once() {
        let before = json!({
            "same": {"a": 1}, "list": [{"a": "x"}, {"a": "y"}], "shorter": [1], "gone": {"a": {"b": true}}, "empty": {},
        });
        let after = json!({
            "same": {"a": 1}, "list": [{"a": "x"}, {"a": "z", "new": 5}], "shorter": [], "added": {"a": {"b": [1]}},
        });
        let mut found = Vec::new();
        compare(&FieldPath::new("spec"), [Some(&before), Some(&after)], &mut |path, values| {
            let [was, becomes] = values.map(|it| it.map_or("-".to_owned(), quoted));
            found.push(format!("{path} {was} {becomes}"));
        });
        assert_eq!(
            found,
            [
                "spec.added.a.b - `[1]`",
                "spec.empty `{}` -",
                "spec.gone.a.b `true` -",
                "spec.list[1].a `y` `z`",
                "spec.list[1].new - `5`",
                "spec.shorter `[1]` `[]`",
            ]
        );
    }

    #[test]
    fn long_values_are_clipped() {
        assert!(quoted(&json!("x".repeat(5000))).len() < 200);
    }
}
