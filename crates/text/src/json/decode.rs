// SPDX-License-Identifier: Apache-2.0
//! Decoding of JSON text as in Go: a `null` leaves a field unset, and is the zero value in a list or map.

use std::borrow::Cow;
use std::mem::replace;
use std::ops::Range;
use std::ptr;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use super::failure::Failure;
use super::syntax::{Invalid, Nested, Part, Scanner};
use super::zero::{RAW, Raw, Zero};

/// Maximum depth of decoded values, as in `serde_json`; skipped ones may be deeper.
const DEPTH: u8 = 128;

/// Decodes a JSON text.
///
/// # Errors
/// Fails on invalid JSON, and if a value has another type than expected, with the position of the value.
pub fn decode<'de, T: Deserialize<'de>>(text: &'de str) -> serde_json::Result<T> {
    let mut reader = Reader::of(text);
    let decoded = T::deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    decoded.map_err(|failure| failure.of_text(text))
}

/// Decodes a tree like its text.
///
/// # Errors
/// Fails as [`decode`] does.
pub fn decode_value<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    decode(&value.to_string())
}

/// Decodes a text that is known to be valid JSON, without the fields `but` of the outermost object.
///
/// `fields` are those that [`scan`] found, if the text was scanned: parts that no type has are skipped faster.
///
/// # Errors
/// Fails if a value has another type than expected, with the position of the value.
pub fn decode_valid<'de, T: Deserialize<'de>>(
    text: &'de str,
    fields: Option<&FieldTexts<'_>>,
    but: &[&str],
) -> serde_json::Result<T> {
    let nested = fields.map_or(&[][..], |fields| &fields.nested);
    let mut reader = Reader { is_valid: true, nested, but, ..Reader::of(text) };
    T::deserialize(&mut reader).map_err(|failure| failure.of_text(text))
}

/// An outer object whose values of type `RawValue` were scanned.
#[derive(Debug)]
pub struct Scanned<'de, T> {
    /// The outer object.
    pub value: T,
    /// Counts of the skipped values.
    pub nested: Nested,
    /// The fields of the raw objects.
    pub objects: RawObjects<'de>,
}

/// The fields of raw objects; none if one has many fields, or unclear names.
#[derive(Debug, Default)]
pub struct RawObjects<'a>(Vec<FieldTexts<'a>>);

/// The texts of the fields of an object.
#[derive(Clone, Debug)]
pub struct FieldTexts<'a> {
    whole: &'a str,
    fields: Vec<(&'a str, &'a str)>,
    /// The ranges of long objects and lists in it, by their start.
    nested: Vec<Range<usize>>,
}

impl<'a> FieldTexts<'a> {
    /// Returns the text of a field.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        let mut fields = self.fields.iter();
        fields.find(|field| field.0 == name).map(|field| field.1)
    }

    /// Reports whether there are few fields, with unique names and without escapes in them.
    fn is_clear(&self) -> bool {
        let names = || self.fields.iter().map(|field| field.0);
        let is_unique = |name: &str| names().filter(|it| *it == name).count() == 1;
        self.fields.len() <= MOST_FIELDS && names().all(|it| is_unique(it) && !it.contains('\\'))
    }
}

impl<T> Scanned<'_, T> {
    /// Returns an object without counts, with the upper bounds for its size in bytes.
    pub fn uncounted(value: T, bytes: usize) -> Self {
        Self { value, nested: Nested::of_bytes(bytes), objects: RawObjects::default() }
    }
}

