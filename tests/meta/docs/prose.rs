// SPDX-License-Identifier: Apache-2.0
//! Sentences of pages are short, and pages about tasks consist of commands.

use crate::docs::pages::{Page, pages};

/// Maximum number of words of a sentence.
const LONGEST: usize = 30;
/// Maximum average of the sentences of a page, except those in tables.
const AVERAGE: usize = 18;
/// Minimum number of code blocks of how-tos and tutorials, per 1,000 words.
const BLOCKS: usize = 8;
/// Pages that are generated from other files, or that list decisions.
const LISTS: [&str; 3] = ["docs/rules", "docs/coverage.md", "tests/conformance"];

/// Returns the sentences of texts with their number of words.
fn sentences(texts: &[String]) -> Vec<(usize, &str)> {
    let sentences = texts
        .iter()
        .flat_map(|text| text.split(". "))
        .flat_map(|it| it.split("? "))
        .map(|it| (it.split_whitespace().count(), it));
    sentences.filter(|(words, _)| *words > 0).collect()
}

/// Returns the pages that people write.
fn written() -> Vec<Page> {
    let mut pages = pages();
    pages.retain(|page| !LISTS.iter().any(|list| page.path.starts_with(list)));
    pages
}

#[test]
fn sentences_are_short() {
    let mut problems = Vec::new();
    for page in written() {
        let (prose, cells) = (sentences(&page.paragraphs), sentences(&page.cells));
        let words: usize = prose.iter().map(|(words, _)| words).sum();
        let (path, average) = (page.path.display(), words / prose.len().max(1));
        if average > AVERAGE {
            problems.push(format!("{path}: {average} words on average"));
        }
        for (words, sentence) in prose.iter().chain(&cells).filter(|it| it.0 > LONGEST) {
            problems.push(format!("{path}: {words} words: {sentence}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn tasks_have_commands() {
    let is_task = |page: &&Page| {
        let folders = ["docs/how-to", "docs/tutorials"];
        folders.iter().any(|folder| page.path.starts_with(folder))
    };
    let pages = written();
    let tasks: Vec<&Page> = pages.iter().filter(is_task).collect();
    assert!(tasks.len() > 20, "{} pages were read", tasks.len());
    for page in tasks {
        let prose = sentences(&page.paragraphs).into_iter();
        let words: usize = prose.chain(sentences(&page.cells)).map(|it| it.0).sum();
        let (blocks, path) = (page.blocks.len(), page.path.display());
        assert!(blocks * 1000 >= words * BLOCKS, "{path}: {blocks} blocks, {words} words");
    }
}
