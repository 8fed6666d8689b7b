use std::borrow::Cow;

use memchr::memchr2;

/// A value in a text: where it stands, and the number of the one after it and all that it holds.
#[derive(Clone, Copy, Debug)]
struct Value {
    start: u32,
    end: u32,
    next: u32,
}

/// The values of a text in the order in which they begin; the names of fields are values, too, each before its own.
///
/// For text that is JSON; of anything else it makes something, but neither fails nor hangs.
#[derive(Debug)]
pub(super) struct Tape<'a> {
    text: &'a str,
    values: Vec<Value>,
}

impl<'a> Tape<'a> {
    /// `None` for a text of more than four gibibytes.
    #[must_use]
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let length = u32::try_from(text.len()).ok()?;
        let (mut values, mut open): (Vec<Value>, Vec<usize>) = Default::default();
        let mut scanner = Scanner::of(text);
        while let Some(token) = scanner.next() {
            let [start, end, next] = [token.place.0, token.place.1, values.len()].map(narrow);
            match token.kind {
                Kind::Open => {
                    open.push(values.len());
                    values.push(Value { start, end, next });
                }
                Kind::Close => {
                    if let Some(value) = open.pop().and_then(|index| values.get_mut(index)) {
                        (value.end, value.next) = (end, next);
                    }
                }
                Kind::Leaf => {
                    let next = next + 1;
                    values.push(Value { start, end, next });
                }
            }
        }
        let all = narrow(values.len());
        for index in open {
            if let Some(value) = values.get_mut(index) {
                (value.end, value.next) = (length, all);
            }
        }
        Some(Self { text, values })
    }

    pub(super) fn text_of(&self, index: usize) -> &'a str {
        let value = self.values.get(index);
        let place = value.map(|value| wide(value.start)..wide(value.end));
        place
            .and_then(|place| self.text.get(place))
            .unwrap_or_default()
    }

    /// The numbers of the values directly inside one.
    pub(super) fn inside<'t>(
        &'t self,
        index: usize,
    ) -> impl Iterator<Item = usize> + Clone + use<'t, 'a> {
        let end = self.next_of(index);
        let first = (index + 1 < end).then_some(index + 1);
        std::iter::successors(first, move |index| {
            Some(self.next_of(*index)).filter(|next| *next < end)
        })
    }

    /// The fields of an object, each with the number of its value.
    pub(super) fn fields<'t>(
        &'t self,
        index: usize,
    ) -> impl Iterator<Item = (Cow<'a, [u8]>, usize)> + use<'t, 'a> {
        let mut inside = self.inside(index);
        std::iter::from_fn(move || {
            let (name, value) = (inside.next()?, inside.next()?);
            Some((unescaped(self.text_of(name)), value))
        })
    }

    fn next_of(&self, index: usize) -> usize {
        self.values.get(index).map_or(0, |value| wide(value.next))
    }
}

/// There are no more values than bytes, and no more bytes than fit.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn wide(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// What is directly inside a text: the names and values of an object, or the elements of a list.
pub(super) fn inside(text: &str) -> impl Iterator<Item = &str> {
    let mut scanner = Scanner::into(text);
    std::iter::from_fn(move || scanner.value())
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    Open,
    Close,
    Leaf,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    place: (usize, usize),
}

impl Token {
    /// The place behind its last byte.
    pub(super) fn end(self) -> usize {
        self.place.1
    }
}

