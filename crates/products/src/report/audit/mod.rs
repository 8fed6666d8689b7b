// SPDX-License-Identifier: Apache-2.0
//! Audit reports: counts as text, Markdown and JSON, and findings as Report objects.

mod findings;
mod html;
mod json;
mod object;
mod openreports;
mod support;
mod tables;
mod text;

pub(super) use findings::{FindingRow, finding_rows, finding_summary};
pub use html::{AuditHtmlWriter, audit_html};
pub(super) use json::{Document, document};
pub use openreports::OpenReportsWriter;
pub(super) use support::UnsupportedSection;
pub(super) use tables::{Table, rest, tables};
pub use text::AuditTextWriter;
