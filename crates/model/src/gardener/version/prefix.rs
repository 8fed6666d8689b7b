// SPDX-License-Identifier: Apache-2.0
//! Partial versions such as `1.31`, and omitted ones.

use garden_gate_text::go::Version;

/// The numbers that a partial version fixes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Prefix {
    /// `None` if it is omitted.
    pub major: Option<u64>,
    /// `None` if it is omitted.
    pub minor: Option<u64>,
}

/// A part of a version that is not a number.
#[derive(Debug, Eq, PartialEq)]
pub struct NotANumber<'a> {
    /// The part of the version.
    pub part: &'a str,
    /// Whether it is the second one.
    pub is_minor: bool,
}

impl Prefix {
    /// Parses a partial version.
    ///
    /// Returns `None` if `version` has three parts, whatever they are, and is used unchanged.
    ///
    /// Of four parts or more only the first is used. Mirrors defaultKubernetesVersion and getDefaultMachineImage in
    /// `plugin/pkg/shoot/mutator/admission.go`.
    ///
    /// # Errors
    /// Returns the given part that is not a number.
    pub fn of(version: &str) -> Result<Option<Self>, NotANumber<'_>> {
        let mut parts = version.split('.');
        let major = parts.next().unwrap_or_default();
        let minor = match [parts.next(), parts.next(), parts.next()] {
            [Some(_), Some(_), None] => return Ok(None),
            [Some(minor), None, _] => minor,
            _ => "",
        };
        Ok(Some(Self { minor: number(minor, true)?, major: number(major, false)? }))
    }

    /// Reports whether a version has this prefix.
    pub fn admits(self, version: &Version) -> bool {
        self.major.is_none_or(|major| major == version.major)
            && self.minor.is_none_or(|minor| minor == version.minor)
    }
}

fn number(part: &str, is_minor: bool) -> Result<Option<u64>, NotANumber<'_>> {
    if part.is_empty() {
        return Ok(None);
    }
    let digits = part.bytes().all(|byte| byte.is_ascii_digit());
    match part.parse() {
        Ok(number) if digits => Ok(Some(number)),
        _ => Err(NotANumber { part, is_minor }),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Prefix;

    #[rstest]
    #[case("", None, None)]
    #[case("1", Some(1), None)]
    #[case("1.", Some(1), None)]
    #[case(".31", None, Some(31))]
    #[case("1.031", Some(1), Some(31))]
    #[case("1.31.7.0", Some(1), None)]
    fn partial(#[case] text: &str, #[case] major: Option<u64>, #[case] minor: Option<u64>) {
        assert_eq!(Prefix::of(text), Ok(Some(Prefix { major, minor })));
    }

    #[rstest]
    #[case("foo", "foo")]
    #[case("1.bar", "bar")]
    #[case("x.bar", "bar")]
    #[case("v1.31", "v1")]
    #[case("+1", "+1")]
    #[case("1.31 ", "31 ")]
    #[case("99999999999999999999", "99999999999999999999")]
    fn unreadable(#[case] text: &str, #[case] part: &str) {
        assert_eq!(Prefix::of(text).map_err(|error| error.part), Err(part));
    }

    #[test]
    fn three_parts_are_taken_as_they_are() {
        assert_eq!(Prefix::of("a..c"), Ok(None));
    }
}
