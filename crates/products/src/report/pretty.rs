// SPDX-License-Identifier: Apache-2.0
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};

use garden_gate_text::escape;

/// An item of a list, as indented JSON.
#[derive(Debug)]
pub(super) struct Item(Vec<u8>);

impl Item {
    pub(super) fn of(item: &impl Serialize) -> io::Result<Self> {
        let mut formatter = PrettyFormatter::new();
        // The list is a field of an object.
        formatter.begin_object(&mut io::sink())?;
        formatter.begin_array(&mut io::sink())?;
        Ok(Self(text(item, formatter)?))
    }
}

/// Writes a whole JSON document.
pub(super) fn write(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(Escaped(&mut *out), document)?;
    writeln!(out)
}

/// Formats a whole JSON document.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub fn json_document(document: &impl Serialize) -> serde_json::Result<String> {
    let mut json = serde_json::to_string_pretty(document)?;
    json.push('\n');
    Ok(escape::json(&json).into_owned())
}

fn text(value: &impl Serialize, formatter: PrettyFormatter<'_>) -> serde_json::Result<Vec<u8>> {
    let mut text = Vec::new();
    value.serialize(&mut Serializer::with_formatter(Escaped(&mut text), formatter))?;
    Ok(text)
}

/// A JSON object whose lists are written item by item.
///
/// The output is the same as that of `serde_json` for the whole object.
#[derive(Debug)]
pub(super) struct Pretty {
    formatter: PrettyFormatter<'static>,
    /// Whether the open list or object has no entries yet.
    is_first: bool,
}

impl Pretty {
    pub(super) fn new() -> Self {
        Self { formatter: PrettyFormatter::new(), is_first: true }
    }

    /// Opens the object.
    pub(super) fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.formatter.begin_object(out)
    }

    pub(super) fn field(
        &mut self,
        out: &mut dyn Write,
        name: &str,
        value: &impl Serialize,
    ) -> io::Result<()> {
        self.name(out, name)?;
        out.write_all(&text(value, self.formatter.clone())?)?;
        self.formatter.end_object_value(out)
    }

    /// Opens the list.
    pub(super) fn begin_list(&mut self, out: &mut dyn Write, name: &str) -> io::Result<()> {
        self.name(out, name)?;
        self.is_first = true;
        self.formatter.begin_array(out)
    }

    pub(super) fn item(&mut self, out: &mut dyn Write, Item(text): &Item) -> io::Result<()> {
        self.formatter.begin_array_value(out, self.is_first)?;
        self.is_first = false;
        out.write_all(text)?;
        self.formatter.end_array_value(out)
    }

    pub(super) fn end_list(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.is_first = false;
        self.formatter.end_array(out)?;
        self.formatter.end_object_value(out)
    }

    /// Closes the object, and the line.
    pub(super) fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.formatter.end_object(out)?;
        writeln!(out)
    }

    fn name(&mut self, out: &mut dyn Write, name: &str) -> io::Result<()> {
        self.formatter.begin_object_key(out, self.is_first)?;
        self.is_first = false;
        serde_json::to_writer(&mut *out, name)?;
        self.formatter.end_object_key(out)?;
        self.formatter.begin_object_value(out)
    }
}

/// A writer that escapes the JSON of `serde_json`.
///
/// `serde_json` writes the part of a string between two escapes with one call.
struct Escaped<W>(W);

impl<W: Write> Write for Escaped<W> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(json).map_err(io::Error::other)?;
        self.0.write_all(escape::json(text).as_bytes())?;
        Ok(json.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Item, Pretty};

    /// Writes `{"before": …, "items": […], "after": …}` in parts.
    fn written(before: &Value, items: &[Value], after: &Value) -> String {
        let (mut out, mut pretty) = (Vec::new(), Pretty::new());
        pretty.begin(&mut out).unwrap();
        pretty.field(&mut out, "before", before).unwrap();
        pretty.begin_list(&mut out, "items").unwrap();
        for item in items {
            pretty.item(&mut out, &Item::of(item).unwrap()).unwrap();
        }
        pretty.end_list(&mut out).unwrap();
        pretty.field(&mut out, "the \"last\"", after).unwrap();
        pretty.end(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn it_reads_as_if_it_were_printed_at_once() {
        let deep = json!({"a": {"b": [{"c": "\n"}, [], {}]}, "d": [1, [2, 3]]});
        let deep = (0..40).fold(deep, |inside, _| json!([{"e": inside}]));
        for items in
            [vec![], vec![json!(1)], vec![json!({}), deep.clone(), json!([]), deep.clone()]]
        {
            for [before, after] in [[json!("x"), deep.clone()], [json!([]), json!({})]] {
                let [before_text, after_text, items_text] =
                    [&before, &after, &json!(items)].map(indented);
                let expected = format!(
                    "{{\n  \"before\": {before_text},\n  \"items\": {items_text},\n  \"the \\\"last\\\"\": {after_text}\n}}\n"
                );
                assert_eq!(written(&before, &items, &after), expected);
            }
        }
    }

    /// Formats a value as `serde_json` does for a field.
    fn indented(value: &Value) -> String {
        let text = serde_json::to_string_pretty(value).unwrap();
        text.replace('\n', "\n  ")
    }
}
