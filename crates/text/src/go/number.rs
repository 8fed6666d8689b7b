// SPDX-License-Identifier: Apache-2.0
/// Parses a boolean as Go's `strconv.ParseBool` does.
///
/// Valid strings are `1 t T TRUE true True` and `0 f F FALSE false False`.
pub fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
        _ => None,
    }
}

/// Parses a number as Go's `strconv.Atoi` does on a 64-bit machine.
///
/// It has an optional sign and decimal digits.
pub fn atoi(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Converts an integral float to an integer, since Go's JSON writes it without a fraction.
///
/// Returns `None` for other numbers, and beyond 64 bits.
pub fn whole(float: f64) -> Option<i64> {
    // 2^63 is the first whole number that does not fit.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    let fits = float.fract() == 0.0 && (-LIMIT..LIMIT).contains(&float);
    #[expect(clippy::cast_possible_truncation, reason = "it was checked that nothing is cut off")]
    fits.then_some(float as i64)
}
