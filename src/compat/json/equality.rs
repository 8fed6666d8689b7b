use std::borrow::Cow;

use super::lazy::FieldPair;
use super::scan::{Tape, unescaped};
use super::{Fields, Json};

/// The declared type of a value, which defines the equality of values.
pub trait Typing: Copy {
    /// Returns the comparison method for the type.
    fn form(self) -> Form;

    /// Returns the type of a field of an object.
    fn field(self, name: &str) -> Self;

    /// Returns the type of the items of a list.
    fn item(self) -> Self;
}

/// The comparison method for a type.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// As JSON. Empty lists and `null` equal an absent field, and so do empty `labels` and `annotations`.
    Untyped,
    /// As a struct of Go; an empty one differs from an absent one.
    Struct,
    /// As a list or map of Go; an empty one equals an absent one.
    Collection,
    /// By value; the function compares values in different notations.
    Scalar(fn(&str, &str) -> bool),
    /// Byte by byte, as a RawExtension, without insignificant whitespace.
    Bytes,
    /// As a RawExtension that was converted.
    ///
    /// The order of fields and the notation of values do not matter, but absent, `null` and empty differ.
    Raw,
}

/// The type of every value without a declared type.
#[derive(Clone, Copy, Debug)]
struct Untyped;

impl Typing for Untyped {
    fn form(self) -> Form {
        Form::Untyped
    }

    fn field(self, _: &str) -> Self {
        self
    }

    fn item(self) -> Self {
        self
    }
}

/// Names of fields whose empty objects equal absent ones.
const EMPTY_MEANS_ABSENT: [&[u8]; 2] = [b"labels", b"annotations"];

/// The type of a RawExtension that was converted, and of everything in it.
#[derive(Clone, Copy, Debug)]
struct Converted;

impl Typing for Converted {
    fn form(self) -> Form {
        Form::Raw
    }

    fn field(self, _: &str) -> Self {
        self
    }

    fn item(self) -> Self {
        self
    }
}

impl Json<'_> {
    /// Reports whether values are equal in Kubernetes' `equality.Semantic`.
    ///
    /// An empty or `null` list equals an absent one. The order of fields and the notation of strings and numbers do not
    /// matter. An object with a duplicate field only equals one with the same duplicate.
    #[must_use]
    pub fn same(&self, other: &Json<'_>) -> bool {
        self.same_as(other, Untyped)
    }

    /// Reports whether both are unparsed and have the same text, which is a fast path.
    #[must_use]
    pub fn is_same_text(&self, other: &Json<'_>) -> bool {
        matches!((self, other), (Json::Text(own), Json::Text(other)) if own == other)
    }

    /// Reports whether two RawExtensions are equal according to [`Form::Raw`].
    #[must_use]
    pub fn same_raw(&self, other: &Json<'_>) -> bool {
        self.same_as(other, Converted)
    }

    /// Reports whether two values of a declared type are equal after decoding.
    #[must_use]
    pub fn same_as<T: Typing>(&self, other: &Json<'_>, typing: T) -> bool {
        parts_alike(self, other, typing)
    }

    /// Compares as [`Self::same`] does, for the values of a field called `name` in two objects.
    #[must_use]
    pub fn same_field(&self, other: &Json<'_>, name: &str) -> bool {
        self.same_field_as(other, name, Untyped)
    }

    /// Compares as [`Self::same_as`] does, for a field called `name` in two objects of a declared type.
    #[must_use]
    pub fn same_field_as<T: Typing>(&self, other: &Json<'_>, name: &str, typing: T) -> bool {
        let typing = typing.field(name);
        let name = name.as_bytes();
        match [self, other].map(|it| it.means_absent(name, typing.form())) {
            [false, false] => self.same_as(other, typing),
            [own, other] => own == other,
        }
    }

    /// Reports whether a field called `name` with this value equals an absent one.
    fn means_absent(&self, name: &[u8], form: Form) -> bool {
        match self {
            Json::Text(text) => means_absent(name, form, text),
            Json::List(elements) => elements.is_empty() && empty_list_means_absent(form),
            Json::Object(fields) => {
                fields.iter().next().is_none() && empty_object_means_absent(name, form)
            }
        }
    }
}

impl FieldPair<'_, '_> {
    /// Reports whether both values are equal according to [`Json::same`].
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.own.same_field(self.other, &self.name)
    }

    /// Reports whether both values are equal, in objects of a declared type.
    #[must_use]
    pub fn is_same_as<T: Typing>(&self, typing: T) -> bool {
        self.own.same_field_as(self.other, &self.name, typing)
    }
}

/// Reports whether elements of a list may be `null`, `[]` or `{}` with the same meaning.
fn is_collection(form: Form) -> bool {
    matches!(form, Form::Collection)
}

fn empty_list_means_absent(form: Form) -> bool {
    matches!(form, Form::Untyped | Form::Collection)
}

