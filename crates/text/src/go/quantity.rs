// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use thiserror::Error;

use crate::json::RawJson;

/// A resource quantity such as `500m`, `20k` or `1Gi`.
///
/// Mirrors ParseQuantity in `k8s.io/apimachinery/pkg/api/resource`. Equality is numeric, with any suffix. [`fmt::Display`]
/// prints the same as Kubernetes for a parsed quantity, which is not always the canonical form.
#[derive(Clone, Debug)]
pub struct Quantity {
    number: Decimal,
    format: Format,
    /// The original notation, if Kubernetes regards it (sometimes wrongly) as canonical and prints it.
    kept: Option<String>,
    /// The power of ten of the number in its notation, if Kubernetes parses it with 64-bit numbers.
    scale: Option<i64>,
}

/// Error of an invalid [`Quantity`].
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum QuantityError {
    /// The string is not a number with a known suffix.
    #[error(
        "`{0}` is not a quantity; write a number with an optional suffix, as in `500m`, `2` or `1Gi`"
    )]
    Malformed(String),
    /// The exponent does not fit 32 bits.
    ///
    /// Kubernetes would truncate it and then compute for minutes.
    #[error("the exponent of quantity `{0}` is out of range; use a suffix such as `k` or `Gi`")]
    Exponent(String),
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Format {
    DecimalSi,
    DecimalExponent,
    BinarySi,
}

/// A decimal number: `digits` × 10^`exponent`.
///
/// The digits have no zero at either end, and none at all for zero. They are never expanded, so a huge exponent costs
/// nothing.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

/// A split string: `integer` without leading zeros, but `0` if it is empty otherwise.
struct Parts<'a> {
    negative: bool,
    integer: &'a str,
    fraction: &'a str,
    suffix: &'a str,
    /// Whether there are digits.
    ///
    /// Without any, the number is 0 in the fast path only: `k` is a quantity, `Pi` is not.
    has_digits: bool,
}

const DECIMAL: [(&str, i64); 10] = [
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("", 0),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
];
const BINARY: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
/// The finest unit; smaller quantities are rounded up to it.
const NANO: i64 = -9;
/// Number of decimal digits that always fit 64 bits.
///
/// More take Kubernetes' slow path, which never keeps the notation.
const FAST_DIGITS: usize = 18;
const LARGEST_BINARY: &str = "9223372036854775807";

impl Quantity {
    /// Parses a quantity; the cost does not depend on its exponent.
    ///
    /// # Errors
    /// Fails if `text` is not a quantity, or its exponent is out of range.
    pub fn parse(text: &str) -> Result<Self, QuantityError> {
        Self::parse_with_scale(text).map(|(quantity, _)| quantity)
    }

    /// Reports whether a string has the syntax of a quantity, with any suffix.
    pub fn has_syntax(text: &str) -> bool {
        Parts::split(text).is_some()
    }

    /// Like [`Self::parse`]. Also returns the power of ten of the number in its notation, if Kubernetes takes its fast path.
    ///
    /// # Errors
    /// Fails if `text` is not a quantity, or its exponent is out of range.
    pub fn parse_with_scale(text: &str) -> Result<(Self, Option<i64>), QuantityError> {
        let malformed = || QuantityError::Malformed(text.to_owned());
        let parts = Parts::split(text).ok_or_else(malformed)?;
        let (format, exponent) = interpret(parts.suffix, text)?;
        let scale = parts.scale(format, exponent);
        if scale.is_none() && !parts.has_digits {
            return Err(malformed());
        }
        let kept = scale.filter(|_| parts.is_kept(format, exponent)).map(|_| text.to_owned());
        let number = match format {
            Format::BinarySi => parts.number(0).times_two_to_the(exponent),
            _ => parts.number(exponent),
        };
        let mut number = number.at_least_nano();
        if format == Format::BinarySi {
            number.cap();
        }
        let quantity = Self { number, format, kept, scale };
        Ok((quantity, scale))
    }