impl<'a> RawObjects<'a> {
    /// Takes the fields of an object; `None` if they are unclear.
    pub fn take(&mut self, object: Option<&'a RawValue>) -> Option<FieldTexts<'a>> {
        let object = object?.get();
        let index = self.0.iter().position(|it| ptr::eq(it.whole.as_ptr(), object.as_ptr()))?;
        Some(self.0.swap_remove(index))
    }
}

/// Decodes an object with raw objects, each of which is scanned once; `None` if it is invalid or another type.
///
/// Unlike in [`decode`], fields that are `null` are decoded.
pub fn scan<'de, T: Deserialize<'de>>(text: &'de str) -> Option<Scanned<'de, T>> {
    let mut reader = Reader { keeps_null: true, outlines: Some(Vec::new()), ..Reader::of(text) };
    let value = T::deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    let Reader { scanner, outlines, .. } = reader;
    let objects = outlines
        .into_iter()
        .flatten()
        .map(|(range, parts)| {
            let mut nested = Vec::new();
            scanner.nested_of(&parts, &mut nested);
            let inside = |it: Range<usize>| it.start - range.start..it.end - range.start;
            FieldTexts {
                whole: text.get(range.clone()).unwrap_or_default(),
                fields: parts.iter().map(|part| scanner.texts_of(part)).collect(),
                nested: nested.into_iter().map(inside).collect(),
            }
        })
        .collect::<Vec<_>>();
    let is_clear = scanner.keeps_parts() && objects.iter().all(FieldTexts::is_clear);
    let objects = RawObjects(if is_clear { objects } else { Vec::new() });
    Some(Scanned { value, nested: scanner.skipped, objects })
}

/// Maximum number of fields of an object whose texts are kept; objects of the API have fewer.
const MOST_FIELDS: usize = 32;

/// The names of the fields of a struct; empty for other values.
type Names = &'static [&'static str];

/// A deserializer of a text.
struct Reader<'de, 'b> {
    scanner: Scanner<'de>,
    /// Whether the text is known to be valid, so that skipped values are not checked.
    is_valid: bool,
    /// Whether fields of structs that are `null` are decoded.
    keeps_null: bool,
    /// The fields of the outermost object that are skipped.
    but: &'b [&'b str],
    /// The ranges of objects and lists that are known, by their start.
    nested: &'b [Range<usize>],
    /// The ranges and parts of all raw objects, if they are wanted.
    outlines: Option<Vec<(Range<usize>, Vec<Part>)>>,
    /// The number of levels that may be opened.
    depth: u8,
    /// The index after the opening bracket or the last name of the innermost open list or object.
    place: usize,
}

/// The number of levels below the fields of an object at which values are compared with those of another object.
///
/// Most updates change a field of `spec`, or an element of `metadata.managedFields` or of `status.conditions`.
const LEVELS: usize = 2;

impl<'de> Reader<'de, '_> {
    fn of(text: &'de str) -> Self {
        Self {
            scanner: Scanner::of(text),
            is_valid: false,
            keeps_null: false,
            but: &[],
            nested: &[],
            outlines: None,
            depth: DEPTH,
            place: 0,
        }
    }

    fn end(&mut self) -> Result<(), Failure> {
        match self.scanner.peek() {
            0 if self.scanner.is_at_end() => Ok(()),
            _ => Err(Invalid.into()),
        }
    }

    /// Skips the next value.
    fn skip(&mut self) -> Result<(), Failure> {
        self.scanner.peek();
        let known = self.nested.binary_search_by_key(&self.scanner.at, |it| it.start);
        match known.ok().and_then(|index| self.nested.get(index)) {
            Some(known) => self.scanner.at = known.end,
            None if self.is_valid => self.scanner.valid_value(),
            None => self.scanner.value(false)?,
        }
        Ok(())
    }

    /// Returns the next string; `Err` with its text in quotes if that is no string for `serde_json`.
    #[inline]
    fn string(&mut self) -> Result<Cow<'de, str>, Failure> {
        let (range, has_escapes) = self.scanner.string()?;
        match self.scanner.text.get(range.clone()) {
            Some(text) if !has_escapes => Ok(Cow::Borrowed(text)),
            _ => self.unescaped(range),
        }
    }

    #[cold]
    fn unescaped(&self, range: Range<usize>) -> Result<Cow<'de, str>, Failure> {
        let quoted = self.scanner.text.get(range.start - 1..=range.end).unwrap_or_default();
        let decoded = serde_json::from_str(quoted).map(Cow::Owned);
        decoded.map_err(|error| {
            let message = super::without_position(&error);
            Failure::custom(message).at(range.end)
        })
    }

    /// Opens a list or an object, and passes its content to `read`.
    fn inside<T>(
        &mut self,
        close: u8,
        read: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.scanner.at += 1;
        self.depth -= 1;
        if self.depth == 0 {
            return Err(Failure::custom("recursion limit exceeded").at(self.scanner.at));
        }
        let outer = replace(&mut self.place, self.scanner.at);
        let result = read(self);
        let place = replace(&mut self.place, outer);
        let value = result.map_err(|failure| failure.at(place))?;
        self.depth += 1;
        match self.scanner.take(close) {
            Ok(()) => Ok(value),
            Err(Invalid) if self.scanner.peek() == b',' => {
                Err(Failure::custom("trailing characters").at(self.scanner.at))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn list<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        self.inside(b']', |reader| {
            let is_first = true;
            visitor.visit_seq(Elements { reader, is_first })
        })
    }

    fn object<V: Visitor<'de>>(&mut self, visitor: V, names: Names) -> Result<V::Value, Failure> {
        self.inside(b'}', |reader| visitor.visit_map(Fields::of(reader, names)))
    }

    /// Passes the next value to a visitor.
    fn any<V: Visitor<'de>>(&mut self, visitor: V, names: Names) -> Result<V::Value, Failure> {
        let first = self.scanner.peek();
        let start = self.scanner.at + 1;
        match first {
            b'{' => return self.object(visitor, names),
            b'[' => return self.list(visitor),
            _ => {}
        }
        let visited = match first {
            b'"' => match self.string()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            b't' => self
                .scanner
                .word("true")
                .map_err(Failure::from)
                .and_then(|()| visitor.visit_bool(true)),
            b'f' => self
                .scanner
                .word("false")
                .map_err(Failure::from)
                .and_then(|()| visitor.visit_bool(false)),
            b'n' => {
                self.scanner.word("null").map_err(Failure::from).and_then(|()| visitor.visit_unit())
            }
            _ => self.number(visitor),
        };
        visited.map_err(|failure| failure.at(start))
    }

    fn number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        let text = self.scanner.number()?;
        if let Some(number) = small(text) {
            return visitor.visit_u64(number);
        }
        let number: Number = serde_json::from_str(text)
            .map_err(|error| Failure::custom(super::without_position(&error)))?;
        if let Some(number) = number.as_u64() {
            visitor.visit_u64(number)
        } else if let Some(number) = number.as_i64() {
            visitor.visit_i64(number)
        } else {
            visitor.visit_f64(number.as_f64().unwrap_or_default())
        }
    }

    /// Fails like `serde_json` if the next value is a list or an object.
    fn refuse_nested<V: Visitor<'de>>(&mut self, visitor: &V) -> Result<(), Failure> {
        let found = match self.scanner.peek() {
            b'{' => Unexpected::Map,
            b'[' => Unexpected::Seq,
            _ => return Ok(()),
        };
        Err(Failure::invalid_type(found, visitor).at(self.scanner.at + 1))
    }
}

