//! What is written in a file: its documents, each with its own text.

use std::sync::Arc;

use crate::source::{self, Document, Excerpt, Position, Text};

/// A text with the document, or the part of one, that an object is read from.
#[derive(Clone)]
pub(crate) struct FileDocument {
    text: Arc<Text>,
    held: Held,
}

/// A document takes several times the memory of its text.
#[derive(Clone)]
enum Held {
    /// There is none: the text could not be read.
    None,
    /// It is the only one in the text, and read again where it is needed.
    Again,
    /// It is kept: many objects share it, or little has been read.
    Document(Document),
}

impl FileDocument {
    /// A text that holds no document.
    pub(crate) fn unreadable(text: Arc<Text>) -> Self {
        let held = Held::None;
        Self { text, held }
    }

    /// One of several objects in a text.
    pub(crate) fn part(text: Arc<Text>, document: Document) -> Self {
        Self {
            text,
            held: Held::Document(document),
        }
    }

    /// All there is in a text.
    pub(crate) fn whole(text: Arc<Text>, document: Document, keeps: bool) -> Self {
        let held = match keeps {
            true => Held::Document(document),
            false => Held::Again,
        };
        Self { text, held }
    }

    /// The document.
    pub(crate) fn document(&self) -> Option<Document> {
        match &self.held {
            Held::None => None,
            Held::Again => source::parse_keeping_repeated(self.text.as_str())
                .ok()?
                .pop(),
            Held::Document(document) => Some(document.clone()),
        }
    }

    /// Whether there is a document.
    pub(crate) fn is_readable(&self) -> bool {
        !matches!(self.held, Held::None)
    }

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        self.text.as_str()
    }

    /// All of the file that the text is a part of.
    pub(crate) fn of_file(&self) -> &str {
        self.text.whole()
    }

    /// What is at a place that the document tells.
    pub(crate) fn excerpt(&self, position: Position) -> Excerpt {
        self.text.excerpt(position)
    }
}
