// SPDX-License-Identifier: Apache-2.0
//! URIs of documents.

use std::path::{Path, PathBuf};

use gen_lsp_types::Uri;

use garden_gate_text::escape;

/// Returns the file of a URI; `None` for other schemes and hosts.
pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
    let location = uri.0.strip_prefix("file://")?;
    let rest = location.strip_prefix("localhost").unwrap_or(location);
    if !rest.starts_with('/') {
        return None;
    }
    let decoded = decode(rest.split(['?', '#']).next().unwrap_or_default())?;
    Some(PathBuf::from(without_slash(&decoded, cfg!(windows))))
}

/// Returns the URI of a file with an absolute path.
pub(super) fn uri(path: &Path) -> Uri {
    let text = path.display().to_string();
    // On Windows, `canonicalize` returns verbatim paths.
    let path =
        if cfg!(windows) { text.trim_start_matches(r"\\?\").replace('\\', "/") } else { text };
    let mut uri = "file://".to_owned();
    if !path.starts_with('/') {
        uri.push('/');
    }
    Uri(uri + &escape::uri_path(&path))
}

/// Removes the slash before a drive letter on Windows.
fn without_slash(path: &str, is_windows: bool) -> &str {
    let has_drive = path.as_bytes().get(2) == Some(&b':');
    if is_windows && has_drive { &path[1..] } else { path }
}

/// Decodes percent-encoded bytes; `None` if the result is not UTF-8.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, others)) = rest.split_first() {
        let digits = others
            .get(..2)
            .and_then(|it| std::str::from_utf8(it).ok())
            .filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let decoded = digits.and_then(|it| u8::from_str_radix(it, 16).ok());
        match decoded.filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &others[2..];
            }
            None => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("file:///a/b.yaml", Some("/a/b.yaml"))]
    #[case::encoded("file:///a%20b/%C3%A4%25.yaml", Some("/a b/ä%.yaml"))]
    #[case::host("file://localhost/a", Some("/a"))]
    #[case::other_host("file://server/share", None)]
    #[case::other_scheme("untitled:Untitled-1", None)]
    #[case::no_utf8("file:///%FF", None)]
    #[case::incomplete("file:///a%2", Some("/a%2"))]
    fn file_of_a_uri(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(path(&Uri(text.to_owned())), expected.map(PathBuf::from));
    }

    #[test]
    fn uri_of_a_file_is_its_inverse() {
        for name in ["/a/b.yaml", "/a b/ä%#?.yaml", "/😀"] {
            assert_eq!(path(&uri(Path::new(name))), Some(PathBuf::from(name)));
        }
    }

    #[test]
    fn drive_letters_have_no_slash() {
        assert_eq!(without_slash("/c:/a", true), "c:/a");
        assert_eq!(without_slash("/c:/a", false), "/c:/a");
    }
}