    /// Returns the quantity as Kubernetes prints it.
    pub fn printed(&self) -> Cow<'_, str> {
        match &self.kept {
            Some(text) => text.into(),
            None => self.canonical().into(),
        }
    }

    /// Returns the canonical form: no fraction, and the largest suffix of its family that loses nothing.
    ///
    /// It has the same errors as Kubernetes: `1` for `1000E`, and `1e-2147483646` for `1000e2147483647`.
    pub fn canonical(&self) -> String {
        let sign = if self.number.negative { "-" } else { "" };
        if self.number.digits.is_empty() {
            return "0".to_owned();
        }
        if self.format == Format::BinarySi
            && let Some(magnitude) = self.number.magnitude().filter(|number| *number >= 1024)
        {
            let power =
                (0..6).rev().find(|power| magnitude.is_multiple_of(1024_u64.pow(*power + 1)));
            return match power {
                None => format!("{sign}{magnitude}"),
                Some(power) => {
                    let number = magnitude / 1024_u64.pow(power + 1);
                    format!("{sign}{number}{}", BINARY[power as usize])
                }
            };
        }
        // 32 bits wrap around, as in Go.
        let [a, b, c, d, ..] = self.number.exponent.to_le_bytes();
        let exponent = i32::from_le_bytes([a, b, c, d]);
        let zeros = exponent.rem_euclid(3);
        let exponent = i64::from(exponent.wrapping_sub(zeros));
        let digits = &self.number.digits;
        let zeros = &"00"[..usize::try_from(zeros).unwrap_or_default()];
        format!("{sign}{digits}{zeros}{}", self.suffix(exponent))
    }

    /// Returns the value as a whole number, as Kubernetes computes it.
    ///
    /// Mirrors `Quantity.Value` in `k8s.io/apimachinery/pkg/api/resource`. Numbers beyond 64 bits wrap around or are 0, and
    /// long negative fractions are rounded up. [`Self::ceiling`] is exact.
    pub fn value(&self) -> i64 {
        match self.scale {
            Some(scale) if scale > 0 => self.short_value(scale),
            Some(_) => self.ceiling(),
            None => self.long_value(),
        }
    }

    /// Mirrors `positiveScaleInt64`: only some scales have a multiplication that wraps around.
    fn short_value(&self, scale: i64) -> i64 {
        let base = signed(self.number.negative, self.number.low_bits(scale));
        let factor = u32::try_from(scale).ok().and_then(|scale| 10_i64.checked_pow(scale));
        match factor.map(|factor| base.overflowing_mul(factor)) {
            Some((product, overflows)) if !overflows || matches!(scale, 1 | 2 | 3 | 6 | 9) => {
                product
            }
            _ => 0,
        }
    }

    /// Mirrors `scaledValue` of a number in billionths; only limited binary quantities are whole numbers.
    fn long_value(&self) -> i64 {
        let Decimal { negative, digits, exponent } = &self.number;
        if self.format == Format::BinarySi && *exponent == 0 && digits == LARGEST_BINARY {
            return if *negative { -i64::MAX } else { i64::MAX };
        }
        if self.nanos() < i64::MAX.into() {
            let nanos = signed(*negative, self.number.low_bits(NANO));
            return nanos / 1_000_000_000 + i64::from(nanos % 1_000_000_000 != 0);
        }
        // The last digit is not zero, so the truncated part is greater than zero.
        let rounding = u64::from(*exponent < 0);
        self.number.low_bits(0).wrapping_add(rounding).cast_signed()
    }

    /// Returns the value rounded away from zero to a whole number, saturated at 64 bits.
    pub fn ceiling(&self) -> i64 {
        let Decimal { negative, digits, exponent } = &self.number;
        let magnitude = match usize::try_from(exponent.unsigned_abs()) {
            Ok(cut) if *exponent < 0 => {
                // The last digit is not zero, so the truncated part is greater than zero.
                let whole = &digits[..digits.len().saturating_sub(cut)];
                let whole = if whole.is_empty() { "0" } else { whole };
                whole.parse::<i64>().ok().and_then(|it| it.checked_add(1))
            }
            _ if digits.is_empty() => Some(0),
            _ => self.number.magnitude().and_then(|it| i64::try_from(it).ok()),
        };
        let magnitude = magnitude.unwrap_or(i64::MAX);
        if *negative { -magnitude } else { magnitude }
    }

    /// The number 1 in billionths.
    pub const ONE: i128 = 1_000_000_000;

    /// Returns the value in billionths, the finest unit of quantities, saturated at 128 bits.
    pub fn nanos(&self) -> i128 {
        let Decimal { negative, digits, exponent } = &self.number;
        if digits.is_empty() {
            return 0;
        }
        let power = u32::try_from(exponent.saturating_sub(NANO))
            .ok()
            .and_then(|power| 10_i128.checked_pow(power));
        let magnitude = digits
            .parse::<i128>()
            .ok()
            .and_then(|digits| digits.checked_mul(power?))
            .unwrap_or(i128::MAX);
        if *negative { -magnitude } else { magnitude }
    }

    /// Returns a quantity of `nanos` billionths with suffixes of the same family.
    pub fn with_nanos(&self, nanos: i128) -> Self {
        Self {
            number: Decimal::new(nanos < 0, &nanos.unsigned_abs().to_string(), NANO),
            format: self.format,
            kept: None,
            scale: None,
        }
    }

    /// Returns the value without a unit, as `<digits>e<exponent>`: equal strings are equal quantities.
    pub fn number(&self) -> String {
        let sign = if self.number.negative { "-" } else { "" };
        format!("{sign}{}e{}", self.number.digits, self.number.exponent)
    }

    /// Returns the suffix.
    ///
    /// Beyond `E` there is no decimal suffix, and Kubernetes leaves it out: `1000E` prints `1`.
    fn suffix(&self, exponent: i64) -> String {
        if self.format == Format::DecimalExponent {
            return if exponent == 0 { String::new() } else { format!("e{exponent}") };
        }
        let known = DECIMAL.iter().find(|(_, known)| *known == exponent);
        known.map_or_else(String::new, |(suffix, _)| (*suffix).to_owned())
    }
}

