// SPDX-License-Identifier: Apache-2.0
/// Reports whether a string is a UUID, also with `urn:uuid:`, in braces, or without hyphens.
///
/// Mirrors Parse in `github.com/google/uuid`, which accepts any characters in place of the braces.
pub fn is_uuid(text: &str) -> bool {
    const HYPHENS: [usize; 4] = [8, 13, 18, 23];
    const LENGTH: usize = 36;
    const URN: &[u8] = b"urn:uuid:";

    let bytes = text.as_bytes();
    let whole = match bytes.len() {
        32 => return bytes.iter().all(u8::is_ascii_hexdigit),
        LENGTH => bytes,
        38 => bytes.get(1..=LENGTH).unwrap_or_default(),
        45 => match bytes.split_at(URN.len()) {
            (prefix, rest) if prefix.eq_ignore_ascii_case(URN) => rest,
            _ => return false,
        },
        _ => return false,
    };
    whole.iter().enumerate().all(|(index, byte)| {
        if HYPHENS.contains(&index) { *byte == b'-' } else { byte.is_ascii_hexdigit() }
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_uuid;

    #[rstest]
    #[case::hyphens("0123abcd-4567-89AB-cdef-0123456789ab", true)]
    #[case::plain("0123abcd456789ABcdef0123456789ab", true)]
    #[case::urn("URN:uuid:0123abcd-4567-89ab-cdef-0123456789ab", true)]
    #[case::braces("{0123abcd-4567-89ab-cdef-0123456789ab}", true)]
    #[case::other_brackets("(0123abcd-4567-89ab-cdef-0123456789ab]", true)]
    #[case::other_urn("urn:oid_:0123abcd-4567-89ab-cdef-0123456789ab", false)]
    #[case::other_letter("0123abcg-4567-89ab-cdef-0123456789ab", false)]
    #[case::hyphen_elsewhere("0123abc-d4567-89ab-cdef-0123456789ab", false)]
    #[case::wide_character("0123abcd-4567-89ab-cdef-0123456789ä", false)]
    #[case::name("my-network", false)]
    #[case::empty("", false)]
    fn uuid(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_uuid(text), expected);
    }
}
