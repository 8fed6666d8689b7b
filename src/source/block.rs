use memchr::memchr_iter;

use super::build::Builder;
use super::scalar;
use super::{Position, SourceError};

/// The library does not look further for the end of a key, either. Bytes.
const LONGEST_KEY: usize = 1000;

/// Feeds a YAML text to `builder` as [`yaml::read`](super::yaml::read) does, several times as fast: one document in the block style that
/// nearly all manifests are written in, of ASCII. `None` for anything else, and for whatever is wrong: then `builder` is to be forgotten.
pub(super) fn read(text: &str, builder: &mut Builder) -> Option<()> {
    let is_simple = |byte: u8| byte == b'\n' || (b' '..=b'~').contains(&byte);
    if !text.bytes().all(is_simple) {
        return None;
    }
    let mut reader = Reader {
        builder,
        open: Vec::new(),
        key: None,
    };
    let mut is_first = true;
    let ends = memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
    let mut begin = 0;
    for (number, end) in ends.enumerate() {
        let line = text.get(begin..end)?;
        begin = end + 1;
        let rest = line.trim_start_matches(' ');
        if rest.is_empty() || rest.starts_with('#') {
            continue;
        }
        if !std::mem::take(&mut is_first) || rest != "---" || line != rest {
            reader.line(Part {
                text: rest,
                line: number + 1,
                indent: line.len() - rest.len(),
            })?;
        }
    }
    reader.end()
}

/// A part of a line, up to its end.
#[derive(Clone, Copy)]
struct Part<'t> {
    text: &'t str,
    line: usize,
    /// How much of the line stands before it.
    indent: usize,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Kind {
    Sequence,
    Mapping,
}

struct Reader<'b> {
    builder: &'b mut Builder,
    /// The lists and mappings that are not closed yet, with how far they are indented.
    open: Vec<(Kind, usize)>,
    /// Behind a key that has no value yet.
    key: Option<Position>,
}

impl Reader<'_> {
    /// Reads a line that says something.
    fn line(&mut self, part: Part<'_>) -> Option<()> {
        let kind = part.kind();
        match (self.open.last().copied(), self.key) {
            (None, _) => self.begin(kind, part)?,
            (Some((_, indent)), Some(_))
                if part.indent > indent || part.indent == indent && kind == Kind::Sequence =>
            {
                self.key = None;
                self.begin(kind, part)?;
            }
            (Some((_, indent)), None) if part.indent > indent => return None,
            _ => {
                self.nothing()?;
                self.leave(kind, part.indent)?;
            }
        }
        self.entry(part)
    }

    fn begin(&mut self, kind: Kind, part: Part<'_>) -> Option<()> {
        let is_flush = self.open.last() == Some(&(Kind::Mapping, part.indent));
        let position = match is_flush {
            // To the library, a list that is indented as little as its key begins in its first item.
            true => part.behind(1)?.position(),
            false => part.position(),
        };
        self.open.push((kind, part.indent));
        fed(match kind {
            Kind::Sequence => self.builder.open_sequence(position, 0),
            Kind::Mapping => self.builder.open_mapping(position, 0),
        })
    }

    /// Closes what a line with this indentation does not belong to.
    fn leave(&mut self, kind: Kind, indent: usize) -> Option<()> {
        while let Some((open, at)) = self.open.last().copied() {
            if at == indent && open == kind {
                return Some(());
            }
            if at < indent || at == indent && open == Kind::Mapping {
                return None;
            }
            self.open.pop();
            fed(self.builder.close())?;
        }
        None
    }

    /// Reads an item or a field.
    fn entry(&mut self, part: Part<'_>) -> Option<()> {
        match part.kind() {
            Kind::Sequence => self.item(part.behind(1)?),
            Kind::Mapping => self.field(part),
        }
    }

    fn item(&mut self, part: Part<'_>) -> Option<()> {
        let is_key = part.key().is_some();
        match part.kind() {
            Kind::Mapping if !is_key => self.value(part),
            kind => {
                self.begin(kind, part)?;
                self.entry(part)
            }
        }
    }

    fn field(&mut self, part: Part<'_>) -> Option<()> {
        let key = part.key()?;
        self.scalar(key, part.position(), true)?;
        match part.behind(key.len() + 1) {
            Some(value) => self.value(value),
            None => {
                let Part { line, indent, .. } = part;
                let column = indent + key.len() + 1;
                self.key = Some(Position { line, column });
                Some(())
            }
        }
    }

    /// Reads what ends with its line.
    fn value(&mut self, part: Part<'_>) -> Option<()> {
        let (text, position) = (part.text, part.position());
        match text.as_bytes().first()? {
            quote @ (b'"' | b'\'') => {
                let inside = text.get(1..)?;
                let (inside, rest) = inside.split_once(char::from(*quote))?;
                let is_whole = !inside.contains('\\') && is_blank(rest);
                self.scalar(Some(inside).filter(|_| is_whole)?, position, false)
            }
            b'[' if is_blank(text.strip_prefix("[]")?) => {
                fed(self.builder.open_sequence(position, 0))?;
                fed(self.builder.close())
            }
            b'{' if is_blank(text.strip_prefix("{}")?) => {
                fed(self.builder.open_mapping(position, 0))?;
                fed(self.builder.close())
            }
            _ => self.scalar(part.plain()?, position, true),
        }
    }

    /// Notes that a key has no value, if there is such a key.
    fn nothing(&mut self) -> Option<()> {
        match self.key.take() {
            Some(position) => self.scalar("", position, true),
            None => Some(()),
        }
    }

    fn scalar(&mut self, text: &str, position: Position, is_plain: bool) -> Option<()> {
        let scalar = scalar::scalar(text, is_plain, None).ok()?;
        fed(self.builder.scalar(scalar, position, 0))
    }

    fn end(mut self) -> Option<()> {
        self.nothing()?;
        if self.open.is_empty() {
            return None;
        }
        for _ in self.open {
            fed(self.builder.close())?;
        }
        self.builder.end_document();
        Some(())
    }
}

