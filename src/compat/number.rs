/// Reads a truth value as Go's `strconv.ParseBool` does: exactly `1 t T TRUE true True` and `0 f F FALSE false False`.
#[must_use]
pub fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
        _ => None,
    }
}

/// Reads a number as Go's `strconv.Atoi` does on a 64-bit machine: an optional sign and decimal digits, nothing else.
#[must_use]
pub fn atoi(text: &str) -> Option<i64> {
    text.parse().ok()
}
