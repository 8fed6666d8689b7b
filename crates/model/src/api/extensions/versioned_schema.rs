// SPDX-License-Identifier: Apache-2.0
//! Schemas whose fields and rules belong to some versions of an extension.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::version::ExtensionVersion;
use crate::api::Schema;
use garden_gate_text::json::{JsonPath, without_position};

/// The keyword of the first version with a field or rule.
const SINCE: &str = "x-garden-gate-since";
/// The keyword of the last version with a field or rule.
const UNTIL: &str = "x-garden-gate-until";
/// The keyword of rules in CEL.
const RULES: &str = "x-kubernetes-validations";
/// Maximum number of schemas in a schema.
const MOST: usize = 5_000;
/// Maximum number of versions whose schemas are kept.
const MOST_KEPT: usize = 100;

/// A schema for several versions of an extension: fields and rules may have `x-garden-gate-since` and `x-garden-gate-until`.
#[derive(Debug)]
pub struct VersionedSchema {
    source: Value,
    by_version: Mutex<BTreeMap<ExtensionVersion, Arc<Schema>>>,
}

impl VersionedSchema {
    /// Checks a schema.
    ///
    /// # Errors
    /// Fails with the field in the schema, such as `.properties.rule`, and the reason.
    pub fn of(source: &Value) -> Result<Self, (String, String)> {
        let mut rest = MOST;
        check(source, "", &mut rest)?;
        let schema = decode(limited(source.clone(), None))?;
        check_structure(&schema, "")?;
        Ok(Self { source: source.clone(), by_version: Mutex::default() })
    }

    /// Returns the schema of a version, which is kept.
    pub fn at(&self, version: ExtensionVersion) -> Arc<Schema> {
        let mut known = self.by_version.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(schema) = known.get(&version) {
            return Arc::clone(schema);
        }
        // It has been decoded before, with the fields of all versions.
        let schema =
            Arc::new(decode(limited(self.source.clone(), Some(version))).unwrap_or_default());
        if known.len() >= MOST_KEPT {
            known.clear();
        }
        known.insert(version, Arc::clone(&schema));
        schema
    }

    /// Returns the schema with the fields and rules of all versions.
    pub fn whole(&self) -> Schema {
        decode(limited(self.source.clone(), None)).unwrap_or_default()
    }
}

/// Reports whether a field or rule belongs to a version; all do without a version.
fn is_of(part: &Value, version: Option<ExtensionVersion>) -> bool {
    let limit = |keyword: &str| {
        let text = part.get(keyword).and_then(Value::as_str);
        text.and_then(|it| ExtensionVersion::parse(it).ok())
    };
    version.is_none_or(|version| {
        limit(SINCE).is_none_or(|it| it <= version) && limit(UNTIL).is_none_or(|it| it >= version)
    })
}

/// Removes fields and rules of other versions, and the keywords of versions.
fn limited(mut schema: Value, version: Option<ExtensionVersion>) -> Value {
    let Some(fields) = schema.as_object_mut() else { return schema };
    fields.retain(|name, _| name != SINCE && name != UNTIL);
    for (keyword, inner) in fields {
        match (keyword.as_str(), inner) {
            ("properties", Value::Object(properties)) => {
                properties.retain(|_, it| is_of(it, version));
                properties.values_mut().for_each(|it| *it = limited(it.take(), version));
            }
            (RULES, Value::Array(rules)) => {
                rules.retain(|it| is_of(it, version));
                for rule in rules.iter_mut().filter_map(Value::as_object_mut) {
                    rule.retain(|name, _| name != SINCE && name != UNTIL);
                }
            }
            ("items" | "additionalProperties" | "not", inner) => {
                *inner = limited(inner.take(), version);
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                for schema in schemas {
                    *schema = limited(schema.take(), version);
                }
            }
            _ => {}
        }
    }
    schema
}

fn decode(schema: Value) -> Result<Schema, (String, String)> {
    let text = schema.to_string();
    serde_json::from_str(&text).map_err(|error: serde_json::Error| {
        let pointer = JsonPath::of_error(&text, &error).pointer();
        (pointer.replace('/', "."), without_position(&error))
    })
}

/// Checks the number of schemas, and the versions in them.
fn check(schema: &Value, place: &str, rest: &mut usize) -> Result<(), (String, String)> {
    *rest = rest.checked_sub(1).ok_or_else(|| {
        (String::new(), format!("has more than {MOST} schemas; describe fewer fields"))
    })?;
    let Some(fields) = schema.as_object() else { return Ok(()) };
    for keyword in [SINCE, UNTIL] {
        check_version(schema, place, keyword)?;
    }
    for (keyword, inner) in fields {
        match (keyword.as_str(), inner) {
            ("properties", Value::Object(properties)) => {
                for (name, inner) in properties {
                    check(inner, &format!("{place}.properties.{name}"), rest)?;
                }
            }
            (RULES, Value::Array(rules)) => {
                for (index, rule) in rules.iter().enumerate() {
                    for keyword in [SINCE, UNTIL] {
                        check_version(rule, &format!("{place}.{RULES}[{index}]"), keyword)?;
                    }
                }
            }
            ("items" | "additionalProperties" | "not", inner) => {
                check(inner, &format!("{place}.{keyword}"), rest)?;
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                for (index, inner) in schemas.iter().enumerate() {
                    check(inner, &format!("{place}.{keyword}[{index}]"), rest)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_version(part: &Value, place: &str, keyword: &str) -> Result<(), (String, String)> {
    let Some(version) = part.get(keyword) else { return Ok(()) };
    let version = version.as_str().unwrap_or_default();
    let parsed = ExtensionVersion::parse(version);
    parsed.map_err(|why| {
        (format!("{place}.{keyword}"), format!("{why}; write a minor version such as \"1.18\""))
    })?;
    Ok(())
}

/// Checks that each value has a type, as a CustomResourceDefinition requires.
fn check_structure(schema: &Schema, place: &str) -> Result<(), (String, String)> {
    if schema.kind.is_none() && !schema.is_int_or_string && !schema.keeps_unknown_fields {
        return Err((
            place.to_owned(),
            "has no `type`; write one, such as `type: object`".to_owned(),
        ));
    }
    for (name, inner) in &schema.properties {
        check_structure(inner, &format!("{place}.properties.{name}"))?;
    }
    for (keyword, inner) in
        [("items", schema.items.as_deref()), ("additionalProperties", schema.values_of_map())]
    {
        if let Some(inner) = inner {
            check_structure(inner, &format!("{place}.{keyword}"))?;
        }
    }
    Ok(())
}
