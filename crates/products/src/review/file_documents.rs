// SPDX-License-Identifier: Apache-2.0
//! Documents of a file, each with its own text.

use std::ops::Range;
use std::sync::Arc;

use garden_gate_text::yaml::{self, Document, Excerpt, Position, Text};

/// A text with the document, or the part of one, that contains an object.
#[derive(Clone)]
pub(super) struct FileDocument {
    text: Arc<Text>,
    held: CachedDocument,
    /// The number of objects in the text.
    pub(super) objects: usize,
}

/// Storage of the document, which takes several times the memory of its text.
#[derive(Clone)]
enum CachedDocument {
    /// No document: the text could not be parsed.
    None,
    /// The only document in the text, parsed again when needed.
    Again,
    /// A document in memory, because objects share it or little has been read.
    Document(Document),
}

impl FileDocument {
    /// Returns a text without a document.
    pub(super) fn unreadable(text: Arc<Text>) -> Self {
        let held = CachedDocument::None;
        Self { text, held, objects: 1 }
    }

    /// Returns one of several objects in a text.
    pub(super) fn part(text: Arc<Text>, document: Document) -> Self {
        Self { text, held: CachedDocument::Document(document), objects: 1 }
    }

    /// Returns the only object in a text.
    pub(super) fn whole(text: Arc<Text>, document: Document, keeps: bool) -> Self {
        let held = if keeps { CachedDocument::Document(document) } else { CachedDocument::Again };
        Self { text, held, objects: 1 }
    }

    /// Returns the document.
    pub(super) fn document(&self) -> Option<Document> {
        match &self.held {
            CachedDocument::None => None,
            CachedDocument::Again => yaml::parse_keeping_repeated(self.text.as_str()).ok()?.pop(),
            CachedDocument::Document(document) => Some(document.clone()),
        }
    }

    /// Reports whether there is a document.
    pub(super) fn is_readable(&self) -> bool {
        !matches!(self.held, CachedDocument::None)
    }

    /// Returns the text.
    pub(super) fn as_str(&self) -> &str {
        self.text.as_str()
    }

    /// Returns the whole file, of which the text is a part.
    pub(super) fn of_file(&self) -> &str {
        self.text.whole()
    }

    /// Returns the byte range of the text in the file.
    pub(super) fn range(&self) -> Range<usize> {
        self.text.range()
    }

    /// Returns the number of lines of the file before the text.
    pub(super) fn lines_before(&self) -> usize {
        self.text.before()
    }

    /// Reports whether excerpts do not show a line of the text.
    pub(super) fn is_hidden(&self, line: usize) -> bool {
        self.text.is_hidden(line)
    }

    /// Returns the excerpt at a position from the document.
    pub(super) fn excerpt(&self, position: Position) -> Excerpt {
        self.text.excerpt(position)
    }
}
