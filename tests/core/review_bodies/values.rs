// SPDX-License-Identifier: Apache-2.0
//! Texts in the place of a value.

/// Returns a name and a text.
type Named = (String, Vec<u8>);

/// Values of each type, for fields that expect another one.
pub(super) const TYPES: [&str; 10] =
    ["null", "true", "7", "-1.5", "\"\"", "\"text\"", "[]", "{}", "[null]", "{\"a\":null}"];

/// Texts that are not JSON, or that parsers read differently.
const TEXTS: [&[u8]; 69] = [
    // Nothing, and words.
    b"",
    b" ",
    b"True",
    b"nul",
    b"null1",
    b"undefined",
    b"NaN",
    b"Infinity",
    b"-Infinity",
    // Numbers.
    b"0",
    b"-0",
    b"1.0",
    b"1.5",
    b"1e0",
    b"1E+2",
    b"1e999",
    b"-1e999",
    b"1e-999",
    b"01",
    b"-",
    b"+1",
    b".5",
    b"1.",
    b"1.e3",
    b"1e",
    b"1e+",
    b"--1",
    b"0x10",
    b"1_000",
    b"2147483648",
    b"9223372036854775808",
    b"18446744073709551616",
    b"123456789012345678901234567890",
    // Strings.
    b"'a'",
    b"\"a",
    b"a\"",
    br#""\ud800""#,
    br#""\udc00\ud800""#,
    br#""\ud83d\ude00""#,
    br#""\ud800\u0041""#,
    br#""\u0000""#,
    br#""\x41""#,
    br#""\u12""#,
    br#""\U0041""#,
    br#""\u004G""#,
    br#""\/""#,
    br#""\""#,
    br#""\'""#,
    b"\"a\x01b\"",
    b"\"a\tb\"",
    b"\"a\nb\"",
    b"\"a\x7fb\"",
    // Not UTF-8: a lone byte, an overlong form, half a surrogate pair, beyond Unicode; and a byte order mark, which is.
    b"\"\xff\"",
    b"\"\xc3\"",
    b"\"\xc0\x80\"",
    b"\"\xed\xa0\x80\"",
    b"\"\xf4\x90\x80\x80\"",
    b"\"\xef\xbb\xbf\"",
    b"\xff",
    // Lists and objects.
    b"[1,]",
    b"[,1]",
    b"[1 2]",
    b"[1}",
    b"{\"a\":1,}",
    b"{\"a\"}",
    b"{\"a\":1,\"a\":2}",
    b"{a:1}",
    b"{\"\\ud800\":1,\"\\udc00\":2}",
    b"/**/1",
];

/// Returns texts that are not JSON, or that parsers read differently.
pub(super) fn texts() -> Vec<Named> {
    let short = TEXTS.iter().map(|text| (shown(text), text.to_vec()));
    let long = [
        ("126 lists".to_owned(), nested(126)),
        ("128 lists".to_owned(), nested(128)),
        ("{\"\\xff\":1}".to_owned(), b"{\"\xff\":1}".to_vec()),
        ("{\"\\t\":1}".to_owned(), b"{\"\t\":1}".to_vec()),
        ("1//".to_owned(), b"1//\n".to_vec()),
    ];
    short.chain(long).collect()
}

/// Returns lists in lists.
pub(super) fn nested(levels: usize) -> Vec<u8> {
    ["[".repeat(levels), "]".repeat(levels)].concat().into_bytes()
}

/// Shows bytes in one line; a text without characters as `(nothing)`.
pub(super) fn shown(bytes: &[u8]) -> String {
    if bytes.trim_ascii().is_empty() {
        format!("({} spaces)", bytes.len())
    } else {
        let escaped = bytes.escape_ascii().to_string();
        escaped.replace("\\\"", "\"").replace("\\\\", "\\").replace("\\'", "'")
    }
}
