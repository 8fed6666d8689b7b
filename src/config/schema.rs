use serde_json::{Map, Value, json};

use super::KnownIds;
use super::file::GateConfiguration;

/// The JSON Schema of the configuration file, which names the ids that may be configured.
#[must_use]
pub fn schema(known: &KnownIds) -> Value {
    let schema = schemars::schema_for!(GateConfiguration);
    let mut schema = schema.to_value();
    for (pointer, ids) in [
        ("/properties/rules", known.all()),
        ("/$defs/Exempt/properties/rules", sorted(known)),
    ] {
        if let Some(rules) = schema.pointer_mut(pointer).and_then(Value::as_object_mut) {
            restrict_names(rules, &ids);
        }
    }
    schema
}

fn sorted(known: &KnownIds) -> Vec<&'static str> {
    let mut rules = known.rules.clone();
    rules.sort_unstable();
    rules
}

fn restrict_names(map: &mut Map<String, Value>, ids: &[&str]) {
    map.insert("propertyNames".to_owned(), json!({ "enum": ids }));
}