fn empty_object_means_absent(name: &[u8], form: Form) -> bool {
    match form {
        Form::Untyped => EMPTY_MEANS_ABSENT.contains(&name),
        Form::Collection => true,
        _ => false,
    }
}

fn means_absent(name: &[u8], form: Form, text: &str) -> bool {
    let inside = |open, close| {
        let inner = text
            .strip_prefix(open)
            .and_then(|text| text.strip_suffix(close));
        inner.is_some_and(|inner: &str| inner.trim_ascii().is_empty())
    };
    text == "null"
        || empty_list_means_absent(form) && inside('[', ']')
        || empty_object_means_absent(name, form) && inside('{', '}')
}

/// Compares two values; unparsed parts are scanned without building trees.
fn parts_alike<T: Typing>(a: &Json<'_>, b: &Json<'_>, typing: T) -> bool {
    match (a, b) {
        (Json::Text(a), Json::Text(b)) => texts_alike(a, b, typing),
        (Json::Object(a), Json::Object(b)) => fields_alike(a, b, typing),
        (Json::List(a), Json::List(b)) => {
            let (mut pairs, item) = (a.iter().zip(b), typing.item());
            let are_empty = |a: &Json<'_>, b: &Json<'_>| {
                is_collection(item.form())
                    && [a, b].iter().all(|it| it.means_absent(b"", item.form()))
            };
            a.len() == b.len() && pairs.all(|(a, b)| are_empty(a, b) || parts_alike(a, b, item))
        }
        (Json::Text(text), looked_into) | (looked_into, Json::Text(text)) => {
            // Parsing level by level would scan a deep text once for each level.
            let other = Json::opened_like(text, looked_into);
            !matches!(other, Json::Text(_)) && parts_alike(looked_into, &other, typing)
        }
        _ => false,
    }
}

fn fields_alike<T: Typing>(a: &Fields<'_>, b: &Fields<'_>, typing: T) -> bool {
    let of = |name: &[u8]| typing.field(std::str::from_utf8(name).unwrap_or_default());
    let named_alike = |(name, a): (&Cow<'_, [u8]>, &Json<'_>), (other, b): (_, &Json<'_>)| {
        name == other && parts_alike(a, b, of(name))
    };
    let (earlier, others) = (a.earlier(), b.earlier());
    let mut pairs = earlier.iter().zip(others);
    if earlier.len() != others.len() || !pairs.all(|(a, b)| named_alike((&a.0, &a.1), (&b.0, &b.1)))
    {
        return false;
    }
    let is_there = |(name, value): &(&Cow<'_, [u8]>, &Json<'_>)| {
        !is_never_absent(typing.form()) && value.means_absent(name, of(name).form())
    };
    let mut a = a.iter().filter(|field| !is_there(field));
    let mut b = b.iter().filter(|field| !is_there(field));
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if named_alike(a, b) => {}
            _ => return false,
        }
    }
}

/// Reports whether every field of an object matters, including `null`.
fn is_never_absent(form: Form) -> bool {
    matches!(form, Form::Bytes | Form::Raw)
}

fn texts_alike<T: Typing>(a: &str, b: &str, typing: T) -> bool {
    if a == b {
        return true;
    }
    let (Some(tape), Some(other)) = (Tape::read(a), Tape::read(b)) else {
        return false;
    };
    let mut comparison = Comparison {
        a: &tape,
        b: &other,
        open: Vec::new(),
    };
    comparison.run(typing)
}

/// An iterative comparison, since texts may be deeply nested.
struct Comparison<'t, T> {
    a: &'t Tape<'t>,
    b: &'t Tape<'t>,
    /// The open lists and objects, innermost last.
    open: Vec<Open<T>>,
}

/// The remaining values of two lists or objects.
struct Open<T> {
    /// The type of the list or object.
    typing: T,
    /// Pairs of values, the next one last, with the names of their fields in objects.
    pairs: Vec<(Option<usize>, usize, usize)>,
}

