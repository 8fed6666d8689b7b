// SPDX-License-Identifier: Apache-2.0
//! Fields of the JSON outputs, from the JSON Schemas of `garden-gate schema`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use garden_gate_core::rules;
use regex::Regex;
use serde_json::Value;

use crate::docs::{assert_current_part, files_below, gate, root, source_folders};

/// The outputs, in the order in which their pages describe types that several of them have.
const OUTPUTS: [&str; 10] = [
    "review", "audit", "forecast", "plan", "replay", "coverage", "notify", "baseline", "rules",
    "site",
];

/// Types of another standard, with the address of its description.
const STANDARDS: [(&str, &str); 1] = [("Patch", "https://www.rfc-editor.org/rfc/rfc6902")];

/// The types that pages have described so far: the page and the schema of each.
type Described = BTreeMap<String, (&'static str, Value)>;

/// The page of an output that is being written.
struct Page<'a> {
    output: &'static str,
    described: &'a mut Described,
    /// The types in `$defs` of the schema.
    definitions: &'a BTreeMap<String, Value>,
    /// The types that the page still has to describe.
    left: Vec<String>,
    text: String,
}

fn string<'a>(schema: &'a Value, key: &str) -> &'a str {
    schema[key].as_str().unwrap_or_default()
}

/// Returns the description of a field, value or type in one line. Each of them has one.
fn description(schema: &Value, name: &str) -> String {
    let text = string(schema, "description").split("\n\n").next().unwrap();
    assert!(
        !text.is_empty() && !text.contains("[`"),
        "`{name}` needs a doc comment without links: {text}"
    );
    text.replace('\n', " ").replace('|', "\\|")
}

/// Reports whether a field may be null; optional fields are absent instead.
fn is_nullable(field: &Value) -> bool {
    field["type"][1] == "null" || field["anyOf"][1]["type"] == "null"
}

impl Page<'_> {
    /// Returns a link to a type, which this page describes unless an earlier page does.
    fn link(&mut self, name: &str) -> String {
        if let Some((_, address)) = STANDARDS.iter().find(|it| it.0 == name) {
            return format!("[{name}]({address})");
        }
        let schema = &self.definitions[name];
        let described = self.described.entry(name.to_owned()).or_insert_with(|| {
            self.left.push(name.to_owned());
            (self.output, schema.clone())
        });
        assert_eq!(described.1, *schema, "two types are called `{name}`");
        let page = match described.0 {
            page if page == self.output => String::new(),
            page => format!("{page}.md"),
        };
        format!("[{name}]({page}#{})", name.to_lowercase())
    }

    /// Returns the type of a field, such as `list of strings`, without null.
    fn kind(&mut self, field: &Value) -> String {
        let field = field.pointer("/anyOf/0").unwrap_or(field);
        if let Some(reference) = field["$ref"].as_str() {
            return self.link(reference.trim_start_matches("#/$defs/"));
        }
        let kind = field["type"].as_str().or(field["type"][0].as_str());
        match (kind, string(field, "format")) {
            (Some("array"), _) if field["prefixItems"].is_array() => {
                let items = field["prefixItems"].as_array().unwrap();
                let kinds: Vec<String> = items.iter().map(|it| self.kind(it)).collect();
                format!("({})", kinds.join(", "))
            }
            (Some("array"), _) => format!("list of {}", self.kind(&field["items"])),
            (Some("object"), _) => {
                format!("map of {} by name", self.kind(&field["additionalProperties"]))
            }
            (Some("string"), "date-time") => "timestamp".to_owned(),
            (Some("string"), "date") => "date".to_owned(),
            (Some(kind), _) => kind.to_owned(),
            (None, _) => "any value".to_owned(),
        }
    }

    /// Describes the fields or the values of a type.
    fn describe(&mut self, name: &str, schema: &Value) {
        let alternatives = ["oneOf", "anyOf"].into_iter().filter_map(|it| schema[it].as_array());
        let mut rows = String::new();
        for value in alternatives.flatten() {
            let meaning = description(value, name);
            let value = match value["$ref"].as_str() {
                Some(reference) => self.link(reference.trim_start_matches("#/$defs/")),
                None => format!("`{}`", string(value, "const")),
            };
            writeln!(rows, "| {value} | {meaning} |").unwrap();
        }
        let mut head = "| value | meaning |\n|---|---|\n";
        if let Some(fields) = schema["properties"].as_object() {
            head = "| field | type | meaning |\n|---|---|---|\n";
            let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
            for (field, schema) in fields {
                let meaning = description(schema, &format!("{name}.{field}"));
                let kind = self.kind(schema);
                let is_optional = !required.iter().any(|it| it == field);
                let optional = match (is_optional, is_nullable(schema)) {
                    (true, _) => ", optional",
                    (false, true) => " or null",
                    (false, false) => "",
                };
                writeln!(rows, "| `{field}` | {kind}{optional} | {meaning} |").unwrap();
            }
        }
        if let Some(items) = schema["prefixItems"].as_array() {
            head = "| position | type | meaning |\n|---|---|---|\n";
            for (position, item) in items.iter().enumerate() {
                let meaning = description(item, &format!("{name}.{position}"));
                let null = if is_nullable(item) { " or null" } else { "" };
                writeln!(rows, "| {position} | {}{null} | {meaning} |", self.kind(item)).unwrap();
            }
        } else if schema["type"] == "array" {
            let kind = self.kind(schema);
            writeln!(self.text, "The output is a {kind}.\n").unwrap();
            return;
        }
        assert!(!rows.is_empty(), "{name} has no fields");
        writeln!(self.text, "{}\n\n{head}{rows}", description(schema, name)).unwrap();
    }
}

/// Writes the page of each output; the first one that has a type describes it.
#[test]
fn pages_of_json_outputs_are_current() {
    let mut described = Described::new();
    for output in OUTPUTS {
        let (_, schema, _) = gate(&["schema", output]);
        let mut schema: Value = serde_json::from_str(&schema).unwrap();
        let definitions = serde_json::from_value(schema["$defs"].take()).unwrap();
        let mut page = Page {
            output,
            described: &mut described,
            definitions: &definitions,
            left: Vec::new(),
            text: String::new(),
        };
        page.describe(output, &schema);
        while !page.left.is_empty() {
            let name = page.left.remove(0);
            writeln!(page.text, "## {name}\n").unwrap();
            page.describe(&name, &definitions[&name]);
        }
        let text = page.text.trim_end();
        assert_current_part(&format!("docs/reference/json/{output}.md"), "fields", text);
    }
}

/// Ids that no rule reports are literals outside of the rules.
#[test]
fn page_of_outputs_lists_ids_without_a_rule() {
    let literal = Regex::new(r#""((?:object|server)/[a-z-]+)""#).unwrap();
    let known = rules::known_ids().all();
    let mut ids = BTreeSet::new();
    for path in source_folders().into_iter().flat_map(|it| files_below(&it)) {
        if path.starts_with(root().join("crates/core/src/rules")) {
            continue;
        }
        let code = fs::read_to_string(path).unwrap();
        let found = literal.captures_iter(&code).map(|it| it[1].to_owned());
        ids.extend(found.filter(|id| !known.contains(&id.as_str())));
    }
    let page = fs::read_to_string(root().join("docs/reference/output.md")).unwrap();
    let (_, section) = page.split_once("\n## Ids without a rule\n").unwrap();
    let rows = section.split("\n## ").next().unwrap().lines();
    let listed = rows.filter_map(|row| row.strip_prefix("| `")?.split('`').next());
    assert_eq!(listed.map(str::to_owned).collect::<BTreeSet<_>>(), ids);
}
