//! What is linked in may be, and its authors are named: the licences of all packages, and the notices that go into the image.
//!
//! `THIRD_PARTY_NOTICES=FILE cargo test --test meta licenses::` writes the notices.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]
#![expect(clippy::panic, reason = "a failed comparison says what to do")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

/// What the image is built for.
const TARGET: &str = "x86_64-unknown-linux-musl";

/// What may be linked in, as `cargo deny` reads it.
static DENY: LazyLock<Deny> = LazyLock::new(|| {
    let text = fs::read_to_string("deny.toml").unwrap();
    toml::from_str(&text).unwrap()
});

#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
    /// It may be there, in one version.
    #[serde(default)]
    deny_multiple_versions: bool,
    reason: String,
}

/// How files with licences are called.
const NAMES: [&str; 5] = ["license", "licence", "copying", "copyright", "notice"];

/// The C library that is linked in for the target; its text is not in any package.
const MUSL: &str = "musl as a whole is licensed under the following standard MIT license:

Copyright © 2005-2020 Rich Felker, et al.

Permission is hereby granted, free of charge, to any person obtaining
a copy of this software and associated documentation files (the
\"Software\"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.";

/// Something that is linked in.
#[derive(Debug)]
struct Package {
    /// With its version.
    name: String,
    license: String,
    /// The registry that it comes from.
    source: String,
    folder: PathBuf,
}

impl Package {
    fn read(package: &Value) -> Self {
        let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        Package {
            name: format!("{} {}", text("name"), text("version")),
            license: text("license"),
            source: text("source"),
            folder: Path::new(&text("manifest_path")).parent().unwrap().into(),
        }
    }

    fn line(&self) -> String {
        let source = self.name.replace(' ', "/");
        format!(
            "{} ({}), https://crates.io/crates/{source}",
            self.name, self.license
        )
    }

    /// The licences in its folder, C sources that it brings included.
    fn texts(&self) -> BTreeSet<String> {
        let files = walkdir::WalkDir::new(&self.folder).into_iter();
        let files = files.map(Result::unwrap).filter(|entry| {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            entry.file_type().is_file() && NAMES.iter().any(|start| name.contains(start))
        });
        files
            // Sources such as `license.rs` are none.
            .filter(|entry| {
                let extension = entry.path().extension().unwrap_or_default();
                ["", "txt", "md", "mit", "apache"]
                    .contains(&&*extension.to_string_lossy().to_lowercase())
            })
            .map(|entry| {
                fs::read_to_string(entry.path())
                    .unwrap()
                    .trim()
                    .replace('\r', "")
            })
            .collect()
    }
}

/// Everything that the binary is made of, without what only tests and build scripts need.
fn packages() -> Vec<Package> {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".to_owned());
    let arguments = [
        "metadata",
        "--format-version=1",
        "--locked",
        "--filter-platform",
        TARGET,
    ];
    let output = Command::new(cargo)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let root = metadata["resolve"]["root"].as_str().unwrap();
    let mut linked = linked(&metadata["resolve"]["nodes"], root);
    linked.remove(root);
    let all = metadata["packages"].as_array().unwrap().iter();
    all.filter(|package| linked.contains(package["id"].as_str().unwrap()))
        .map(Package::read)
        .collect()
}

/// The ids of packages that `root` reaches by normal dependencies.
fn linked<'a>(nodes: &'a Value, root: &'a str) -> BTreeSet<&'a str> {
    let nodes: BTreeMap<&str, &Value> = nodes
        .as_array()
        .unwrap()
        .iter()
        .map(|node| (node["id"].as_str().unwrap(), &node["deps"]))
        .collect();
    let (mut seen, mut next) = (BTreeSet::new(), vec![root]);
    while let Some(id) = next.pop() {
        if seen.insert(id) {
            let dependencies = nodes[id].as_array().unwrap().iter();
            let normal = dependencies.filter(|dependency| {
                let mut kinds = dependency["dep_kinds"].as_array().unwrap().iter();
                kinds.any(|kind| kind["kind"].is_null())
            });
            next.extend(normal.map(|dependency| dependency["pkg"].as_str().unwrap()));
        }
    }
    seen
}

/// Whether one may use a package by this SPDX expression.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    let expression = expression.replace('(', " ( ").replace(')', " ) ");
    let mut words = expression.split_whitespace().peekable();
    any(&mut words)
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: &mut Words<'_>) -> bool {
    let mut allowed = all(words);
    while words.next_if_eq(&"OR").is_some() {
        allowed |= all(words);
    }
    allowed
}

