// SPDX-License-Identifier: Apache-2.0
//! Source files name their licence in the form of SPDX; `REUSE.toml` has those of all other files.

use std::fs;
use std::path::Path;

use crate::docs::root;

/// The line, in two parts so that it is not one of this file.
const LINE: &str = concat!("SPDX-License-", "Identifier: Apache-2.0");
/// Folders without own source files.
const LEFT_OUT: [&str; 4] = ["target", "node_modules", "vendor", "dist"];
/// Folders whose scripts and styles are copied into pages.
const COPIED: [&str; 2] = ["web/src", "crates/products/src/report/page"];

/// Reports whether a file must have the line.
fn has_line(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let is_copied = COPIED.iter().any(|it| path.starts_with(it));
    match path.extension().and_then(|it| it.to_str()) {
        Some("rs" | "go" | "mjs") => true,
        Some("js") => !is_copied,
        Some("ts") => !name.ends_with(".d.ts"),
        _ => false,
    }
}

fn lacking(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_left_out = name.starts_with(".git") || LEFT_OUT.contains(&&*name);
        if path.is_symlink() || is_left_out {
            continue;
        }
        if path.is_dir() {
            lacking(&path, found);
            continue;
        }
        let relative = path.strip_prefix(root()).unwrap();
        if has_line(relative) {
            let text = fs::read_to_string(&path).unwrap();
            if !text.lines().take(2).any(|it| it.ends_with(LINE)) {
                found.push(relative.display().to_string());
            }
        }
    }
}

#[test]
fn source_files_have_a_licence() {
    let mut found = Vec::new();
    lacking(&root(), &mut found);
    assert!(found.is_empty(), "add `// {LINE}` as the first line of {found:#?}");
}

#[test]
fn licences_of_other_files_are_known() {
    let reuse: toml::Table = toml::from_str(&fs::read_to_string("REUSE.toml").unwrap()).unwrap();
    let annotations = reuse["annotations"].as_array().unwrap();
    assert_eq!(annotations[0]["path"].as_str(), Some("**"));
    for annotation in annotations {
        let licence = annotation["SPDX-License-Identifier"].as_str().unwrap();
        assert!(Path::new("LICENSES").join(format!("{licence}.txt")).is_file(), "{licence}");
    }
}
