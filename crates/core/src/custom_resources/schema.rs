// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use super::correlation::Correlation;
use super::formats::{self, Formatted};
use super::numbers;
use super::tree::Tree;
use super::violation::{Fault, Validated, Violations, leave_open};
use crate::admission::{ErrorType, FieldPath};
use garden_gate_cel::GoPattern;
use garden_gate_model::api::{JsonType, Schema};

/// Validation of a value by its schema. Mirrors `SchemaValidator` in `pkg/validation/validate` of `k8s.io/kube-openapi`.
pub(super) struct SchemaValidation<'v, 'd> {
    violations: &'v mut Violations<'d>,
    undetermined: &'v mut Vec<(FieldPath, String)>,
    /// The compiled patterns; `None` for those whose meaning in Go is unknown.
    patterns: BTreeMap<&'d str, Option<GoPattern>>,
}

/// The field of a value, and the stored value if there is a corresponding one.
type Place<'p> = (&'p FieldPath, Option<Correlation<'p>>);

/// Fields of the object that are never ratcheted: an API server has converted them.
const CONVERTED: [&str; 2] = ["apiVersion", "kind"];

impl<'v, 'd> SchemaValidation<'v, 'd> {
    pub(super) fn of(validated: &'v mut Validated<'d>) -> Self {
        let Validated { form, undetermined, .. } = validated;
        Self { violations: form, undetermined, patterns: BTreeMap::new() }
    }

    /// Validates a value. Violations of one that is equal to the stored one are accepted.
    pub(super) fn value(&mut self, value: &Tree, schema: &'d Schema, place: Place<'_>) {
        let before = self.violations.mark();
        self.strictly(value, schema, place);
        let (_, correlation) = place;
        if self.violations.has_new(before) && correlation.is_some_and(Correlation::is_equal) {
            self.violations.reset(before);
        }
    }

    fn strictly(&mut self, value: &Tree, schema: &'d Schema, place: Place<'_>) {
        let (path, _) = place;
        self.check_type(value, schema, path);
        if !value.is_null() {
            self.alternatives(value, schema, place);
        }
        match value {
            Tree::Null => {}
            Tree::Bool(_) => {}
            Tree::Int(_) | Tree::Double(_) => {
                numbers::validate(value, schema, path, self.violations);
            }
            Tree::String(text) => self.string(text, value, schema, path),
            Tree::List(items) => self.list(items, value, schema, place),
            Tree::Map(_) => {}
        }
        self.check_values(value, schema, path);
        if let Tree::Map(fields) = value {
            self.object(fields, value, schema, place);
        }
    }

    fn check_type(&mut self, value: &Tree, schema: &'d Schema, path: &FieldPath) {
        if let Some(expected) = wrong_type(value, schema) {
            let fault = Fault::Type(expected, type_name(value));
            self.violations.add(ErrorType::TypeInvalid, path, value, fault);
        }
    }

    fn check_values(&mut self, value: &Tree, schema: &'d Schema, path: &FieldPath) {
        let is_it = |allowed: &serde_json::Value| match (Tree::of_json(allowed), value) {
            (Tree::Null, _) => false,
            #[expect(clippy::cast_precision_loss, reason = "an API server loses it, too")]
            (Tree::Int(allowed), Tree::Double(value)) => allowed as f64 == *value,
            #[expect(clippy::cast_precision_loss, reason = "an API server loses it, too")]
            (Tree::Double(allowed), Tree::Int(value)) => allowed == *value as f64,
            (allowed, value) => allowed == *value,
        };
        if !schema.values.is_empty() && !schema.values.iter().any(is_it) {
            let fault = Fault::NotOneOf(&schema.values);
            self.violations.add(ErrorType::NotSupported, path, value, fault);
        }
    }

    fn string(&mut self, text: &str, value: &Tree, schema: &'d Schema, path: &FieldPath) {
        let length = || u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        if let Some(most) = schema.max_length.filter(|it| length() > *it) {
            self.violations.add(ErrorType::TooLong, path, value, Fault::TooLong(most));
        } else if let Some(least) = schema.min_length.filter(|it| length() < *it) {
            self.violations.add(ErrorType::Invalid, path, value, Fault::TooShort(least));
        } else if !schema.pattern.is_empty() {
            self.pattern(text, value, &schema.pattern, path);
        }
        match formats::compare(text, format_of(schema)) {
            Formatted::Right => {}
            Formatted::Wrong => {
                let fault = Fault::Format(&schema.format);
                self.violations.add(ErrorType::TypeInvalid, path, value, fault);
            }
            Formatted::Unknown => {
                let why = format!("the format `{}` is not evaluated here", schema.format);
                leave_open(self.undetermined, path, why);
            }
        }
    }

