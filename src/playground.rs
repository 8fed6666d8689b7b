// SPDX-License-Identifier: Apache-2.0
//! A built playground: the folder of a page that judges manifests in a browser.
//!
//! The program does not contain it, since its module is WebAssembly. `.ci/wasm playground` builds the folder, with a list of its files.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, bail};
use ring::digest::{SHA256, digest};
use serde::Deserialize;

use crate::files::{Limit, Trees, read_in};
use garden_gate_products::report::Playground;
use garden_gate_text::escape::value_within;
use garden_gate_text::hexadecimal;

/// The file that marks the folder of a playground, and lists its other files.
pub(crate) const LIST: &str = "playground.json";
/// The page, without which a folder is no playground.
pub(crate) const PAGE: &str = "index.html";
/// Maximum number of files; a playground has about 250.
const MOST_FILES: usize = 2_000;
/// Maximum length of a path, in bytes.
const LONGEST_PATH: usize = 200;
/// Maximum size of all files together in bytes; a playground has about 10 MiB.
const MOST_BYTES: usize = 64 << 20;
/// Maximum length of a version in messages.
const LONGEST_VERSION: usize = 40;

const SCRIPT: &str = "text/javascript; charset=utf-8";
/// The types of files by the extension of their names.
const TYPES: [(&str, &str); 6] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", SCRIPT),
    ("json", "application/json"),
    ("txt", "text/plain; charset=utf-8"),
    ("wasm", "application/wasm"),
];

/// The files of a playground, read and checked.
#[derive(Debug)]
pub(crate) struct PlaygroundFiles {
    version: String,
    /// The files by path, such as `assets/index.js`, without the list.
    pub(crate) files: BTreeMap<String, PlaygroundFile>,
    /// The list as it was read.
    pub(crate) list: Vec<u8>,
}

/// A file of a playground.
#[derive(Debug)]
pub(crate) struct PlaygroundFile {
    pub(crate) content_type: &'static str,
    pub(crate) content: Vec<u8>,
    /// The SHA-256 checksum in hexadecimal digits.
    pub(crate) checksum: String,
}

/// The list of the files.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct List {
    /// The version of garden-gate.
    garden_gate: String,
    files: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    path: String,
    sha256: String,
}

impl PlaygroundFiles {
    /// Reads a folder that `.ci/wasm playground` has built. Files that its list does not name are ignored.
    ///
    /// # Errors
    /// Fails if it is no playground, if a file is missing, changed, too large or of an unknown type, or if a symbolic link
    /// leads out of the folder.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        let shown = folder.display();
        let trees = Trees::new([folder]);
        let path = folder.join(LIST);
        let list = read_in(&trees, &path, Limit::PLAYGROUND_LISTS).with_context(|| {
            format!("`{shown}` is not a built playground: `{LIST}` cannot be read; build one with `.ci/wasm playground`, or unpack that of the release")
        })?;
        let read: List = serde_json::from_slice(&list)
            .with_context(|| format!("`{}` is not the list of a playground", path.display()))?;
        let count = read.files.len();
        if count > MOST_FILES {
            bail!("`{}` lists {count} files; the limit is {MOST_FILES}", path.display());
        }
        let (mut files, mut size) = (BTreeMap::new(), 0);
        for Entry { path, sha256 } in read.files {
            let Some(content_type) = content_type(&path) else {
                let path = value_within(&path, LONGEST_PATH);
                bail!("`{shown}/{LIST}` lists `{path}`, which cannot be a file of a playground");
            };
            let at = folder.join(&path);
            let content = read_in(&trees, &at, Limit::PLAYGROUNDS)
                .with_context(|| format!("cannot read `{}` of the playground", at.display()))?;
            size += content.len();
            if size > MOST_BYTES {
                bail!("the files of `{shown}` are larger than {} MiB", MOST_BYTES >> 20);
            }
            let checksum = hexadecimal(digest(&SHA256, &content).as_ref());
            if checksum != sha256 {
                bail!(
                    "`{}` is not the file that `{LIST}` lists, since its checksum differs; build or unpack the playground again",
                    at.display()
                );
            }
            files.insert(path, PlaygroundFile { content_type, content, checksum });
        }
        if !files.contains_key(PAGE) {
            bail!("`{shown}/{LIST}` lists no `{PAGE}`, so it is not a playground");
        }
        Ok(Self { version: read.garden_gate, files, list })
    }

    /// Returns a warning if the playground may give other verdicts than this program.
    pub(crate) fn warning(&self) -> Option<String> {
        let own = env!("CARGO_PKG_VERSION");
        let version = value_within(&self.version, LONGEST_VERSION);
        (self.version != own).then(|| {
            format!("the playground is of garden-gate {version}, and this program of {own}; their verdicts may differ")
        })
    }

    /// Returns the part of the playground that a site shows.
    pub(crate) fn shown(&self) -> Playground {
        Playground::of(self.files.keys().map(String::as_str))
    }
}

/// Returns the content type of a file by its path; `None` if the path could lead elsewhere, or the type is unknown.
fn content_type(path: &str) -> Option<&'static str> {
    let is_name = |name: &str| {
        let is_known = |it: u8| it.is_ascii_alphanumeric() || b"._-".contains(&it);
        name.bytes().next().is_some_and(|it| it.is_ascii_alphanumeric() || it == b'_')
            && name.bytes().all(is_known)
    };
    let (_, extension) = path.rsplit_once('.')?;
    let found = TYPES.iter().find(|(known, _)| *known == extension)?;
    let is_valid = path.len() <= LONGEST_PATH && path != LIST && path.split('/').all(is_name);
    is_valid.then_some(found.1)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::content_type;

    #[rstest]
    #[case("index.html", Some("text/html; charset=utf-8"))]
    #[case("assets/index-B_x-1.js", Some("text/javascript; charset=utf-8"))]
    #[case("assets/garden_gate_bg-1.wasm", Some("application/wasm"))]
    #[case("examples/shoot_region.json", Some("application/json"))]
    #[case("playground.json", None)]
    #[case("", None)]
    #[case("index", None)]
    #[case("index.exe", None)]
    #[case("../index.html", None)]
    #[case("a/../index.html", None)]
    #[case("/etc/passwd.txt", None)]
    #[case("C:/index.html", None)]
    #[case("a\\..\\index.html", None)]
    #[case("a//index.html", None)]
    #[case("./index.html", None)]
    #[case(".git/config.txt", None)]
    #[case("%2e%2e/index.html", None)]
    #[case("index\u{202e}.html", None)]
    #[case("index\0.html", None)]
    fn only_plain_paths_of_known_types_are_files(
        #[case] path: &str,
        #[case] expected: Option<&str>,
    ) {
        assert_eq!(content_type(path), expected);
    }

    #[test]
    fn paths_are_limited() {
        assert!(content_type(&format!("{}.js", "a".repeat(197))).is_some());
        assert!(content_type(&format!("{}.js", "a".repeat(198))).is_none());
    }
}
