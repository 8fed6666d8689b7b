//! JSON as text: compared and looked into without a tree of it.
//!
//! An object of a request may be megabytes of what nobody models, and may hold what no tree can: numbers beyond any type, halves of
//! surrogate pairs, a hundred thousand levels. Here nothing is unreadable, and the cost is linear in the text.

mod lexer;
mod nested;
mod part;
mod pass;
mod path;
mod same;
mod scan;
mod span;
mod tree;
mod written;

pub use lexer::{Lexer, Passed};
pub use nested::Nested;
pub use part::{FieldPair, Fields, Json};
pub use pass::Pass;
pub use path::{JsonPath, JsonStep, without_position};
pub use same::{Form, Typing};
pub use span::{Beside, Name, Span, Spans};
pub use tree::Tree;
pub use written::{Quoted, Written, as_text};

#[cfg(test)]
mod tests;
