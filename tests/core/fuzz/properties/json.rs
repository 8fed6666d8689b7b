// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::collections::BTreeMap;

use garden_gate_text::json::{
    Json, JsonReader, RawJson, Scanned, as_text, decode, decode_valid, escape_step, scan,
    unescape_step,
};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

/// Maximum depth of values that are visited one by one.
const DEPTH: usize = 50;

/// Parses JSON with all parsers of the crate, which agree with `serde_json`.
pub(crate) fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    assert_eq!(unescape_step(&escape_step(text)), text);
    decoders(text);
    let is_json = serde_json::from_str::<&RawValue>(text).is_ok();
    let json = Json::text(text);
    if !is_json {
        // The result is unspecified, but parsing ends.
        let _ = json.opened();
        return;
    }
    values(&json, text);
    pass(&mut JsonReader::of(text), 0);
}

/// The objects of an AdmissionReview.
#[derive(Debug, Deserialize)]
struct Review<'a> {
    #[serde(default, borrow)]
    request: Option<Objects<'a>>,
}

#[derive(Debug, Deserialize)]
struct Objects<'a> {
    #[serde(default, borrow)]
    object: Option<&'a RawValue>,
    #[serde(default, borrow, rename = "oldObject")]
    old_object: Option<&'a RawValue>,
}

/// Some fields of an object; the others are skipped.
#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
struct Few {
    metadata: Option<Value>,
    #[expect(clippy::zero_sized_map_values, reason = "values of a map are skipped")]
    spec: Option<BTreeMap<String, IgnoredAny>>,
    items: Option<Vec<Few>>,
}

impl<'a> Review<'a> {
    fn texts(&self) -> Option<[Option<&'a str>; 2]> {
        let request = self.request.as_ref()?;
        Some([request.object, request.old_object].map(|it| it.map(RawValue::get)))
    }
}

/// Decodes a text that may be invalid.
fn decoders(text: &str) {
    let expected = serde_json::from_str::<&RawValue>(text).ok();
    assert_eq!(decode::<&RawValue>(text).ok().map(RawValue::get), expected.map(RawValue::get));
    let tree = serde_json::from_str::<Value>(text).ok();
    assert_eq!(decode::<Value>(text).ok(), tree);
    if expected.is_some() {
        assert_eq!(decode_valid::<Value>(text, None, &[]).ok(), tree);
    }
    let expected = serde_json::from_str::<Review<'_>>(text).ok();
    let scanned = scan::<Review<'_>>(text);
    let found = scanned.as_ref().map(|it| it.value.texts());
    assert_eq!(found, expected.map(|it| it.texts()));
    let Some(Scanned { value: Review { request: Some(request) }, mut objects, .. }) = scanned
    else {
        return;
    };
    for object in [request.object, request.old_object] {
        let Some(fields) = objects.take(object) else { continue };
        let names: BTreeMap<String, &RawValue> =
            serde_json::from_str(object.map_or("", RawValue::get)).unwrap_or_default();
        for (name, value) in names {
            assert_eq!(fields.get(&name), Some(value.get()), "{name}");
        }
        let text = object.map_or("", RawValue::get);
        let [skipped, read] = [Some(&fields), None].map(|it| decode_valid::<Few>(text, it, &[]));
        assert_eq!(skipped.map_err(|it| it.to_string()), read.map_err(|it| it.to_string()));
    }
}

fn values(json: &Json<'_>, text: &str) {
    let opened = json.clone().opened();
    assert!(json.same(json) && json.same(&opened) && opened.same(json));
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        assert_eq!(json.to_value(), value);
        assert_eq!(opened.to_value(), value);
        let written = value.to_string();
        assert_eq!(Json::text(&written).opened().to_value(), value);
        let again = Json::of(&value);
        assert_eq!(again.same(json), json.same(&again));
    }
    if let RawJson::Text(quoted) = RawJson::of(text.trim_ascii())
        && let Ok(expected) = serde_json::from_str::<String>(text)
    {
        assert_eq!(quoted.text(), expected);
        assert_eq!(as_text(Cow::Borrowed(expected.as_bytes())), expected);
    }
}

/// Reads a value in document order.
fn pass(pass_over: &mut JsonReader<'_>, depth: usize) {
    let Some(written) = pass_over.value() else {
        return;
    };
    match written {
        RawJson::Object if depth < DEPTH => {
            while pass_over.name().is_some() {
                pass(pass_over, depth + 1);
            }
        }
        RawJson::Object | RawJson::List => pass_over.end(),
        _ => {}
    }
}