/// Returns a number that has digits only, and not many.
fn small(text: &str) -> Option<u64> {
    let is_small = text.len() <= 18 && text.bytes().all(|it| it.is_ascii_digit());
    let digits = text.bytes().filter(|_| is_small);
    let number = digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
    is_small.then_some(number)
}

/// Forwards the methods for values other than lists and objects.
macro_rules! scalars {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            self.refuse_nested(&visitor)?;
            self.any(visitor, &[])
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Reader<'de, '_> {
    type Error = Failure;

    scalars! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16
        deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_identifier
        deserialize_unit
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.any(visitor, &[])
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        if self.scanner.peek() != b'n' {
            return visitor.visit_some(self);
        }
        self.scanner.word("null")?;
        visitor.visit_none()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        if name != RAW {
            return visitor.visit_newtype_struct(self);
        }
        self.scanner.peek();
        let start = self.scanner.at;
        match &mut self.outlines {
            Some(outlines) if self.scanner.peek() == b'{' => {
                let other = outlines.last().map_or(&[][..], |(_, parts)| parts);
                let parts = self.scanner.parts(LEVELS, other, false)?;
                outlines.push((start..self.scanner.at, parts));
            }
            _ => self.skip()?,
        }
        let text = self.scanner.text.get(start..self.scanner.at);
        visitor.visit_map(Raw(text))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.scanner.peek() {
            b'{' => Err(Failure::invalid_type(Unexpected::Map, &visitor).at(self.scanner.at + 1)),
            _ => self.any(visitor, &[]),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.scanner.peek() {
            b'[' => Err(Failure::invalid_type(Unexpected::Seq, &visitor).at(self.scanner.at + 1)),
            _ => self.any(visitor, &[]),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: Names,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.any(visitor, names)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let first = self.scanner.peek();
        let start = self.scanner.at + 1;
        let visited = match first {
            b'"' => {
                let text = self.string()?;
                visitor.visit_enum(StrDeserializer::new(&text))
            }
            b'{' => self.inside(b'}', |reader| {
                visitor.visit_enum(MapAccessDeserializer::new(Fields::of(reader, &[])))
            }),
            _ => Err(Failure::custom("expected value")),
        };
        visited.map_err(|failure| failure.at(start))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.skip()?;
        visitor.visit_unit()
    }
}

/// The elements of a list.
struct Elements<'r, 'de, 'b> {
    reader: &'r mut Reader<'de, 'b>,
    is_first: bool,
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de, '_> {
    type Error = Failure;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Failure> {
        if self.reader.scanner.peek() == b']' {
            return Ok(None);
        }
        if !self.is_first {
            self.reader.scanner.take(b',')?;
        }
        self.is_first = false;
        element(self.reader, seed).map(Some)
    }
}

/// Decodes an element of a list or map, which may be `null`.
fn element<'de, S: DeserializeSeed<'de>>(
    reader: &mut Reader<'de, '_>,
    seed: S,
) -> Result<S::Value, Failure> {
    let is_null = reader.scanner.peek() == b'n' && !reader.keeps_null;
    let at = reader.scanner.at + 1;
    let decoded = if is_null {
        reader.scanner.word("null")?;
        seed.deserialize(Zero)
    } else {
        seed.deserialize(reader)
    };
    decoded.map_err(|failure| failure.at(at))
}

/// The fields of an object.
struct Fields<'r, 'de, 'b> {
    reader: &'r mut Reader<'de, 'b>,
    /// The fields that are skipped if they are `null`.
    names: Names,
    is_first: bool,
    /// The index of the first field.
    start: usize,
    /// These fields of those so far; empty before the first `null`.
    seen: Vec<&'static str>,
    /// The range of the longest value so far.
    longest: Range<usize>,
}

