//! Audit reports: counts as text, Markdown and JSON, and findings as Report objects.

mod html;
mod json;
mod object;
mod openreports;
mod tables;
mod text;

pub use html::{AuditHtmlWriter, audit_html};
pub(super) use json::{Document, document};
pub use openreports::OpenReportsWriter;
pub(super) use tables::{Table, tables};
pub use text::AuditTextWriter;
