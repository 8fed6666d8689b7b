use std::ops::Range;

use crate::compat::Block;

/// Goes through JSON without taking it apart, and notices wherever it is none, as `serde_json` does.
#[derive(Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// What closes the lists and objects inside of the value that is gone past.
    open: Vec<u8>,
}

impl<'a> Lexer<'a> {
    /// Before the first value of a text.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        let open = Vec::with_capacity(32);
        Self { text, at: 0, open }
    }

    /// Goes past a value: where it stands in the text. `None` where the text is no JSON.
    pub fn value(&mut self) -> Option<Range<usize>> {
        self.peek()?;
        let start = self.at;
        self.begin()?;
        while let Some(&close) = self.open.last() {
            let next = self.peek()?;
            self.at += 1;
            if next == close {
                self.open.pop();
            } else if next == b',' {
                if close == b'}' {
                    self.name()?;
                }
                self.begin()?;
            } else {
                return None;
            }
        }
        Some(start..self.at)
    }

    /// As [`Self::value`], and quicker if the value is, word for word, one that was gone past before and stands at `known`.
    pub fn value_like(&mut self, known: Option<Range<usize>>) -> Option<Range<usize>> {
        let first = self.peek()?;
        let start = self.at;
        let known = known.and_then(|place| self.text.get(place));
        match known {
            // Of these, none begins another one.
            Some(known)
                if matches!(first, b'{' | b'[' | b'"')
                    && self.text.as_bytes()[start..].starts_with(known.as_bytes()) =>
            {
                self.at += known.len();
                Some(start..self.at)
            }
            _ => self.value(),
        }
    }

    /// Goes past an object: `each` is told the name of a field, to the letter, and goes past its value. `None` where the text is no
    /// object of JSON, or `each` says so.
    pub fn fields(
        &mut self,
        mut each: impl FnMut(&mut Self, &'a str) -> Option<()>,
    ) -> Option<Range<usize>> {
        let is_object = self.peek()? == b'{';
        let start = self.at;
        self.at += 1;
        if is_object && self.peek()? == b'}' {
            self.at += 1;
            return Some(start..self.at);
        }
        let mut goes_on = is_object;
        while goes_on {
            let name = self.name()?;
            each(self, self.text.get(name)?)?;
            let next = self.peek()?;
            goes_on = next == b',';
            self.at += 1;
            if next == b'}' {
                return Some(start..self.at);
            }
        }
        None
    }

    /// Whether the next value is an object.
    pub fn is_object(&mut self) -> bool {
        self.peek() == Some(b'{')
    }

    /// Whether nothing follows.
    pub fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Goes past a scalar or an empty list or object, or else into the list or object as far as its first scalar.
    fn begin(&mut self) -> Option<()> {
        loop {
            let first = self.peek()?;
            let close = match first {
                b'{' => b'}',
                b'[' => b']',
                b'"' => return self.string(),
                b't' => return self.word("true"),
                b'f' => return self.word("false"),
                b'n' => return self.word("null"),
                _ => return self.number(),
            };
            self.at += 1;
            if self.peek()? == close {
                self.at += 1;
                return Some(());
            }
            self.open.push(close);
            if first == b'{' {
                self.name()?;
            }
        }
    }

    /// Goes past the name of a field and the colon behind it: where it stands without its quotes.
    fn name(&mut self) -> Option<Range<usize>> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at + 1;
        self.string()?;
        let name = start..self.at - 1;
        let is_colon = self.peek()? == b':';
        self.at += 1;
        is_colon.then_some(name)
    }

    /// The next byte that is no white space.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        loop {
            let byte = *bytes.get(self.at)?;
            if byte > b' ' || !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    #[inline]
    fn string(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        loop {
            let place = Block::first(bytes.get(at..)?).map_or(0, Block::until_special);
            at += place;
            if place == Block::LENGTH {
                continue;
            }
            match bytes.get(at)? {
                b'"' => break,
                b'\\' => at += escape(bytes.get(at + 1..)?)? + 1,
                ..0x20 => return None,
                _ => at += 1,
            }
        }
        self.at = at + 1;
        Some(())
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let is_there = self.text.as_bytes().get(self.at..)?;
        self.at += word.len();
        is_there.starts_with(word.as_bytes()).then_some(())
    }

    fn number(&mut self) -> Option<()> {
        self.sign(b"-");
        let start = self.at;
        let digits = self.digits()?;
        if digits > 1 && self.text.as_bytes().get(start) == Some(&b'0') {
            return None;
        }
        if self.sign(b".") {
            self.digits()?;
        }
        if self.sign(b"eE") {
            self.sign(b"+-");
            self.digits()?;
        }
        Some(())
    }

    /// Goes past one of these, if it is there.
    fn sign(&mut self, signs: &[u8]) -> bool {
        let next = self.text.as_bytes().get(self.at);
        let is_there = next.is_some_and(|byte| signs.contains(byte));
        self.at += usize::from(is_there);
        is_there
    }

    /// Goes past digits: how many there are, if any.
    fn digits(&mut self) -> Option<usize> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        (count > 0).then_some(count)
    }
}

/// How long what follows a backslash is.
fn escape(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(1),
        b'u' => {
            let digits = bytes.get(1..5)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(5)
        }
        _ => None,
    }
}