impl<'r, 'de, 'b> Fields<'r, 'de, 'b> {
    fn of(reader: &'r mut Reader<'de, 'b>, names: Names) -> Self {
        let start = reader.scanner.at;
        Self { reader, names, is_first: true, start, seen: Vec::new(), longest: 0..0 }
    }

    /// Fails if a field was there before.
    ///
    /// The visitor of a struct does not know of those that were skipped.
    fn see(&mut self, name: &'static str) -> Result<(), Failure> {
        if self.seen.contains(&name) {
            return Err(Failure::duplicate_field(name));
        }
        self.seen.push(name);
        Ok(())
    }

    /// Returns the fields before an index.
    ///
    /// Skips the longest value: otherwise, objects in objects would be read again at each level.
    fn before(&self, end: usize) -> Result<Vec<&'static str>, Failure> {
        let mut reader = Reader { is_valid: true, ..Reader::of(self.reader.scanner.text) };
        reader.scanner.at = self.start;
        reader.scanner.peek();
        let mut seen = Vec::new();
        while reader.scanner.at < end {
            let name = reader.string()?;
            seen.extend(self.names.iter().find(|it| **it == name));
            reader.scanner.take(b':')?;
            reader.scanner.peek();
            if reader.scanner.at == self.longest.start {
                reader.scanner.at = self.longest.end;
            } else {
                reader.skip()?;
            }
            reader.scanner.take(b',')?;
            reader.scanner.peek();
        }
        Ok(seen)
    }

    /// Returns the next name of a field that is not skipped.
    fn name(&mut self) -> Result<Option<Cow<'de, str>>, Failure> {
        loop {
            let reader = &mut *self.reader;
            match reader.scanner.peek() {
                b'}' => return Ok(None),
                _ if self.is_first => self.is_first = false,
                _ => reader.scanner.take(b',')?,
            }
            let start = reader.scanner.at;
            let name = reader.string()?;
            reader.place = reader.scanner.at;
            reader.scanner.take(b':')?;
            let is_null = reader.scanner.peek() == b'n' && !reader.keeps_null;
            let may_be_skipped = reader.depth == DEPTH - 1 && !reader.but.is_empty();
            let is_plain = !is_null && !may_be_skipped && self.seen.is_empty();
            if is_plain || !self.is_skipped(&name, start, is_null)? {
                return Ok(Some(name));
            }
        }
    }

    /// Skips the value of a field if it is `null`, or one of those to skip; `start` is the index before the name.
    #[cold]
    fn is_skipped(&mut self, name: &str, start: usize, is_null: bool) -> Result<bool, Failure> {
        let known = self.names.iter().find(|it| **it == name);
        if let Some(known) = known
            && (is_null || !self.seen.is_empty())
        {
            if self.seen.is_empty() {
                self.seen = self.before(start)?;
            }
            self.see(known)?;
        }
        let reader = &mut *self.reader;
        if is_null && known.is_some() {
            reader.scanner.word("null")?;
        } else if reader.depth == DEPTH - 1 && reader.but.contains(&name) {
            reader.skip()?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

impl<'de> MapAccess<'de> for Fields<'_, 'de, '_> {
    type Error = Failure;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Failure> {
        match self.name()? {
            None => Ok(None),
            Some(name) => seed.deserialize(Name(name)).map(Some),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Failure> {
        let start = self.reader.scanner.at;
        let value = element(self.reader, seed)?;
        let range = start..self.reader.scanner.at;
        if range.len() > self.longest.len() {
            self.longest = range;
        }
        Ok(value)
    }
}

/// The name of a field.
struct Name<'de>(Cow<'de, str>);

impl<'de> Deserializer<'de> for Name<'de> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.0 {
            Cow::Borrowed(name) => visitor.visit_borrowed_str(name),
            Cow::Owned(name) => visitor.visit_string(name),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visitor.visit_enum(StrDeserializer::new(&self.0))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}
