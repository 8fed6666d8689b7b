// SPDX-License-Identifier: Apache-2.0
//! The limits in SECURITY.md are those of the code.

use std::fs;

use crate::docs::root;

/// Parses a row: the value as text, the constant and its file.
fn row(line: &str) -> Option<(&str, &str, &str)> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [_, _, value, place, _] = cells[..] else {
        return None;
    };
    let (constant, file) = place.split_once(" in ")?;
    let constant = constant.strip_prefix('`')?.strip_suffix('`')?;
    Some((value, constant, file.trim_matches('`')))
}

/// Returns the value of a constant in a file.
fn declared(file: &str, constant: &str) -> Option<u64> {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let name = format!("const {constant}: ");
    let (_, rest) = text.split_once(&name)?;
    let (_, rest) = rest.split_once(" = ")?;
    let (expression, _) = rest.split_once(';')?;
    let expression = expression
        .trim_start_matches("Signed")
        .trim_start_matches("Duration::from_secs(")
        .replace("Duration::from_mins(", "60 * ")
        .trim_start_matches("Self::new(")
        .split(',')
        .next()?
        .trim_end_matches(')')
        .replace('_', "");
    let factor = |text: &str| match text.trim() {
        "MIB" => Some(1 << 20),
        number => number.parse::<u64>().ok(),
    };
    if let Some((number, shift)) = expression.split_once("<<") {
        return Some(factor(number)? << factor(shift)?);
    }
    expression.split('*').map(factor).product()
}

/// Parses a value of the table in bytes, seconds or as a count.
fn written(value: &str) -> Option<u64> {
    let (number, unit) = value.split_once(' ').unwrap_or((value, ""));
    let unit = match unit {
        "GiB" => 1 << 30,
        "MiB" => 1 << 20,
        "KiB" => 1 << 10,
        "" | "s" => 1,
        _ => return None,
    };
    Some(number.parse::<u64>().ok()? * unit)
}

#[test]
fn limits_in_the_security_policy_are_those_of_the_code() {
    let page = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let rows: Vec<_> = page.lines().filter_map(row).collect();
    assert!(rows.len() > 30, "{rows:?}");
    for (value, constant, file) in rows {
        let declared = declared(file, constant);
        assert!(declared.is_some(), "{constant} in {file} cannot be read");
        assert_eq!(written(value), declared, "{constant} in {file}");
    }
}