/// Reads the tokens of a text one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Behind the bracket that a text begins with.
    pub(super) fn into(text: &'a str) -> Self {
        let mut scanner = Self::of(text);
        scanner.next();
        scanner
    }

    pub(super) fn text_of(&self, token: Token) -> &'a str {
        let (start, end) = token.place;
        self.text.get(start..end).unwrap_or_default()
    }

    /// The next value as a whole; `None` at the end of what it stands in.
    pub(super) fn value(&mut self) -> Option<&'a str> {
        let first = self.next()?;
        match first.kind {
            Kind::Close => None,
            Kind::Leaf => Some(self.text_of(first)),
            Kind::Open => {
                let end = self.close();
                self.text.get(first.place.0..end?)
            }
        }
    }

    /// Goes past the bracket that closes what this is in, if there is one, and tells where that is.
    pub(super) fn close(&mut self) -> Option<usize> {
        let end = end_of_brackets(self.text.as_bytes(), self.at);
        self.at = end.unwrap_or(self.text.len());
        end
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        let bytes = self.text.as_bytes();
        let start = self.skip_between()?;
        let (kind, end) = match bytes.get(start)? {
            b'{' | b'[' => (Kind::Open, start + 1),
            b'}' | b']' => (Kind::Close, start + 1),
            b'"' => (Kind::Leaf, end_of_string(bytes, start)),
            _ => (Kind::Leaf, end_of_word(bytes, start)),
        };
        self.at = end;
        let place = (start, end);
        Some(Token { kind, place })
    }

    /// Where the next token begins, or the text ends.
    fn skip_between(&mut self) -> Option<usize> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let between = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b',' | b':');
        self.at += rest.iter().take_while(between).count();
        Some(self.at)
    }
}

/// Behind the bracket that closes what a place is in; `None` if nothing does.
fn end_of_brackets(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 1_usize;
    while depth > 0 {
        match bytes.get(at)? {
            b'"' => {
                at = end_of_string(bytes, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    Some(at)
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(next) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += next;
        match (bytes[at], bytes.get(at + 1)) {
            (b'"', _) => return at + 1,
            // What is escaped is ASCII; anything else is no JSON, and may end in the middle of a character.
            (_, Some(escaped)) if escaped.is_ascii() => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Of a number, or of `null` and the like.
fn end_of_word(bytes: &[u8], start: usize) -> usize {
    let is_inside = |byte: &&u8| !byte.is_ascii_whitespace() && !b",:{}[]\"".contains(byte);
    let length = bytes.iter().skip(start).take_while(is_inside).count();
    start + length.max(1)
}

/// What a text in quotes means, as bytes: half of a surrogate pair is no character, but it is something.
pub(super) fn unescaped(quoted: &str) -> Cow<'_, [u8]> {
    let text = quoted.strip_prefix('"').unwrap_or(quoted);
    let text = text.strip_suffix('"').unwrap_or(text).as_bytes();
    if !text.contains(&b'\\') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte == b'\\' {
            at += escaped(text.get(at..).unwrap_or_default(), &mut bytes);
        } else {
            bytes.push(byte);
        }
    }
    Cow::Owned(bytes)
}

/// Puts down what stands behind a backslash, and tells how long that is.
fn escaped(text: &[u8], bytes: &mut Vec<u8>) -> usize {
    let Some(&kind) = text.first() else { return 0 };
    let plain = match kind {
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'u' => return unit(text, bytes),
        other => other,
    };
    bytes.push(plain);
    1
}

/// Puts down the character that `uXXXX`, or two of them, stand for.
fn unit(text: &[u8], bytes: &mut Vec<u8>) -> usize {
    let Some(first) = code(text) else {
        bytes.push(b'u');
        return 1;
    };
    let second = text
        .get(5..)
        .filter(|_| (0xd800..0xdc00).contains(&first))
        .and_then(|rest| rest.strip_prefix(b"\\"))
        .and_then(code)
        .filter(|second| (0xdc00..0xe000).contains(second));
    match second {
        Some(second) => {
            put(
                0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                bytes,
            );
            11
        }
        None => {
            put(first, bytes);
            5
        }
    }
}

/// The four digits behind a `u`.
fn code(text: &[u8]) -> Option<u32> {
    let digits = text.strip_prefix(b"u")?.get(..4)?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn put(code: u32, bytes: &mut Vec<u8>) {
    match char::from_u32(code) {
        Some(character) => {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        // As UTF-8 would spell it if it were a character; no other text means these bytes.
        None => bytes.extend([0xed, low(code >> 6), low(code)]),
    }
}

/// The last six bits in a continuation byte.
fn low(code: u32) -> u8 {
    0x80 | u8::try_from(code & 0x3f).unwrap_or_default()
}
