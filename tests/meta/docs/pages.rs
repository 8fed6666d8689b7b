// SPDX-License-Identifier: Apache-2.0
//! The documentation pages in the repository as code hosts show them, with their content.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::docs::root;

/// The folders with pages; of the root, only files directly in it.
const FOLDERS: [&str; 4] = ["certs", "charts", "docs", "tests/conformance"];

/// A block of code: its language, which may be empty, and its text.
pub(crate) struct Block {
    pub(crate) language: String,
    pub(crate) text: String,
}

/// A page in Markdown.
#[derive(Default)]
pub(crate) struct Page {
    /// The path relative to the root of the repository.
    pub(crate) path: PathBuf,
    /// The targets of its links and images.
    pub(crate) links: Vec<String>,
    /// The anchors of its headings, as code hosts create them, and those in HTML, `<a id="…">`.
    pub(crate) anchors: Vec<String>,
    pub(crate) blocks: Vec<Block>,
    /// The texts of paragraphs and list items, with one character for each piece of code.
    pub(crate) paragraphs: Vec<String>,
    /// The texts of table cells, likewise.
    pub(crate) cells: Vec<String>,
}

/// Returns all pages, in the order of their paths.
pub(crate) fn pages() -> Vec<Page> {
    let own = walkdir::WalkDir::new(root()).max_depth(1).into_iter();
    let others = FOLDERS.map(|folder| walkdir::WalkDir::new(root().join(folder)));
    let all = own.chain(others.into_iter().flatten());
    let paths = all.map(|entry| entry.unwrap().into_path());
    let mut pages: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .map(|path| path.strip_prefix(root()).unwrap().to_owned())
        .collect();
    pages.sort();
    pages.into_iter().map(page).collect()
}

fn page(path: PathBuf) -> Page {
    let text = fs::read_to_string(root().join(&path)).unwrap();
    parse(path, &text)
}

/// Parses the text of a page, or a part of it.
pub(crate) fn parse(path: PathBuf, text: &str) -> Page {
    let mut page = Page { path, ..Page::default() };
    let mut heading: Option<String> = None;
    let mut block: Option<Block> = None;
    let mut prose = String::new();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let anchor = anchor(&heading.take().unwrap());
                let before = times.entry(anchor.clone()).or_default();
                page.anchors.push(match *before {
                    0 => anchor,
                    count => format!("{anchor}-{count}"),
                });
                *before += 1;
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push(dest_url.into_string());
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                let language = language.into_string();
                block = Some(Block { language, text: String::new() });
            }
            Event::End(TagEnd::CodeBlock) => page.blocks.extend(block.take()),
            Event::InlineHtml(html) if &*html == "<br>" => {
                page.cells.push(std::mem::take(&mut prose));
            }
            Event::InlineHtml(html) => {
                let id = html.strip_prefix("<a id=\"").and_then(|it| it.strip_suffix("\">"));
                page.anchors.extend(id.map(str::to_owned));
            }
            Event::Text(text) | Event::Code(text) if block.is_some() || heading.is_some() => {
                let target = block.as_mut().map(|it| &mut it.text).or(heading.as_mut());
                if let Some(it) = target {
                    it.push_str(&text);
                }
            }
            Event::Text(text) => prose.push_str(&text),
            Event::Code(_) => prose.push('`'),
            Event::SoftBreak => prose.push(' '),
            Event::End(TagEnd::TableCell) => page.cells.push(std::mem::take(&mut prose)),
            Event::HardBreak | Event::End(TagEnd::Paragraph | TagEnd::Item) => {
                page.paragraphs.push(std::mem::take(&mut prose));
            }
            _ => {}
        }
    }
    page
}

/// Converts a heading to an anchor, as code hosts do.
fn anchor(heading: &str) -> String {
    let letters = heading.to_lowercase();
    let letters = letters.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        letter => letter.is_alphanumeric().then_some(letter),
    });
    letters.collect()
}

#[test]
fn headings_become_anchors() {
    let table = [
        ("What's `in` it, and (why)?", "whats-in-it-and-why"),
        ("serve --garden", "serve---garden"),
        ("Größe_x", "größe_x"),
    ];
    for (heading, expected) in table {
        assert_eq!(anchor(heading), expected);
    }
}
