use std::borrow::Cow;

use super::scan::{Tape, unescaped};
use super::{Fields, Json};

/// Where a value stands, by the names of fields as they are spelled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place<'a> {
    /// The field that holds the block that holds the value; empty if there is none.
    pub block: &'a str,
    /// The field that holds the value, or the list that it is in.
    pub field: &'a str,
    /// Whether it is inside a `providerConfig`, which only a provider understands.
    pub is_configuration: bool,
}

/// Tells whether two values that are spelled differently mean the same at a place, beyond what JSON says of them.
type Alike = fn(Place<'_>, &str, &str) -> bool;

/// How fields with nothing in them are understood.
const EMPTY_MEANS_ABSENT: [&[u8]; 2] = [b"labels", b"annotations"];

impl Json<'_> {
    /// Whether two values are the same to Kubernetes' `equality.Semantic`: a list that is empty or `null` is the same as none.
    ///
    /// The order of fields does not count, nor does how a text or a number is spelled. An object that has a field twice is
    /// only like one that has it twice as well.
    #[must_use]
    pub fn same(&self, other: &Json<'_>) -> bool {
        self.alike(other, |_, _, _| false)
    }

    /// Whether both are as they were received, and the same to the letter; cheap, and enough to be the same.
    #[must_use]
    pub fn is_same_text(&self, other: &Json<'_>) -> bool {
        matches!((self, other), (Json::Text(own), Json::Text(other)) if own == other)
    }

    /// As [`Self::same`], where values are also the same if `alike` says so, which is asked about texts and numbers.
    #[must_use]
    pub fn alike(&self, other: &Json<'_>, alike: Alike) -> bool {
        parts_alike(self, other, Place::default(), alike)
    }

    /// As [`Self::same`], for the values of a field called `name` in two objects.
    #[must_use]
    pub fn same_field(&self, other: &Json<'_>, name: &str) -> bool {
        let name = name.as_bytes();
        match (self.means_absent(name), other.means_absent(name)) {
            (false, false) => self.same(other),
            (own, other) => own == other,
        }
    }

    /// Whether a field called `name` with this in it is the same as none.
    fn means_absent(&self, name: &[u8]) -> bool {
        match self {
            Json::Text(text) => means_absent(name, text),
            Json::List(elements) => elements.is_empty(),
            Json::Object(fields) => {
                fields.iter().next().is_none() && EMPTY_MEANS_ABSENT.contains(&name)
            }
        }
    }
}

fn means_absent(name: &[u8], text: &str) -> bool {
    let inside = |open, close| {
        let inner = text
            .strip_prefix(open)
            .and_then(|text| text.strip_suffix(close));
        inner.is_some_and(|inner: &str| inner.trim_ascii().is_empty())
    };
    text == "null" || inside('[', ']') || (EMPTY_MEANS_ABSENT.contains(&name) && inside('{', '}'))
}

/// Goes only as deep as somebody looked.
fn parts_alike(a: &Json<'_>, b: &Json<'_>, place: Place<'_>, alike: Alike) -> bool {
    match (a, b) {
        (Json::Text(a), Json::Text(b)) => texts_alike(a, b, place, alike),
        (Json::Object(a), Json::Object(b)) => fields_alike(a, b, place, alike),
        (Json::List(a), Json::List(b)) => {
            let mut pairs = a.iter().zip(b);
            a.len() == b.len() && pairs.all(|(a, b)| parts_alike(a, b, place, alike))
        }
        (Json::Text(text), looked_into) | (looked_into, Json::Text(text)) => {
            let mut other = Json::text(text);
            let is_of_the_kind = match looked_into {
                Json::Object(_) => other.fields().is_some(),
                _ => other.elements().is_some(),
            };
            is_of_the_kind && parts_alike(looked_into, &other, place, alike)
        }
        _ => false,
    }
}

fn fields_alike(a: &Fields<'_>, b: &Fields<'_>, place: Place<'_>, alike: Alike) -> bool {
    let named_alike = |(name, a): (&Cow<'_, [u8]>, &Json<'_>), (other, b): (_, &Json<'_>)| {
        let field = std::str::from_utf8(name).unwrap_or_default();
        name == other && parts_alike(a, b, place.inside(field), alike)
    };
    let (earlier, others) = (a.earlier(), b.earlier());
    let mut pairs = earlier.iter().zip(others);
    if earlier.len() != others.len() || !pairs.all(|(a, b)| named_alike((&a.0, &a.1), (&b.0, &b.1)))
    {
        return false;
    }
    let mut a = a.iter().filter(|(name, value)| !value.means_absent(name));
    let mut b = b.iter().filter(|(name, value)| !value.means_absent(name));
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if named_alike(a, b) => {}
            _ => return false,
        }
    }
}

