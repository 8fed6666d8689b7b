// SPDX-License-Identifier: Apache-2.0
/// Formats a number with thousands separators.
pub fn number(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::number;

    #[rstest]
    #[case(0, "0")]
    #[case(999, "999")]
    #[case(1_000, "1,000")]
    #[case(12_345_678, "12,345,678")]
    fn thousands_are_separated(#[case] count: usize, #[case] expected: &str) {
        assert_eq!(number(count), expected);
    }
}