    fn pattern(&mut self, text: &str, value: &Tree, pattern: &'d str, path: &FieldPath) {
        let compiled = self.patterns.entry(pattern).or_insert_with(|| GoPattern::compile(pattern));
        match compiled {
            Some(compiled) if compiled.is_match(text) => {}
            Some(_) => {
                let fault = Fault::Pattern(pattern);
                self.violations.add(ErrorType::Invalid, path, value, fault);
            }
            None => {
                let why = format!("the regular expression `{pattern}` is not evaluated here");
                leave_open(self.undetermined, path, why);
            }
        }
    }

    fn list(&mut self, items: &[Tree], value: &Tree, schema: &'d Schema, place: Place<'_>) {
        let (path, correlation) = place;
        if let Some(inner) = schema.items.as_deref() {
            for (index, item) in items.iter().enumerate() {
                let correlation = correlation.and_then(|it| it.item(index));
                self.value(item, inner, (&path.index(index), correlation));
            }
        }
        let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
        if let Some(least) = schema.min_items.filter(|it| count < *it) {
            self.violations.add(ErrorType::Invalid, path, value, Fault::TooFewItems(least));
        }
        if let Some(most) = schema.max_items.filter(|it| count > *it) {
            self.violations.add(ErrorType::TooMany, path, value, Fault::TooManyItems(most));
        }
        if schema.unique_items && !are_unique(items) {
            self.violations.add(ErrorType::Invalid, path, value, Fault::NotUnique);
        }
    }

    fn object(
        &mut self,
        fields: &BTreeMap<String, Tree>,
        value: &Tree,
        schema: &'d Schema,
        place: Place<'_>,
    ) {
        let (path, correlation) = place;
        let count = u64::try_from(fields.len()).unwrap_or(u64::MAX);
        if let Some(least) = schema.min_properties.filter(|it| count < *it) {
            self.violations.add(ErrorType::Invalid, path, value, Fault::TooFewFields(least));
        }
        if let Some(most) = schema.max_properties.filter(|it| count > *it) {
            self.violations.add(ErrorType::TooMany, path, value, Fault::TooManyFields(most));
        }
        let is_root = *path == FieldPath::root();
        for (name, field) in fields {
            let Some(inner) = schema.field(name) else { continue };
            let is_converted = is_root && CONVERTED.contains(&name.as_str());
            let correlation = correlation.filter(|_| !is_converted);
            let correlation = correlation.and_then(|it| it.field(name));
            self.value(field, inner, (&path.child_called(name), correlation));
        }
        for name in schema.required.iter().filter(|it| !fields.contains_key(*it)) {
            let path = path.child_called(name);
            self.violations.add(ErrorType::Required, &path, &Tree::Null, Fault::Missing);
        }
    }

    /// Validates `allOf`, `anyOf`, `oneOf` and `not`; nothing in them is ratcheted.
    fn alternatives(&mut self, value: &Tree, schema: &'d Schema, place: Place<'_>) {
        let (path, _) = place;
        if !schema.any_of.is_empty() {
            let (valid, best) = self.compared(value, &schema.any_of, path);
            if valid == 0 {
                self.invalid(path, value, Fault::NoAlternative, best);
            }
        }
        if !schema.one_of.is_empty() {
            match self.compared(value, &schema.one_of, path) {
                (0, best) => self.invalid(path, value, Fault::NoAlternative, best),
                (1, _) => {}
                _ => self.invalid(path, value, Fault::SeveralAlternatives, Violations::default()),
            }
        }
        let before = self.violations.mark();
        for inner in &schema.all_of {
            self.strictly(value, inner, (path, None));
        }
        if self.violations.has_new(before) {
            self.invalid(path, value, Fault::NotAll, Violations::default());
        }
        if let Some(excluded) = schema.not.as_deref()
            && self.violations_of(value, excluded, path).is_empty()
        {
            self.invalid(path, value, Fault::Excluded, Violations::default());
        }
    }