impl<'a> Place<'a> {
    fn inside(self, field: &'a str) -> Self {
        Self {
            block: self.field,
            field,
            is_configuration: self.is_configuration || field == "providerConfig",
        }
    }
}

fn texts_alike(a: &str, b: &str, place: Place<'_>, alike: Alike) -> bool {
    if a == b {
        return true;
    }
    let (Some(a), Some(b)) = (Tape::read(a), Tape::read(b)) else {
        return false;
    };
    let mut comparison = Comparison {
        a: &a,
        b: &b,
        alike,
        open: Vec::new(),
    };
    comparison.run(place)
}

/// Compares without recursion, since texts may be deep.
struct Comparison<'t> {
    a: &'t Tape<'t>,
    b: &'t Tape<'t>,
    alike: Alike,
    /// What is still to be compared.
    open: Vec<Open<'t>>,
}

/// The inside of two lists or objects, as far as it is still to be compared.
struct Open<'t> {
    place: Place<'t>,
    /// Pairs of values, the next one last, with the names of their fields in objects.
    pairs: Vec<(Option<usize>, usize, usize)>,
}

impl<'t> Comparison<'t> {
    fn run(&mut self, place: Place<'t>) -> bool {
        if !self.values(place, 0, 0) {
            return false;
        }
        while let Some(mut open) = self.open.pop() {
            let Some((name, a, b)) = open.pairs.pop() else {
                continue;
            };
            let place = match name {
                Some(name) => open.place.inside(self.a.text_of(name).trim_matches('"')),
                None => open.place,
            };
            // What is done is not kept, so that a deep text takes no more than a wide one.
            if !open.pairs.is_empty() {
                self.open.push(open);
            }
            if !self.values(place, a, b) {
                return false;
            }
        }
        true
    }

    /// Compares two values; what they hold is put aside.
    fn values(&mut self, place: Place<'t>, a: usize, b: usize) -> bool {
        let (left, right) = (self.a.text_of(a), self.b.text_of(b));
        match (left.as_bytes().first(), right.as_bytes().first()) {
            (Some(b'{'), Some(b'{')) => self.objects(place, a, b),
            (Some(b'['), Some(b'[')) => self.lists(place, a, b),
            (Some(b'{' | b'['), _) | (_, Some(b'{' | b'[')) => false,
            _ => {
                left == right
                    || scalars_same(left, right)
                    || (!place.is_configuration && (self.alike)(place, left, right))
            }
        }
    }

    fn lists(&mut self, place: Place<'t>, a: usize, b: usize) -> bool {
        let (a, b) = (elements(self.a, a), elements(self.b, b));
        if a.len() != b.len() {
            return false;
        }
        let pairs = a.into_iter().zip(b).map(|(a, b)| (None, a, b)).rev();
        let pairs = pairs.collect();
        self.open.push(Open { place, pairs });
        true
    }

    fn objects(&mut self, place: Place<'t>, a: usize, b: usize) -> bool {
        let (mut a, mut b) = (named(self.a, a), named(self.b, b));
        if !has_twice(&a) && !has_twice(&b) {
            for (tape, fields) in [(self.a, &mut a), (self.b, &mut b)] {
                fields.retain(|(name, value)| !means_absent(name, tape.text_of(*value)));
            }
        }
        let same_names = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.0 == b.0);
        if same_names {
            // The name of a field stands right before its value.
            let pairs = a
                .iter()
                .zip(&b)
                .map(|(a, b)| (a.1.checked_sub(1), a.1, b.1));
            let pairs = pairs.rev().collect();
            self.open.push(Open { place, pairs });
        }
        same_names
    }
}

fn elements(tape: &Tape<'_>, list: usize) -> Vec<usize> {
    tape.inside(list).collect()
}

/// The fields of an object by name; of several with the same name in the order in which they stand.
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

/// A number by its digits, however large: `12e1` and `120.0` are the same.
#[derive(Debug, Eq, PartialEq)]
struct Decimal {
    is_negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: String,
    /// How many places the point stands to the right of the last digit.
    exponent: i64,
}

impl Decimal {
    /// `None` if it is no number, or its exponent is beyond any sense.
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
