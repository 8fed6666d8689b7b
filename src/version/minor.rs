/// The major and minor number of a version such as `v1.34.0-rc.1` or `1.34`; `None` if it is not a version.
///
/// Gardener compares with bounds such as `1.34-0`, which lie below every pre-release of a minor, so that these two
/// numbers decide.
#[must_use]
pub fn minor(version: &str) -> Option<(u64, u64)> {
    let version = version.strip_prefix('v').unwrap_or(version);
    let (version, build) = halves(version, '+');
    let (core, pre_release) = halves(version, '-');
    let mut parts = core.split('.');
    let major = number(parts.next()?)?;
    let minor = parts.next().map_or(Some(0), number)?;
    parts.next().map_or(Some(0), number)?;
    let rest = parts.next().is_none() && are_identifiers(pre_release) && are_identifiers(build);
    rest.then_some((major, minor))
}

fn halves(text: &str, sign: char) -> (&str, Option<&str>) {
    text.split_once(sign)
        .map_or((text, None), |(before, after)| (before, Some(after)))
}

fn number(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|digit| digit.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

fn are_identifiers(suffix: Option<&str>) -> bool {
    let is_identifier = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|letter| letter.is_ascii_alphanumeric() || letter == b'-')
    };
    suffix.is_none_or(|suffix| suffix.split('.').all(is_identifier))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::minor;

    #[rstest]
    #[case("1.34.0", Some((1, 34)))]
    #[case("v1.34.0-rc.1+build", Some((1, 34)))]
    #[case("1.34", Some((1, 34)))]
    #[case("2", Some((2, 0)))]
    #[case("1.34.x", None)]
    #[case("1.34.0.1", None)]
    #[case("1.34.0-", None)]
    #[case("", None)]
    fn read(#[case] version: &str, #[case] expected: Option<(u64, u64)>) {
        assert_eq!(minor(version), expected);
    }
}
