// SPDX-License-Identifier: Apache-2.0
//! Links have targets, both between the pages of the repository and between those of the book.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use garden_gate_core::catalogue;

use crate::docs::pages::{Page, pages};
use crate::docs::{assert_current_part, is_renewing, root};

/// The list of pages of the book.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Returns the path, relative to the root, of a link in a page.
fn target(page: &Page, link: &str) -> PathBuf {
    let mut path = page.path.parent().unwrap().to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{}: {link}", page.path.display()),
            part => path.push(part),
        }
    }
    path
}

fn is_elsewhere(link: &str) -> bool {
    link.starts_with("https://")
}

#[test]
fn links_between_pages_lead_somewhere() {
    if is_renewing() {
        return;
    }
    let pages = pages();
    let anchors: BTreeMap<&Path, &Vec<String>> =
        pages.iter().map(|page| (page.path.as_path(), &page.anchors)).collect();
    let mut seen = 0;
    for page in &pages {
        let here = page.path.display();
        for link in page.links.iter().filter(|link| !is_elsewhere(link)) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.path.clone(),
                file => target(page, file),
            };
            assert!(root().join(&target).exists(), "{here}: no file for {link}");
            if !anchor.is_empty() {
                let anchors = anchors.get(target.as_path());
                let is_there = anchors.is_some_and(|it| it.iter().any(|it| it == anchor));
                assert!(is_there, "{here}: no heading for {link}");
            }
            seen += 1;
        }
    }
    assert!(seen > 500, "{seen} links were read");
}

/// The book contains no other files of the repository, so its pages name them as code.
#[test]
fn pages_of_the_book_link_to_pages_of_the_book() {
    if is_renewing() {
        return;
    }
    for page in pages().iter().filter(|page| page.path.starts_with("docs")) {
        for link in page.links.iter().filter(|link| !is_elsewhere(link)) {
            let file = link.split('#').next().unwrap();
            let target = target(page, file);
            let here = page.path.display();
            assert!(target.starts_with("docs"), "{here}: {link} is not in the book");
            let is_file = file.is_empty() || root().join(&target).is_file();
            assert!(is_file, "{here}: {link} is a folder, which the book has no page for");
        }
    }
}

#[test]
fn every_page_is_in_the_book_once() {
    if is_renewing() {
        return;
    }
    let (mut listed, mut pages) = (Vec::new(), pages());
    pages.retain(|page| page.path.starts_with("docs"));
    for page in pages.extract_if(.., |page| page.path == Path::new(SUMMARY)) {
        let links = page.links.iter().filter(|link| !link.is_empty());
        listed.extend(links.map(|link| target(&page, link)));
    }
    let once: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "{SUMMARY} lists a page twice");
    let pages: BTreeSet<&PathBuf> = pages.iter().map(|page| &page.path).collect();
    let missing: Vec<_> = pages.difference(&once).collect();
    let gone: Vec<_> = once.difference(&pages).collect();
    assert!(missing.is_empty(), "{SUMMARY} does not list {missing:?}");
    assert!(gone.is_empty(), "{SUMMARY} lists what is no page: {gone:?}");
}

/// Rules are listed by the kind or subject in their ids; a heading without a page has an empty link.
#[test]
fn the_book_lists_every_rule() {
    let mut ids: Vec<&str> = catalogue::all().map(|rule| rule.id).collect();
    ids.sort_unstable();
    let (mut list, mut last) = ("- [All rules](rules/README.md)\n".to_owned(), "");
    for id in ids {
        let (kind, name) = id.split_once('/').unwrap();
        if kind != last {
            writeln!(list, "  - [{kind}]()").unwrap();
            last = kind;
        }
        writeln!(list, "    - [{name}](rules/{id}.md)").unwrap();
    }
    assert_current_part(SUMMARY, "rules", &list);
}