impl<T: Typing> Comparison<'_, T> {
    fn run(&mut self, typing: T) -> bool {
        if !self.values(typing, 0, 0) {
            return false;
        }
        while let Some(mut open) = self.open.pop() {
            let Some((name, a, b)) = open.pairs.pop() else {
                continue;
            };
            let typing = match name {
                Some(name) => {
                    let name = unescaped(self.a.text_of(name));
                    open.typing
                        .field(std::str::from_utf8(&name).unwrap_or_default())
                }
                None => open.typing.item(),
            };
            // Completed levels are dropped, so that the depth of a text does not affect memory.
            if !open.pairs.is_empty() {
                self.open.push(open);
            }
            if !self.values(typing, a, b) {
                return false;
            }
        }
        true
    }

    /// Compares two values; the children of lists and objects are queued.
    fn values(&mut self, typing: T, a: usize, b: usize) -> bool {
        let (left, right) = (self.a.text_of(a), self.b.text_of(b));
        if let Form::Bytes = typing.form() {
            return significant(left).eq(significant(right));
        }
        match (left.as_bytes().first(), right.as_bytes().first()) {
            (Some(b'{'), Some(b'{')) => self.objects(typing, a, b),
            (Some(b'['), Some(b'[')) => self.lists(typing, a, b),
            (Some(b'{' | b'['), _) | (_, Some(b'{' | b'[')) => false,
            _ => {
                let is_alike = || match typing.form() {
                    Form::Scalar(alike) => alike(left, right),
                    _ => false,
                };
                left == right || scalars_same(left, right) || is_alike()
            }
        }
    }

    fn lists(&mut self, typing: T, a: usize, b: usize) -> bool {
        let (a, b) = (elements(self.a, a), elements(self.b, b));
        if a.len() != b.len() {
            return false;
        }
        let form = typing.item().form();
        let is_empty = |tape: &Tape<'_>, item| {
            is_collection(form) && means_absent(b"", form, tape.text_of(item))
        };
        let pairs = a.into_iter().zip(b).rev();
        let pairs = pairs.filter(|(a, b)| !is_empty(self.a, *a) || !is_empty(self.b, *b));
        let pairs = pairs.map(|(a, b)| (None, a, b)).collect();
        self.open.push(Open { typing, pairs });
        true
    }

    fn objects(&mut self, typing: T, a: usize, b: usize) -> bool {
        let (mut a, mut b) = (named(self.a, a), named(self.b, b));
        if !is_never_absent(typing.form()) && !has_twice(&a) && !has_twice(&b) {
            for (tape, fields) in [(self.a, &mut a), (self.b, &mut b)] {
                fields.retain(|(name, value)| {
                    let of = typing.field(std::str::from_utf8(name).unwrap_or_default());
                    !means_absent(name, of.form(), tape.text_of(*value))
                });
            }
        }
        let same_names = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.0 == b.0);
        if same_names {
            // The name of a field precedes its value.
            let pairs = a
                .iter()
                .zip(&b)
                .map(|(a, b)| (a.1.checked_sub(1), a.1, b.1));
            let pairs = pairs.rev().collect();
            self.open.push(Open { typing, pairs });
        }
        same_names
    }
}

/// Returns the bytes of a JSON text without whitespace between its tokens.
fn significant(text: &str) -> impl Iterator<Item = u8> {
    let (mut is_string, mut is_escaped) = (false, false);
    text.bytes().filter(move |byte| {
        let was_string = is_string;
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            _ => {}
        }
        was_string || !byte.is_ascii_whitespace()
    })
}

fn elements(tape: &Tape<'_>, list: usize) -> Vec<usize> {
    tape.inside(list).collect()
}

/// Returns the fields of an object sorted by name; duplicates keep their order.
fn named<'a>(tape: &Tape<'a>, object: usize) -> Vec<(Cow<'a, [u8]>, usize)> {
    let mut fields: Vec<_> = tape.fields(object).collect();
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    fields
}

fn has_twice(fields: &[(Cow<'_, [u8]>, usize)]) -> bool {
    fields.windows(2).any(|pair| pair[0].0 == pair[1].0)
}

fn scalars_same(a: &str, b: &str) -> bool {
    match (a.starts_with('"'), b.starts_with('"')) {
        (true, true) => unescaped(a) == unescaped(b),
        (false, false) => Decimal::read(a).is_some_and(|a| Decimal::read(b) == Some(a)),
        _ => false,
    }
}

/// A number by its decimal digits, of any size: `12e1` and `120.0` are equal.
#[derive(Debug, Eq, PartialEq)]
struct Decimal {
    is_negative: bool,
    /// The digits, without zeros at either end; empty for zero.
    digits: String,
    /// The decimal exponent of the last digit.
    exponent: i64,
}

impl Decimal {
    /// Parses a number; returns `None` for other text, or if the exponent is too large.
    fn read(text: &str) -> Option<Self> {
        let (is_negative, text) = match text.strip_prefix('-') {
            Some(text) => (true, text),
            None => (false, text),
        };
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = [whole, fraction].concat();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let significant = digits.trim_end_matches('0');
        let dropped = i64::try_from(digits.len() - significant.len()).ok()?;
        let fraction = i64::try_from(fraction.len()).ok()?;
        let exponent: i64 = exponent.parse().ok()?;
        let exponent = exponent.checked_sub(fraction)?.checked_add(dropped)?;
        let digits = significant.trim_start_matches('0').to_owned();
        let is_zero = digits.is_empty();
        Some(Self {
            is_negative: is_negative && !is_zero,
            digits,
            exponent: if is_zero { 0 } else { exponent },
        })
    }
}