/// Returns the family and exponent of a suffix (of 10, or of 2 in the binary family).
fn interpret(suffix: &str, text: &str) -> Result<(Format, i64), QuantityError> {
    if let Some((_, exponent)) = DECIMAL.iter().find(|(known, _)| *known == suffix) {
        return Ok((Format::DecimalSi, *exponent));
    }
    if let Some(index) = (1..).zip(BINARY).find(|(_, known)| *known == suffix) {
        return Ok((Format::BinarySi, index.0 * 10));
    }
    let exponent = suffix.strip_prefix(['e', 'E']);
    let digits = exponent.map(|exponent| exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    if !digits
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
    {
        return Err(QuantityError::Malformed(text.to_owned()));
    }
    exponent.and_then(|exponent| exponent.parse::<i32>().ok()).map_or_else(
        || Err(QuantityError::Exponent(text.to_owned())),
        |exponent| Ok((Format::DecimalExponent, i64::from(exponent))),
    )
}

impl<'a> Parts<'a> {
    /// Splits a string; returns `None` if a character is not allowed at its position.
    fn split(text: &'a str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let negative = text.starts_with('-');
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (integer, rest) = digits(unsigned.trim_start_matches('0'));
        let (fraction, suffix) = match rest.strip_prefix('.') {
            Some(rest) => digits(rest),
            None => ("", rest),
        };
        let letters = suffix.trim_start_matches(|c| "eEinumkKMGTP".contains(c));
        let exponent = letters.strip_prefix(['+', '-']).unwrap_or(letters);
        if !exponent.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let has_digits = unsigned.starts_with('0') || !integer.is_empty() || !fraction.is_empty();
        let integer = if integer.is_empty() { "0" } else { integer };
        Some(Self { negative, integer, fraction, suffix, has_digits })
    }

    /// Returns all digits, without the decimal point.
    fn digits(&self) -> Cow<'a, str> {
        match self.fraction {
            "" => self.integer.into(),
            fraction => [self.integer, fraction].concat().into(),
        }
    }

    fn number(&self, exponent: i64) -> Decimal {
        let places = i64::try_from(self.fraction.len()).unwrap_or(i64::MAX);
        Decimal::new(self.negative, &self.digits(), exponent.saturating_sub(places))
    }

    /// Returns the power of ten of the number in its notation, if Kubernetes parses the quantity with 64-bit numbers.
    fn scale(&self, format: Format, exponent: i64) -> Option<i64> {
        let (integer, fraction) = (self.integer.len(), self.fraction.len());
        if format == Format::BinarySi {
            // One digit for each of the 15 that are always exact, minus those of 2^exponent.
            let room = 14 - exponent * 3 / 10;
            let is_fast = fraction == 0 && usize::try_from(room).is_ok_and(|room| integer <= room);
            return is_fast.then_some(0);
        }
        let scale = exponent - i64::try_from(fraction).ok()?;
        (integer + fraction <= FAST_DIGITS && scale >= NANO).then_some(scale)
    }

    /// Reports whether Kubernetes regards the notation as canonical and prints it again.
    ///
    /// Requires a [`Self::scale`].
    fn is_kept(&self, format: Format, exponent: i64) -> bool {
        let digits = self.digits();
        if format == Format::BinarySi {
            let number = digits.parse::<u64>();
            return number.is_ok_and(|number| !number.is_multiple_of(8));
        }
        let places = i64::try_from(self.fraction.len()).unwrap_or_default();
        (exponent - places) % 3 == 0 && !digits.starts_with('0') && !digits.ends_with("000")
    }
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

impl Decimal {
    fn new(negative: bool, digits: &str, exponent: i64) -> Self {
        let digits = digits.trim_start_matches('0');
        let significant = digits.trim_end_matches('0');
        if significant.is_empty() {
            return Self { negative: false, digits: String::new(), exponent: 0 };
        }
        let zeros = i64::try_from(digits.len() - significant.len()).unwrap_or(i64::MAX);
        Self { negative, digits: significant.to_owned(), exponent: exponent.saturating_add(zeros) }
    }

    fn times_two_to_the(self, power: i64) -> Self {
        let small: Option<u64> = self.digits.parse().ok();
        if let Some(product) = small.and_then(|number| number.checked_mul(1 << power)) {
            return Self::new(self.negative, &product.to_string(), self.exponent);
        }
        let factor = 1_u128 << power;
        let (mut carry, mut reversed) = (0_u128, String::with_capacity(self.digits.len() + 20));
        let mut digits = self.digits.bytes().rev();
        loop {
            let digit = digits.next();
            if digit.is_none() && carry == 0 {
                break;
            }
            carry += digit.map_or(0, |digit| u128::from(digit - b'0')) * factor;
            reversed.push(char::from(b'0' + (carry % 10) as u8));
            carry /= 10;
        }
        let digits: String = reversed.chars().rev().collect();
        Self::new(self.negative, &digits, self.exponent)
    }

    /// Rounds away from zero to whole billionths.
    fn at_least_nano(self) -> Self {
        let excess = NANO.saturating_sub(self.exponent);
        if self.digits.is_empty() || excess <= 0 {
            return self;
        }
        let kept =
            usize::try_from(excess).ok().and_then(|excess| self.digits.len().checked_sub(excess));
        let kept = &self.digits[..kept.unwrap_or_default()];
        Self::new(self.negative, &plus_one(kept), NANO)
    }

    /// Returns the absolute value of a whole number, if it fits.
    fn magnitude(&self) -> Option<u64> {
        let power = u32::try_from(self.exponent).ok()?;
        let digits: u64 = self.digits.parse().ok()?;
        digits.checked_mul(10_u64.checked_pow(power)?)
    }

    /// Returns the lowest 64 bits of the number, without its sign, in units of 10^`scale`; truncates a fraction.
    fn low_bits(&self, scale: i64) -> u64 {
        let power = self.exponent.saturating_sub(scale);
        let cut = usize::try_from(power.saturating_neg()).unwrap_or_default();
        let whole = &self.digits[..self.digits.len().saturating_sub(cut)];
        let bits = whole
            .bytes()
            .fold(0_u64, |bits, digit| bits.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')));
        bits.wrapping_mul(power_of_ten(power))
    }

    /// Limits binary quantities to the largest 64-bit number, on either side of zero.
    fn cap(&mut self) {
        let limit = i64::try_from(LARGEST_BINARY.len()).unwrap_or(i64::MAX);
        let length = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        // The last digit is not zero, so of two strings with the same beginning the longer one is larger.
        let over = match length.saturating_add(self.exponent).cmp(&limit) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => self.digits.as_str() > LARGEST_BINARY,
            std::cmp::Ordering::Greater => true,
        };
        if over {
            *self = Self::new(self.negative, LARGEST_BINARY, 0);
        }
    }
}

/// Returns the lowest 64 bits of 10^`power`; 1 for a negative power.
fn power_of_ten(power: i64) -> u64 {
    // 10^64 and larger powers are multiples of 2^64.
    let power = u32::try_from(power.clamp(0, 64)).unwrap_or_default();
    10_u64.wrapping_pow(power)
}

/// Converts bits as Go does, in two's complement.
fn signed(negative: bool, bits: u64) -> i64 {
    let number = bits.cast_signed();
    if negative { number.wrapping_neg() } else { number }
}

fn plus_one(digits: &str) -> String {
    let nines = digits.len() - digits.trim_end_matches('9').len();
    let (head, zeros) = (&digits[..digits.len() - nines], "0".repeat(nines));
    match head.as_bytes().split_last() {
        None => format!("1{zeros}"),
        Some((last, _)) => {
            let head = &head[..head.len() - 1];
            format!("{head}{}{zeros}", char::from(last + 1))
        }
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares by value, with any suffix.
impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.digits.is_empty(), number.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        // The first digit is not zero, so the number of digits before the decimal point decides first.
        let size = |number: &Self| {
            let length = i64::try_from(number.digits.len()).unwrap_or(i64::MAX);
            number.exponent.saturating_add(length)
        };
        let magnitude =
            || size(self).cmp(&size(other)).then_with(|| self.digits.cmp(&other.digits));
        sign(self).cmp(&sign(other)).then_with(|| match sign(self) {
            0 => Ordering::Equal,
            1 => magnitude(),
            _ => magnitude().reverse(),
        })
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.printed())
    }
}

