// SPDX-License-Identifier: Apache-2.0
//! The table of chart values: defaults and descriptions from `values.yaml`, types from its schema.

use std::fs;

use serde_json::Value;

use crate::docs::{assert_current_part, root};

const CHART: &str = "charts/garden-gate";

/// A key of `values.yaml`.
struct Row {
    /// The path, as for `--set`.
    path: String,
    /// The default as written; empty if there are keys below.
    default: String,
    comment: Vec<String>,
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns the keys of the file in its order, each with the comment above it.
///
/// Lists and maps with content are on one line, unless their keys are values themselves.
fn rows(text: &str) -> Vec<Row> {
    let (mut rows, mut parents, mut comment) = (Vec::new(), Vec::<(usize, String)>::new(), vec![]);
    for line in text.lines() {
        let content = line.trim();
        if let Some(text) = content.strip_prefix('#') {
            comment.push(text.strip_prefix(' ').unwrap_or(text).to_owned());
            continue;
        }
        let Some((key, default)) = content.split_once(':') else {
            assert_eq!(content, "", "a value that is not on the line of its key");
            comment.clear();
            continue;
        };
        parents.retain(|(depth, _)| *depth < indentation(line));
        parents.push((indentation(line), key.to_owned()));
        let names: Vec<&str> = parents.iter().map(|(_, name)| name.as_str()).collect();
        rows.push(Row {
            path: names.join("."),
            default: default.trim().to_owned(),
            comment: std::mem::take(&mut comment),
        });
    }
    rows
}

/// Returns the schema of a value.
fn described<'a>(schema: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(schema, |schema, key| {
        let below = &schema["properties"][key];
        assert!(!below.is_null(), "{path} is not in the schema");
        below
    })
}

/// Returns the type of a value.
fn kind(schema: &Value) -> String {
    let bound = |name: &str| schema[name].as_i64().map(|bound| bound.to_string());
    let types = &schema["type"];
    // `helm --set` passes fractions as strings, so that the schema accepts both.
    let first = types.as_str().or_else(|| types[0].as_str());
    match (&schema["enum"], first.unwrap_or_default()) {
        (Value::Array(allowed), _) => {
            let allowed = allowed.iter().map(|it| format!("`{}`", it.as_str().unwrap()));
            allowed.collect::<Vec<_>>().join(", ")
        }
        (_, "array") => match schema["items"]["type"].as_str() {
            Some(items) => format!("list of {items}s"),
            None => "list".to_owned(),
        },
        (_, "integer") => match (bound("minimum"), bound("maximum")) {
            (Some(least), Some(most)) => format!("integer, {least} to {most}"),
            (Some(least), None) => format!("integer, at least {least}"),
            _ => "integer".to_owned(),
        },
        (_, kind) => kind.to_owned(),
    }
}

/// Joins a comment to one line; a list in it, `word  description`, remains a list.
fn told(comment: &[String]) -> String {
    let lines = comment.iter().map(|line| match line.trim().split_once("  ") {
        Some((word, meaning)) => format!("<br>`{word}`: {}", meaning.trim()),
        None => format!(" {}", line.trim()),
    });
    lines.collect::<String>().trim().replace('|', "\\|")
}

fn line(row: &Row, schema: &Value) -> String {
    let default = match row.default.as_str() {
        "" => String::new(),
        default => format!("`{default}`"),
    };
    let (path, kind) = (&row.path, kind(described(schema, &row.path)));
    format!("| `{path}` | {kind} | {default} | {} |\n", told(&row.comment))
}

fn table(rows: &[Row], schema: &Value) -> String {
    // A key with only keys below and without a comment is left out, since paths show it.
    let rows = rows.iter().filter(|row| !row.default.is_empty() || !row.comment.is_empty());
    let lines: String = rows.map(|row| line(row, schema)).collect();
    format!("| value | type | default | description |\n|---|---|---|---|\n{lines}")
}

/// Returns the paths of all values that may be set, except those below `config`.
fn settable(schema: &Value, path: &str) -> Vec<String> {
    let Some(properties) = schema["properties"].as_object().filter(|_| path != "config") else {
        return vec![path.to_owned()];
    };
    let below = properties.iter().flat_map(|(key, schema)| {
        let dot = if path.is_empty() { "" } else { "." };
        settable(schema, &format!("{path}{dot}{key}"))
    });
    below.collect()
}

#[test]
fn the_table_of_the_charts_values_is_current() {
    let read = |file: &str| fs::read_to_string(root().join(CHART).join(file)).unwrap();
    let schema: Value = serde_json::from_str(&read("values.schema.json")).unwrap();
    let rows = rows(&read("values.yaml"));
    assert_current_part(&format!("{CHART}/README.md"), "values", &table(&rows, &schema));

    for row in &rows {
        let is_told = row.default.is_empty() || !row.comment.is_empty();
        assert!(is_told, "values.yaml does not say what {} is for", row.path);
    }
    for path in settable(&schema, "") {
        // A parent chart sets `global`; the comment of an empty map describes its content.
        let is_there = rows.iter().any(|row| row.path == path)
            || path == "global"
            || path.starts_with("certificates.certManager.issuerRef.");
        assert!(is_there, "{path} is in the schema, but not in values.yaml");
    }
}
