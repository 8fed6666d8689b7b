// SPDX-License-Identifier: Apache-2.0
//! No file contains a private key or a token.

use std::fs;
use std::path::Path;

use regex::Regex;
use walkdir::{DirEntry, WalkDir};

/// Folders that Git ignores, or that belong to it.
const IGNORED: [&str; 4] = [".git", "dist", "node_modules", "target"];

/// Private keys in PEM, and tokens of GitHub, GitLab, AWS, Slack, npm, PyPI, crates.io and Google.
fn secret() -> Regex {
    let patterns = [
        "-----BEGIN [A-Z ]*PRIVATE KEY-----(\\s|\\\\n)+[A-Za-z0-9+/]{40}",
        "gh[pousr]_[A-Za-z0-9]{36}",
        "github_pat_[A-Za-z0-9_]{60}",
        "glpat-[A-Za-z0-9_-]{20}",
        "(AKIA|ASIA)[0-9A-Z]{16}",
        "xox[abprs]-[0-9]{10}",
        "npm_[A-Za-z0-9]{36}",
        "pypi-[A-Za-z0-9_-]{60}",
        "cio[A-Za-z0-9]{32}",
        "AIza[0-9A-Za-z_-]{35}",
    ];
    Regex::new(&format!("(?:^|[^A-Za-z0-9])(?:{})", patterns.join("|"))).unwrap()
}

#[test]
fn files_contain_no_secret() {
    let (secret, root) = (secret(), Path::new(env!("CARGO_MANIFEST_DIR")));
    let is_own = |entry: &DirEntry| !IGNORED.iter().any(|it| entry.file_name() == *it);
    let (mut found, mut count) = (Vec::new(), 0);
    for entry in WalkDir::new(root).into_iter().filter_entry(is_own) {
        let entry = entry.unwrap();
        // Others are compressed, or pictures.
        let Ok(text) = fs::read_to_string(entry.path()) else { continue };
        count += 1;
        if let Some(hit) = secret.find(&text) {
            let line = text[..hit.start()].lines().count();
            found.push(format!("{}:{line}", entry.path().display()));
        }
    }
    assert!(count > 2000, "{count} files were read");
    assert!(found.is_empty(), "keys or tokens: {found:#?}");
}

#[test]
fn secrets_are_found() {
    let key = format!("-----BEGIN {} KEY-----\n{}", "RSA PRIVATE", "A".repeat(64));
    let token = format!("token: ghp_{}", "a".repeat(36));
    for text in [key, token, format!("\"AKIA{}\"", "B".repeat(16))] {
        assert!(secret().is_match(&text), "{text}");
    }
    for text in ["-----BEGIN PRIVATE KEY-----", "ghp_", "LAKIA0123456789ABCDEF"] {
        assert!(!secret().is_match(text), "{text}");
    }
}