    fn invalid(
        &mut self,
        path: &FieldPath,
        value: &Tree,
        fault: Fault<'d>,
        because: Violations<'d>,
    ) {
        self.violations.add(ErrorType::Invalid, path, value, fault);
        self.violations.append(because);
    }

    /// Returns the number of schemas that a value matches, and the fewest violations of one that it does not match.
    fn compared(
        &mut self,
        value: &Tree,
        schemas: &'d [Schema],
        path: &FieldPath,
    ) -> (usize, Violations<'d>) {
        let (mut valid, mut best): (_, Option<Violations<'d>>) = (0, None);
        for schema in schemas {
            let violations = self.violations_of(value, schema, path);
            if violations.is_empty() {
                valid += 1;
            } else if best.as_ref().is_none_or(|best| violations.count < best.count) {
                best = Some(violations);
            }
        }
        (valid, best.unwrap_or_default())
    }

    fn violations_of(
        &mut self,
        value: &Tree,
        schema: &'d Schema,
        path: &FieldPath,
    ) -> Violations<'d> {
        let mut violations = Violations::default();
        let mut inner = SchemaValidation {
            violations: &mut violations,
            undetermined: &mut *self.undetermined,
            patterns: std::mem::take(&mut self.patterns),
        };
        inner.strictly(value, schema, (path, None));
        self.patterns = std::mem::take(&mut inner.patterns);
        violations
    }
}

/// Returns the expected types if a value has none of them; `None` if it has.
///
/// Mirrors `typeValidator`. A string or list passes if the schema has a format of strings.
fn wrong_type(value: &Tree, schema: &Schema) -> Option<Vec<&'static str>> {
    let types: &[JsonType] = match (schema.is_int_or_string, &schema.kind) {
        (true, _) => &[JsonType::Integer, JsonType::String],
        (false, Some(kind)) => std::slice::from_ref(kind),
        (false, None) => &[],
    };
    let has = |kind: JsonType| types.contains(&kind);
    let is_number = has(JsonType::Number) || has(JsonType::Integer);
    let has_format = !format_of(schema).is_empty();
    let fits = match value {
        Tree::Null => types.is_empty() || schema.nullable,
        Tree::Bool(_) => has(JsonType::Boolean),
        Tree::Int(_) => is_number,
        Tree::Double(number) => {
            has(JsonType::Number) || has(JsonType::Integer) && numbers::is_whole(*number)
        }
        Tree::String(_) => has(JsonType::String) || has_format && !is_number,
        Tree::List(_) => has(JsonType::Array) || has_format && !is_number,
        Tree::Map(_) => has(JsonType::Object),
    };
    let is_unlimited = types.is_empty() && !has_format;
    (!fits && !is_unlimited).then(|| types.iter().map(|it| name_of(*it)).collect())
}

/// Returns the format of a schema; empty if an API server ignores it.
fn format_of(schema: &Schema) -> &str {
    let format = schema.format.as_str();
    let kind = schema.kind.filter(|_| !schema.is_int_or_string);
    let is_known = match kind {
        None | Some(JsonType::String) => formats::is_known(format),
        Some(JsonType::Integer) => ["int32", "int64"].contains(&format),
        Some(JsonType::Number) => ["float", "double"].contains(&format),
        Some(JsonType::Object | JsonType::Array | JsonType::Boolean) => false,
    };
    if is_known { format } else { "" }
}

fn name_of(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Object => "an object",
        JsonType::Array => "a list",
        JsonType::String => "a string",
        JsonType::Integer => "a whole number",
        JsonType::Number => "a number",
        JsonType::Boolean => "`true` or `false`",
    }
}

fn type_name(value: &Tree) -> &'static str {
    match value {
        Tree::Null => "`null`",
        Tree::Bool(_) => "a boolean",
        Tree::Int(_) | Tree::Double(_) => "a number",
        Tree::String(_) => "a string",
        Tree::List(_) => "a list",
        Tree::Map(_) => "an object",
    }
}

fn are_unique(items: &[Tree]) -> bool {
    let mut seen = BTreeSet::new();
    items.iter().all(|item| {
        let mut text = String::new();
        item.write_canonical(true, &mut text);
        seen.insert(text)
    })
}