/// Maximum size of a quantity in bytes.
const LONGEST: usize = 1024;

/// Decodes a string or a number; a number is equivalent to the same string in quotes.
impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = text_of(raw.get());
        if text.len() > LONGEST {
            let message =
                format!("the quantity has more than {LONGEST} bytes, more than any needs");
            return Err(D::Error::custom(message));
        }
        Quantity::parse(text.trim()).map_err(D::Error::custom)
    }
}

/// Returns the decoded JSON string, or the number as written.
fn text_of(raw: &str) -> Cow<'_, str> {
    match RawJson::of(raw) {
        RawJson::Text(quoted) if !quoted.raw().contains('\\') => quoted.raw().into(),
        _ => serde_json::from_str::<String>(raw).map_or(raw.into(), Cow::Owned),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Quantity, QuantityError};

    #[rstest]
    #[case::rounds_up_to_the_finest_unit("1e-100000000", Some("1e-9"))]
    #[case::negative_rounds_away_from_zero("-1e-2147483648", Some("-1e-9"))]
    #[case::stays_short("1e100000000", Some("10e99999999"))]
    #[case::largest("1e2147483647", Some("10e2147483646"))]
    #[case::beyond_32_bits("1e9999999999", None)]
    #[case::printed_beyond_32_bits("200e2147483647", Some("200e2147483647"))]
    #[case::printed_with_32_bits("1000e2147483647", Some("1e-2147483646"))]
    #[case::many_zeros("1000000000000e2147483647", Some("1e-2147483637"))]
    #[case::beyond_64_bits("1e-99999999999999999999", None)]
    fn huge_exponents_are_answered_at_once(#[case] text: &str, #[case] printed: Option<&str>) {
        let quantity = Quantity::parse(text).ok();
        let got = quantity.map(|quantity| quantity.to_string());
        assert_eq!(got.as_deref(), printed);
    }

    #[rstest]
    #[case::nothing("1e")]
    #[case::sign("1e+")]
    #[case::letter("1em")]
    fn exponent_without_digits_is_malformed(#[case] text: &str) {
        let error = Quantity::parse(text).unwrap_err();
        assert_eq!(error, QuantityError::Malformed(text.to_owned()));
    }

    #[rstest]
    #[case("0", 0, "0")]
    #[case("-1500m", -1_500_000_000, "-1500m")]
    #[case("1Gi", 1_073_741_824_000_000_000, "1Gi")]
    #[case("1e30", i128::MAX, "170141183460469231731687303715884105727n")]
    #[case("1n", 1, "1n")]
    fn billionths_are_the_same_number(
        #[case] text: &str,
        #[case] nanos: i128,
        #[case] printed: &str,
    ) {
        let quantity = Quantity::parse(text).unwrap();
        assert_eq!(quantity.nanos(), nanos);
        let suffixes = Quantity::parse(if text.ends_with("Gi") { "1Gi" } else { "1" }).unwrap();
        assert_eq!(suffixes.with_nanos(nanos).to_string(), printed);
    }

    #[rstest]
    #[case("0", 0)]
    #[case("2k", 2000)]
    #[case("1500m", 2)]
    #[case("-1500m", -2)]
    #[case("1n", 1)]
    fn ceiling_is_rounded_away_from_zero(#[case] text: &str, #[case] expected: i64) {
        assert_eq!(Quantity::parse(text).unwrap().ceiling(), expected);
    }

    /// Answers of `Quantity.Value`, which wraps around or is 0 beyond 64 bits.
    #[rstest]
    #[case::fraction("-1500m", -2)]
    #[case::long_negative_fraction("-1.5000000000000000000", 0)]
    #[case::largest_suffix("10E", 0)]
    #[case::largest_scale("0.001e40", 0)]
    #[case::multiplied("99999999999999e6", 7_766_279_631_451_241_920)]
    #[case::long("9223372036854775808", i64::MIN)]
    #[case::long_fraction("18446744073709551615.5", 0)]
    #[case::binary("8Ei", i64::MAX)]
    fn value_beyond_64_bits_as_kubernetes(#[case] text: &str, #[case] expected: i64) {
        assert_eq!(Quantity::parse(text).unwrap().value(), expected);
    }

    /// `ParseQuantity` keeps the notation of numbers with up to 14 digits, less those of the power of two.
    #[rstest]
    #[case::short("+12345678901Ki", "+12345678901Ki")]
    #[case::long("+123456789012Ki", "123456789012Ki")]
    fn long_binary_quantity_is_printed_in_canonical_form(
        #[case] text: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Quantity::parse(text).unwrap().to_string(), expected);
    }

    #[test]
    fn numbers_read_like_text() {
        let read = |json: &str| {
            let quantity: Quantity = serde_json::from_str(json).unwrap();
            quantity.to_string()
        };
        assert_eq!(read("20000"), "20k");
        assert_eq!(read("1.500"), "1.500");
        assert_eq!(read("\" 1Gi \""), "1Gi");
        assert_eq!(read("\"1\\u0047i\""), "1Gi");
    }
}
