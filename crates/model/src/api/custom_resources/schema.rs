// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// The schema of a value in a CustomResourceDefinition: its structure, and the validation of the value.
///
/// It has the keywords of `JSONSchemaProps` that are evaluated; a definition with others cannot be read.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Schema {
    /// The purpose, for people.
    pub description: String,
    /// The JSON type; absent for any type.
    #[serde(rename = "type")]
    pub kind: Option<JsonType>,
    /// The format of a string or number; unknown formats are ignored.
    pub format: String,
    /// Whether `null` is a value.
    pub nullable: bool,
    /// The value of an absent field; `null` if there is none.
    pub default: Value,
    /// The fields of an object.
    pub properties: BTreeMap<String, Schema>,
    /// The values of a map.
    pub additional_properties: Option<Box<SchemaOrBool>>,
    /// The items of a list.
    pub items: Option<Box<Schema>>,
    /// The names of fields that must be present.
    pub required: Vec<String>,
    /// The possible values, if they are limited.
    #[serde(rename = "enum")]
    pub values: Vec<Value>,
    /// The minimum number of characters.
    pub min_length: Option<u64>,
    /// The maximum number of characters.
    pub max_length: Option<u64>,
    /// A regular expression in Go's syntax that a part of the string matches; empty if there is none.
    pub pattern: String,
    /// The minimum of a number.
    pub minimum: Option<f64>,
    /// Whether the minimum itself is not valid.
    pub exclusive_minimum: bool,
    /// The maximum of a number.
    pub maximum: Option<f64>,
    /// Whether the maximum itself is not valid.
    pub exclusive_maximum: bool,
    /// A number of which values are multiples.
    pub multiple_of: Option<f64>,
    /// The minimum number of items.
    pub min_items: Option<u64>,
    /// The maximum number of items.
    pub max_items: Option<u64>,
    /// Whether the items differ from each other.
    pub unique_items: bool,
    /// The minimum number of fields.
    pub min_properties: Option<u64>,
    /// The maximum number of fields.
    pub max_properties: Option<u64>,
    /// Schemas of which the value matches all.
    pub all_of: Vec<Schema>,
    /// Schemas of which the value matches at least one.
    pub any_of: Vec<Schema>,
    /// Schemas of which the value matches exactly one.
    pub one_of: Vec<Schema>,
    /// A schema that the value does not match.
    pub not: Option<Box<Schema>>,
    /// Whether the value is an integer or a string.
    #[serde(rename = "x-kubernetes-int-or-string")]
    pub is_int_or_string: bool,
    /// Whether fields without a schema are kept.
    #[serde(rename = "x-kubernetes-preserve-unknown-fields")]
    pub keeps_unknown_fields: bool,
    /// The identity of items.
    #[serde(rename = "x-kubernetes-list-type")]
    pub list_type: ListType,
    /// The fields that identify an item of a list of type `map`.
    #[serde(rename = "x-kubernetes-list-map-keys")]
    pub list_map_keys: Vec<String>,
    /// Whether an object is replaced as a whole; it has no effect on validation.
    #[serde(rename = "x-kubernetes-map-type")]
    pub map_type: String,
    /// Rules in CEL.
    #[serde(rename = "x-kubernetes-validations")]
    pub rules: Vec<ValidationRule>,
}

/// A JSON type of a schema.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum JsonType {
    /// An object.
    Object,
    /// A list.
    Array,
    /// A string.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
}

/// The identity of the items of a list.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum ListType {
    /// No identity: the list is replaced as a whole.
    #[default]
    Atomic,
    /// The items themselves.
    Set,
    /// Some fields of the items.
    Map,
}

/// The schema of the values of a map, or whether there may be any.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "nearly all are schemas")]
pub enum SchemaOrBool {
    /// Whether there may be values.
    Bool(bool),
    /// The schema of the values.
    Schema(Schema),
}

/// A rule of `x-kubernetes-validations`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ValidationRule {
    /// The expression, which is `true` for a valid value.
    pub rule: String,
    /// The message about an invalid value.
    pub message: String,
    /// An expression for the message.
    pub message_expression: String,
    /// The type of the error; empty for `FieldValueInvalid`.
    pub reason: String,
    /// The path of the field to which the error belongs, relative to the value.
    pub field_path: String,
    /// Whether the rule is also evaluated without a stored value.
    pub optional_old_self: bool,
}

impl ValidationRule {
    /// The rule of a value that cannot be changed.
    pub const IMMUTABLE: &str = "self == oldSelf";
}

impl Schema {
    /// Returns the schema of the values of a map.
    pub fn values_of_map(&self) -> Option<&Self> {
        match self.additional_properties.as_deref()? {
            SchemaOrBool::Schema(schema) => Some(schema),
            SchemaOrBool::Bool(_) => None,
        }
    }

    /// Returns the schema of a field or of an entry of a map.
    pub fn field(&self, name: &str) -> Option<&Self> {
        self.properties.get(name).or_else(|| self.values_of_map())
    }

    /// Reports whether an absent value gets a default.
    pub fn has_default(&self) -> bool {
        !self.default.is_null()
    }

    /// Reports whether the value, or a value in it, has a rule.
    pub fn has_rules(&self) -> bool {
        !self.rules.is_empty() || self.inner().any(Self::has_rules)
    }

    /// Returns the schemas of the values in the value, and those that the value itself must match.
    pub fn inner(&self) -> impl Iterator<Item = &Self> {
        let structure =
            self.properties.values().chain(self.values_of_map()).chain(self.items.as_deref());
        structure
            .chain(&self.all_of)
            .chain(&self.any_of)
            .chain(&self.one_of)
            .chain(self.not.as_deref())
    }
}
