// SPDX-License-Identifier: Apache-2.0
//! Fields of the configuration file, from its JSON Schema.

use std::fmt::Write;
use std::fs;

use garden_gate_core::config;
use garden_gate_core::rules;
use serde_json::{Value, json};

use crate::docs::{assert_current, assert_current_part, root};

/// The first version, since which all fields exist that declare no other one.
const FIRST: &str = "0.1.0";

/// The fields of the first version, one a line.
const FIELDS: &str = "tests/meta/docs/configuration-0.1.0.txt";

/// The headings of fields by depth; deeper ones are in tables.
const HEADINGS: [&str; 2] = ["##", "###"];

/// Returns the version since which a field exists.
fn since(field: &Value) -> &str {
    field["x-since"].as_str().unwrap_or(FIRST)
}

/// The JSON Schema of the configuration file.
struct Schema(Value);

impl Schema {
    /// Returns the definition that a field refers to, or the field itself.
    fn resolve<'a>(&'a self, field: &'a Value) -> &'a Value {
        // An optional field is one of its definition and null.
        let field = field.pointer("/anyOf/0").unwrap_or(field);
        let reference = field["$ref"].as_str();
        reference.map_or(field, |it| self.0.pointer(&it[1..]).unwrap())
    }

    /// Returns the type, such as `list of strings`.
    fn kind(&self, field: &Value) -> String {
        let field = self.resolve(field);
        let kind = field["type"].as_str().or(field["type"][0].as_str());
        match kind.unwrap_or("string") {
            "array" => format!("list of {}s", self.kind(&field["items"])),
            "object" if field["additionalProperties"].is_object() => {
                format!("map of {}s by id", self.kind(&field["additionalProperties"]))
            }
            kind => kind.to_owned(),
        }
    }

    /// Returns a value for the example: the one in the schema, or one that is not the default.
    fn example(&self, field: &Value) -> Value {
        let is_other = |value: &&Value| **value != field["default"];
        if let Some(example) = field.pointer("/examples/0") {
            return example.clone();
        }
        match self.resolve(field)["oneOf"].as_array() {
            Some(values) => {
                let mut values = values.iter().rev().map(|it| &it["const"]);
                values.find(is_other).unwrap_or(&field["default"]).clone()
            }
            None => {
                assert_eq!(self.kind(field), "boolean", "no example: {field}");
                json!(true)
            }
        }
    }

    /// Describes the fields below `path`.
    fn describe(&self, path: &[&str], parent: &Value, page: &mut String) {
        for (name, field) in parent["properties"].as_object().unwrap() {
            let path = [path, &[name.as_str()]].concat();
            let heading = HEADINGS[path.len() - 1];
            let description = field["description"].as_str().unwrap().replace('\n', " ");
            writeln!(page, "{heading} {}\n\n{description}\n", path.join(".")).unwrap();
            let inner = self.resolve(field);
            if inner["properties"].is_object() && path.len() < HEADINGS.len() {
                self.describe(&path, inner, page);
                continue;
            }
            let default = match &field["default"] {
                Value::Null => "none".to_owned(),
                Value::Array(_) | Value::Object(_) => "empty".to_owned(),
                value => format!("`{}`", value.to_string().trim_matches('"')),
            };
            writeln!(
                page,
                "Type: {}. Default: {default}. Since {}.\n",
                self.kind(field),
                since(field)
            )
            .unwrap();
            self.describe_values(inner, page);
            let nest = |value, name: &&str| json!({ *name: value });
            let example = path.iter().rev().fold(self.example(field), nest);
            let example = serde_saphyr::to_string(&example).unwrap();
            writeln!(page, "```yaml\n{}\n```\n", example.trim_end()).unwrap();
        }
    }

    /// Adds the paths of all fields below `path` that declare no version; `[]` is an entry of a list or map.
    fn undated(&self, path: &str, parent: &Value, paths: &mut Vec<String>) {
        for (name, field) in parent["properties"].as_object().into_iter().flatten() {
            if field["x-since"].is_string() {
                continue;
            }
            let path = format!("{path}.{name}");
            paths.push(path[1..].to_owned());
            let inner = self.resolve(field);
            self.undated(&path, inner, paths);
            for entry in ["items", "additionalProperties"] {
                self.undated(&format!("{path}[]"), self.resolve(&inner[entry]), paths);
            }
        }
    }

    /// Describes the allowed values, or the fields of each entry of a list or map.
    fn describe_values(&self, field: &Value, page: &mut String) {
        let text = |it: &Value| it.as_str().unwrap().replace('\n', " ");
        let items =
            [&field["items"], &field["additionalProperties"]].into_iter().find(|it| it.is_object());
        let entry = self.resolve(items.unwrap_or(field));
        let mut rows = String::new();
        for value in entry["oneOf"].as_array().into_iter().flatten() {
            writeln!(rows, "| `{}` | {} |", text(&value["const"]), text(&value["description"]))
                .unwrap();
        }
        if !rows.is_empty() {
            rows.insert_str(0, "| value | meaning |\n|---|---|\n");
        }
        if let Some(fields) = entry["properties"].as_object() {
            rows += "| field of an entry | type | meaning | since |\n|---|---|---|---|\n";
            for (name, field) in fields {
                writeln!(
                    rows,
                    "| `{name}` | {} | {} | {} |",
                    self.kind(field),
                    text(&field["description"]),
                    since(field)
                )
                .unwrap();
            }
        }
        if !rows.is_empty() {
            writeln!(page, "{rows}").unwrap();
        }
    }
}

#[test]
fn page_of_configuration_is_current() {
    let schema = Schema(config::schema(&rules::known_ids()));
    let mut page = String::new();
    schema.describe(&[], &schema.0, &mut page);
    assert_current_part("docs/reference/configuration.md", "fields", page.trim_end());
}

/// The list of fields is complete with the release of the first version; later fields declare theirs.
#[test]
fn new_fields_declare_their_version() {
    let schema = Schema(config::schema(&rules::known_ids()));
    let mut paths = Vec::new();
    schema.undated("", &schema.0, &mut paths);
    if env!("CARGO_PKG_VERSION") == FIRST {
        return assert_current(&root().join(FIELDS), &(paths.join("\n") + "\n"));
    }
    let first = fs::read_to_string(root().join(FIELDS)).unwrap();
    paths.retain(|path| !first.lines().any(|it| it == path));
    let declare =
        "declare the version of these fields with #[schemars(extend(\"x-since\" = \"VERSION\"))]";
    assert_eq!(paths, [""; 0], "{declare}");
}
