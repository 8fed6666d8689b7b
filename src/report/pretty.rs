use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::escape;

/// So much room is made at once, in bytes: for a Shoot with a patch that fills in its defaults.
const USUAL: usize = 8192;

/// An item of a list as text, to be put where one belongs.
#[derive(Debug)]
pub(super) struct Item(Vec<u8>);

impl Item {
    pub(super) fn of(item: &impl Serialize) -> serde_json::Result<Self> {
        // In a list in an object.
        let formatter = Indented {
            depth: 2,
            is_filled: false,
        };
        text(item, formatter).map(Self)
    }
}

/// Writes a whole JSON document.
pub(super) fn write(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
    let formatter = Indented::default();
    document.serialize(&mut Serializer::with_formatter(&mut *out, formatter))?;
    writeln!(out)
}

/// The text of a whole JSON document.
///
/// # Errors
/// Of `serde_json`, which writes any text.
pub fn json_document(document: &impl Serialize) -> serde_json::Result<String> {
    let mut json = serde_json::to_string_pretty(document)?;
    json.push('\n');
    Ok(escape::json(&json).into_owned())
}

/// In one piece: values consist of thousands of small ones.
fn text(value: &impl Serialize, formatter: Indented) -> serde_json::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(USUAL);
    value.serialize(&mut Serializer::with_formatter(&mut text, formatter))?;
    Ok(text)
}

/// A JSON object with lists in it that are written item by item, and reads as if `serde_json` had printed all of it at once.
#[derive(Debug)]
pub(super) struct Pretty {
    formatter: Indented,
    /// Whether nothing stands yet in what is open.
    is_first: bool,
}

impl Pretty {
    pub(super) fn new() -> Self {
        Self {
            formatter: Indented::default(),
            is_first: true,
        }
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

/// As `serde_json`'s `PrettyFormatter`, with the whole indentation of a line in one piece: there are hundreds of lines for each object.
#[derive(Clone, Debug, Default)]
struct Indented {
    depth: usize,
    /// Whether something stands in what was opened last.
    is_filled: bool,
}

impl Indented {
    fn open(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.is_filled = false;
        out.write_all(bracket)
    }

    fn close(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        if self.is_filled {
            self.new_line(out)?;
        }
        out.write_all(bracket)
    }

    fn next(&self, out: &mut (impl Write + ?Sized), is_first: bool) -> io::Result<()> {
        if !is_first {
            out.write_all(b",")?;
        }
        self.new_line(out)
    }

    fn new_line(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        const LINE: &[u8] = b"\n                                                                ";
        let width = 2 * self.depth;
        match LINE.get(..=width) {
            Some(line) => out.write_all(line),
            None => write!(out, "\n{:width$}", ""),
        }
    }
}

impl Formatter for Indented {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        out.write_all(escape::json(fragment).as_bytes())
    }

    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        is_first: bool,
    ) -> io::Result<()> {
        self.next(out, is_first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.is_filled = true;
        Ok(())
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        is_first: bool,
    ) -> io::Result<()> {
        self.next(out, is_first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.is_filled = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Item, Pretty};

    /// `{"before": …, "items": […], "after": …}`, bit by bit.
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
        for items in [
            vec![],
            vec![json!(1)],
            vec![json!({}), deep.clone(), json!([]), deep.clone()],
        ] {
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

    /// As `serde_json` prints a field's value.
    fn indented(value: &Value) -> String {
        let text = serde_json::to_string_pretty(value).unwrap();
        text.replace('\n', "\n  ")
    }
}