impl<'t> Part<'t> {
    fn position(self) -> Position {
        Position {
            line: self.line,
            column: self.indent + 1,
        }
    }

    /// What it would be an entry of.
    fn kind(self) -> Kind {
        match self.text.starts_with("- ") {
            true => Kind::Sequence,
            false => Kind::Mapping,
        }
    }

    /// What follows so many bytes and blanks; `None` if nothing does but perhaps a comment.
    fn behind(self, bytes: usize) -> Option<Self> {
        let rest = self.text.get(bytes..)?;
        let text = rest.trim_start_matches(' ');
        let indent = self.indent + self.text.len() - text.len();
        let is_something = !text.is_empty() && !text.starts_with('#');
        is_something.then_some(Self {
            text,
            indent,
            ..self
        })
    }

    /// The key that it begins with.
    fn key(self) -> Option<&'t str> {
        let bytes = self.text.as_bytes();
        if !bytes.first()?.is_ascii_alphanumeric() {
            return None;
        }
        let ends = |at: &usize| matches!(bytes.get(at + 1), None | Some(b' '));
        let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:".contains(&byte);
        let end = memchr_iter(b':', bytes).find(ends)?;
        let key = self.text.get(..end)?;
        (end <= LONGEST_KEY && key.bytes().all(is_inside)).then_some(key)
    }

    /// The text without quotes that it is.
    fn plain(self) -> Option<&'t str> {
        let bytes = self.text.as_bytes();
        let begins = match bytes.first()? {
            b'-' => bytes.get(1).is_some_and(u8::is_ascii_alphanumeric),
            first => first.is_ascii_alphanumeric() || b"/._+(~".contains(first),
        };
        let is_field = |at: usize| matches!(bytes.get(at + 1), None | Some(b' '));
        if !begins || memchr_iter(b':', bytes).any(is_field) {
            return None;
        }
        let text = match self.text.find(" #") {
            Some(end) => self.text.get(..end)?,
            None => self.text,
        };
        Some(text.trim_end_matches(' '))
    }
}

/// Whether a rest of a line says nothing.
fn is_blank(rest: &str) -> bool {
    let text = rest.trim_start_matches(' ');
    text.is_empty() || text.starts_with('#') && text.len() < rest.len()
}

fn fed(result: Result<(), SourceError>) -> Option<()> {
    result.ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::build::Builder;
    use super::super::yaml;

    fn line() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            "[a-z0-9:/.#,'\" -]{1,8}",
            "[a-z]{1,3}( #.)?",
            "-?[0-9]{1,2}[.]?[0-9]?",
            Just("'x y' # z".to_owned()),
            Just("\"x: y\"".to_owned()),
            Just("[]".to_owned()),
            Just("{} ".to_owned()),
            Just("~".to_owned()),
            Just("yes".to_owned()),
            "[\\[\\]{}&*!|>%@`?=<+(~_.:-][a-z: ]{0,2}",
        ];
        let said = prop_oneof![
            4 => ("[a-d]:", value.clone()).prop_map(|(key, value)| format!("{key} {value}")),
            3 => "[a-d]:",
            2 => value,
            1 => "[a-z0-9_./:-]{1,4}:( [a-z])?",
            1 => Just(String::new()),
            1 => Just("# c".to_owned()),
            1 => "[a-c]: +[a-z]",
        ];
        let items =
            prop_oneof![4 => Just(""), 2 => Just("- "), 1 => Just("- - "), 1 => Just("-   ")];
        let indents = prop_oneof![4 => Just(0_usize), 4 => Just(2), 2 => Just(4), 1 => 0..6_usize];
        (indents, items, said)
            .prop_map(|(indent, item, said)| format!("{}{item}{said}", " ".repeat(indent)))
    }

    fn text() -> impl Strategy<Value = String> {
        let begin = prop_oneof![2 => Just("---\n"), 2 => Just(""), 1 => Just("# x\n---\n"), 1 => Just("\n--- \n")];
        let lines = prop::collection::vec(line(), 0..9);
        (begin, lines).prop_map(|(begin, lines)| format!("{begin}{}", lines.join("\n")))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]
        #[test]
        fn it_is_what_the_library_reads(text in text()) {
            let [mut own, mut expected] = [Builder::keeping_repeated(), Builder::keeping_repeated()];
            if super::read(&text, &mut own).is_some() {
                let read = yaml::read(&text, &mut expected);
                prop_assert!(read.is_ok(), "{read:?}");
                let [own, expected] = [own, expected].map(Builder::into_documents);
                prop_assert_eq!(format!("{own:?}"), format!("{expected:?}"));
            }
        }
    }

    #[test]
    fn manifests_are_read() {
        for text in [
            "a: 1\nb:\n- c: d\n  e:\n  - f\n  - g: 'h'\nc:\n  d:   # none\n  e: \"x\"\n",
            "---\n# what\n\na:\n  - b: {}\n    c: []\n  - f:spec: .5\n",
        ] {
            assert!(
                super::read(text, &mut Builder::default()).is_some(),
                "{text}"
            );
        }
    }
}
