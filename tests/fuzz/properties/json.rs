use std::borrow::Cow;

use garden_gate::json::{Json, JsonReader, RawJson, as_text, escape_step, unescape_step};
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
