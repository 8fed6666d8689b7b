// SPDX-License-Identifier: Apache-2.0
//! The mdBook of `docs/`: it builds without warnings, and every link has a target.
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use scraper::{Html, Selector};
use tempfile::TempDir;

use crate::browser::{Scheme, assert_narrow};
use crate::docs::{files_below, root};

/// Returns the mdBook in `MDBOOK`, the one built by `.ci/book`, or `mdbook`.
fn mdbook() -> PathBuf {
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tools");
    let built = tools.join("bin/mdbook");
    let named = env::var_os("MDBOOK").map(PathBuf::from);
    named.unwrap_or(if built.is_file() { built } else { "mdbook".into() })
}

/// The links and link targets of a page.
struct Leaf {
    links: Vec<String>,
    ids: BTreeSet<String>,
}

fn leaf(path: &Path) -> Leaf {
    let page = Html::parse_document(&fs::read_to_string(path).unwrap());
    let values = |name: &str| -> Vec<String> {
        let selector = Selector::parse(&format!("[{name}]")).unwrap();
        let elements = page.select(&selector);
        let values = elements.map(|it| it.value().attr(name).unwrap().to_owned());
        values.collect()
    };
    Leaf {
        links: [values("href"), values("src")].concat(),
        ids: values("id").into_iter().collect(),
    }
}

/// Builds the book.
fn book() -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(mdbook());
    command.arg("build").arg(root().join("docs")).arg("--dest-dir").arg(folder.path());
    let output = command.env_remove("RUST_LOG").output().unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    let warnings: Vec<&str> = log.lines().filter(|line| !line.contains("INFO")).collect();
    assert_eq!((output.status.code(), warnings), (Some(0), vec![]));
    folder
}

/// Wide tables and blocks have scroll bars. The layout of rule pages does not depend on colours.
#[test]
#[ignore = "needs mdBook (.ci/book) and chromium (.ci/browser): cargo test --test meta -- --ignored"]
fn pages_of_the_book_fit_a_narrow_window() {
    let book = book();
    let files = files_below(book.path());
    let is_page =
        |it: &&PathBuf| it.extension().is_some_and(|it| it == "html") && !it.ends_with("toc.html");
    let is_rule = |it: &&Path| it.starts_with(book.path().join("rules"));
    let pages: Vec<&Path> = files.iter().filter(is_page).map(PathBuf::as_path).collect();
    assert_narrow(&pages, Scheme::Dark, |classes| classes.contains("navy"));
    let pages: Vec<&Path> = pages.into_iter().filter(|it| !is_rule(it)).collect();
    assert_narrow(&pages, Scheme::Light, |classes| classes.contains("light"));
}

#[test]
#[ignore = "needs mdBook (.ci/book): cargo test --test meta -- --ignored"]
fn the_book_is_made_and_its_links_lead_somewhere() {
    let folder = book();
    let files = files_below(folder.path());
    let leaves = files.iter().filter(|it| it.extension().is_some_and(|it| it == "html"));
    let leaves: BTreeMap<&PathBuf, Leaf> = leaves.map(|path| (path, leaf(path))).collect();
    let mut seen = 0;
    for (path, page) in &leaves {
        for link in page.links.iter().filter(|it| !it.contains("://")) {
            let (file, id) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => PathBuf::clone(path),
                file => path.parent().unwrap().join(file),
            };
            let here = path.display();
            let target = target.canonicalize().unwrap_or_else(|_| unreachable!("{here}: {link}"));
            let is_there = |leaf: &Leaf| leaf.ids.contains(id);
            assert!(id.is_empty() || leaves.get(&target).is_some_and(is_there), "{here}: {link}");
            seen += 1;
        }
    }
    assert!(leaves.len() > 200 && seen > 5000, "{} pages, {seen} links", leaves.len());
}