fn all(words: &mut Words<'_>) -> bool {
    let mut allowed = one(words);
    while words.next_if_eq(&"AND").is_some() {
        allowed &= one(words);
    }
    allowed
}

fn one(words: &mut Words<'_>) -> bool {
    let mut id = match words.next() {
        Some("(") => {
            let allowed = any(words);
            return words.next() == Some(")") && allowed;
        }
        word => word.unwrap_or_default().trim_end_matches('+').to_owned(),
    };
    if words.next_if_eq(&"WITH").is_some() {
        id = format!("{id} WITH {}", words.next().unwrap_or_default());
    }
    DENY.licenses.allow.contains(&id)
}

/// Every text once, with the packages that it is for.
fn notices(packages: &[Package]) -> String {
    let apache = fs::read_to_string("LICENSE").unwrap().trim().to_owned();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages {
        let mut own = package.texts();
        if own.is_empty() {
            assert!(
                package.license.contains("Apache-2.0"),
                "{package:?} has no text"
            );
            own.insert(apache.clone());
        }
        for text in own {
            texts.entry(text).or_default().push(package.line());
        }
    }
    let standard =
        "the Rust standard library (MIT OR Apache-2.0), https://github.com/rust-lang/rust";
    // Its exception frees whoever links it in from showing more.
    let llvm =
        "LLVM's C library (Apache-2.0 WITH LLVM-exception), https://libc.llvm.org".to_owned();
    texts
        .entry(apache)
        .or_default()
        .extend([standard.to_owned(), llvm]);
    let musl = "musl (MIT), https://musl.libc.org";
    texts.insert(MUSL.to_owned(), vec![musl.to_owned()]);
    let mut sections: Vec<String> = texts
        .into_iter()
        .map(|(text, lines)| format!("{}\n\n{text}\n", lines.join("\n")))
        .collect();
    sections.sort();
    let line = format!("\n{}\n\n", "=".repeat(100));
    format!(
        "garden-gate contains software of others. These are their licences; each text is preceded by what it is for.\n{line}{}",
        sections.join(&line)
    )
}

#[test]
fn expressions_are_read_as_spdx_means_them() {
    for (expression, allowed) in [
        ("MIT", true),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0-only OR MIT", true),
        ("GPL-3.0-only AND MIT", false),
        ("(MIT OR GPL-3.0-only) AND Unicode-3.0", true),
        ("MIT OR GPL-3.0-only AND AGPL-3.0-only", true),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("GPL-2.0-only WITH Classpath-exception-2.0", false),
        ("MPL-2.0+", true),
        ("", false),
    ] {
        assert_eq!(is_allowed(expression), allowed, "{expression}");
    }
}

#[test]
fn every_licence_is_one_that_may_be_linked_in() {
    let packages = packages();
    assert!(packages.len() > 100, "{}", packages.len());
    for Package { name, license, .. } in packages {
        if !is_allowed(&license) {
            panic!(
                "{name} is licensed as `{license}`; look for another package, or allow it in deny.toml"
            );
        }
    }
}

#[test]
fn nothing_is_linked_in_that_is_banned() {
    let packages = packages();
    for Ban {
        name,
        deny_multiple_versions,
        reason,
    } in &DENY.bans.deny
    {
        let versions = packages
            .iter()
            .filter(|package| package.name.split(' ').next() == Some(name));
        let versions: Vec<&str> = versions.map(|package| package.name.as_str()).collect();
        let most = usize::from(*deny_multiple_versions);
        assert!(
            versions.len() <= most,
            "{versions:?} are linked in: {reason}"
        );
    }
}

#[test]
fn everything_comes_from_crates_io() {
    for Package { name, source, .. } in packages() {
        assert_eq!(
            source, "registry+https://github.com/rust-lang/crates.io-index",
            "{name}"
        );
    }
}

#[test]
fn the_notices_name_every_package() {
    let packages = packages();
    let notices = notices(&packages);
    for package in &packages {
        assert!(notices.contains(&package.line()), "{}", package.name);
    }
    for text in [
        "Rich Felker",
        "Mozilla Public License",
        "Daan Leijen",
        "rust-lang/rust",
    ] {
        assert!(notices.contains(text), "{text}");
    }
    if let Some(path) = std::env::var_os("THIRD_PARTY_NOTICES") {
        fs::write(path, notices).unwrap();
    }
}
