// SPDX-License-Identifier: Apache-2.0
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "each cast is behind a comparison with the bounds of its type"
)]

use std::cmp::Ordering;

use super::error::{EvaluationError, undetermined};

/// 2^63, the first double beyond the largest `int`.
const INT_END: f64 = 9_223_372_036_854_775_808.0;
/// 2^64, the first double beyond the largest `uint`.
const UINT_END: f64 = 18_446_744_073_709_551_616.0;

/// Returns the integer that equals a double.
pub(super) fn int_of(double: f64) -> Option<i64> {
    let is_int = double.fract() == 0.0 && (-INT_END..INT_END).contains(&double);
    is_int.then_some(double as i64)
}

/// Returns the unsigned integer that equals a double.
pub(super) fn uint_of(double: f64) -> Option<u64> {
    let is_uint = double.fract() == 0.0 && (0.0..UINT_END).contains(&double);
    is_uint.then_some(double as u64)
}

/// Truncates a double to an `int`; `None` for one out of range.
pub(super) fn truncate_to_int(double: f64) -> Option<i64> {
    // The bounds themselves are refused, as in cel-go.
    (double > -INT_END && double < INT_END).then_some(double as i64)
}

/// Truncates a double to a `uint`; `None` for one out of range.
pub(super) fn truncate_to_uint(double: f64) -> Option<u64> {
    (0.0..UINT_END).contains(&double).then_some(double as u64)
}

/// Compares a double and an integer as cel-go does, which converts the integer.
pub(super) fn compare_with_int(double: f64, int: i64) -> Option<Ordering> {
    double.partial_cmp(&(int as f64))
}

/// Compares a double and an unsigned integer as cel-go does, which converts the integer.
pub(super) fn compare_with_uint(double: f64, uint: u64) -> Option<Ordering> {
    double.partial_cmp(&(uint as f64))
}

/// Prints a double as Go's `strconv.FormatFloat(x, 'g', -1, 64)`.
pub(super) fn print(double: f64) -> String {
    if double.is_nan() {
        return "NaN".to_owned();
    }
    if double.is_infinite() {
        return if double > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    if double == 0.0 {
        return if double.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    // The shortest digits that identify the number, as `d.ddde±x`.
    let scientific = format!("{double:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power = exponent.parse().unwrap_or(0_i32);
    if !(-4..6).contains(&power) {
        let sign = if power < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", power.unsigned_abs());
    }
    format!("{double}")
}

/// Prints a double as Go's `strconv.FormatFloat(x, 'f', -1, 64)`.
pub(super) fn print_fixed(double: f64) -> String {
    match double {
        _ if double.is_nan() => "NaN".to_owned(),
        f64::INFINITY => "+Inf".to_owned(),
        f64::NEG_INFINITY => "-Inf".to_owned(),
        _ => format!("{double}"),
    }
}

/// Parses a double as Go's `strconv.ParseFloat`; hexadecimal ones are unknown.
pub(super) fn parse(text: &str) -> Result<Option<f64>, EvaluationError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.starts_with("0x") || digits.starts_with("0X") {
        return undetermined(format!(
            "`double({text:?})` is a hexadecimal number, which garden-gate does not parse"
        ));
    }
    let number = text.parse::<f64>().ok();
    // A number that is too large is an error in Go.
    let is_written = |it: &f64| !it.is_infinite() || text.to_ascii_lowercase().contains("inf");
    Ok(number.filter(is_written))
}

#[cfg(test)]
mod tests {
    use super::print;

    /// Answers of `strconv.FormatFloat(x, 'g', -1, 64)` of Go 1.26.
    #[test]
    fn doubles_printed_as_in_go() {
        let cases = [
            (1.0, "1"),
            (1.5, "1.5"),
            (1e20, "1e+20"),
            (1e21, "1e+21"),
            (123_456_789.0, "1.23456789e+08"),
            (100_000.0, "100000"),
            (1e6, "1e+06"),
            (1e-7, "1e-07"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (-0.0, "-0"),
            (f64::INFINITY, "+Inf"),
        ];
        for (double, expected) in cases {
            assert_eq!(print(double), expected);
        }
    }
}
