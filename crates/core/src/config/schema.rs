// SPDX-License-Identifier: Apache-2.0
use serde_json::{Map, Value, json};

use super::file::GateConfiguration;
use super::{KnownIds, LevelPatterns};

/// Returns the JSON Schema of the configuration file, with all valid ids.
pub fn schema(known: &KnownIds) -> Value {
    let mut schema = schemars::schema_for!(GateConfiguration).to_value();
    if let Some(levels) = map_at(&mut schema, "/properties/rules") {
        let patterns = LevelPatterns::known(known);
        let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
        restrict_names(levels, &[patterns, known.all()].concat());
        describe_patterns(levels);
    }
    if let Some(exempt) = map_at(&mut schema, "/$defs/Exempt/properties/rules") {
        let mut rules = known.rules.clone();
        rules.sort_unstable();
        restrict_names(exempt, &rules);
    }
    schema
}

fn map_at<'a>(schema: &'a mut Value, pointer: &str) -> Option<&'a mut Map<String, Value>> {
    schema.pointer_mut(pointer).and_then(Value::as_object_mut)
}

/// Describes patterns separately, since they have another meaning than ids.
fn describe_patterns(levels: &mut Map<String, Value>) {
    let level = levels.get("additionalProperties").cloned();
    let of_patterns = json!({
        "allOf": [level.unwrap_or_default()],
        "description": "Maximum level of all ids with this prefix: `warn` prevents refusals, `off` disables the rules. It never raises levels of the profile, and levels of single ids take precedence; `deny` is an exception to a wider pattern.",
    });
    levels.insert("patternProperties".to_owned(), json!({ "^([a-z-]+/)?\\*$": of_patterns }));
}

/// Restricts keys to ids, and to those of policies, which are not known here.
fn restrict_names(map: &mut Map<String, Value>, ids: &[&str]) {
    let names = json!({"anyOf": [{"enum": ids}, {"pattern": "^policy/[^*]+$"}]});
    map.insert("propertyNames".to_owned(), names);
}
