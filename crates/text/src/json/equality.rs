// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use super::lazy::FieldPair;
use super::scan::unescaped;
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

/// The same comparison method for a value and everything in it.
#[derive(Clone, Copy, Debug)]
struct Uniform(Form);

impl Typing for Uniform {
    fn form(self) -> Form {
        self.0
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

impl Json<'_> {
    /// Reports whether values are equal in Kubernetes' `equality.Semantic`.
    ///
    /// An empty or `null` list equals an absent one. The order of fields and the notation of strings and numbers do not
    /// matter. An object with a duplicate field only equals one with the same duplicate.
    pub fn same(&self, other: &Json<'_>) -> bool {
        self.same_as(other, Uniform(Form::Untyped))
    }

    /// Reports whether both are unparsed and have the same text, which is a fast path.
    pub fn is_same_text(&self, other: &Json<'_>) -> bool {
        matches!((self, other), (Json::Text(own), Json::Text(other)) if own == other)
    }

    /// Reports whether two RawExtensions are equal according to [`Form::Raw`].
    pub fn same_raw(&self, other: &Json<'_>) -> bool {
        self.same_as(other, Uniform(Form::Raw))
    }

    /// Reports whether two values of a declared type are equal after decoding.
    pub fn same_as<T: Typing>(&self, other: &Json<'_>, typing: T) -> bool {
        alike(self, other, typing, DEPTH)
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
    /// Reports whether both values are equal, in objects of a declared type.
    pub fn is_same_as<T: Typing>(&self, typing: T) -> bool {
        let typing = typing.field(&self.name);
        let name = self.name.as_bytes();
        match [self.own, self.other].map(|it| it.means_absent(name, typing.form())) {
            [false, false] => self.own.same_as(self.other, typing),
            [own, other] => own == other,
        }
    }
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
        let inner = text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
        inner.is_some_and(|inner: &str| inner.trim_ascii().is_empty())
    };
    text == "null"
        || empty_list_means_absent(form) && inside('[', ']')
        || empty_object_means_absent(name, form) && inside('{', '}')
}

/// Maximum depth to which values are compared in different notations; deeper text is compared byte by byte.
///
/// Text is parsed level by level, so the depth limits the work.
const DEPTH: usize = 32;

/// Compares two values; of unparsed text, only parts that differ are parsed.
fn alike<T: Typing>(a: &Json<'_>, b: &Json<'_>, typing: T, depth: usize) -> bool {
    if let (Json::Text(a), Json::Text(b)) = (a, b) {
        let is_scalar = |text: &str| !text.starts_with(['{', '[']);
        match typing.form() {
            _ if a == b => return true,
            Form::Bytes => return significant(a).eq(significant(b)),
            _ if depth == 0 => return significant(a).eq(significant(b)),
            Form::Scalar(alike) if is_scalar(a) && is_scalar(b) => {
                return scalars_same(a, b) || alike(a, b);
            }
            _ if is_scalar(a) && is_scalar(b) => return scalars_same(a, b),
            _ => {}
        }
    }
    let depth = depth.saturating_sub(1);
    if let (Some(a), Some(b)) = (a.items(), b.items()) {
        return items_alike(a, b, typing.item(), depth);
    }
    let fields = (a.parsed_fields(), b.parsed_fields());
    matches!(fields, (Some(a), Some(b)) if fields_alike(&a, &b, typing, depth))
}

fn items_alike<'j, T: Typing>(
    mut a: impl Iterator<Item = Cow<'j, Json<'j>>>,
    mut b: impl Iterator<Item = Cow<'j, Json<'j>>>,
    typing: T,
    depth: usize,
) -> bool {
    let form = typing.form();
    let are_empty = |values: [&Json<'_>; 2]| {
        matches!(form, Form::Collection) && values.iter().all(|it| it.means_absent(b"", form))
    };
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if are_empty([&a, &b]) || alike(&a, &b, typing, depth) => {}
            _ => return false,
        }
    }
}

fn fields_alike<T: Typing>(a: &Fields<'_>, b: &Fields<'_>, typing: T, depth: usize) -> bool {
    let of = |name: &[u8]| typing.field(std::str::from_utf8(name).unwrap_or_default());
    let named_alike = |(name, a): (&Cow<'_, [u8]>, &Json<'_>), (other, b): (_, &Json<'_>)| {
        name == other && alike(a, b, of(name), depth)
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
        let exponent = exponent.parse::<i64>().ok()?.checked_sub(fraction)?.checked_add(dropped)?;
        let digits = significant.trim_start_matches('0').to_owned();
        let is_zero = digits.is_empty();
        Some(Self {
            is_negative: is_negative && !is_zero,
            digits,
            exponent: if is_zero { 0 } else { exponent },
        })
    }
}
