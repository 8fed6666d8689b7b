// SPDX-License-Identifier: Apache-2.0
use std::io::{Write, stdout};

use clap::{ColorChoice, ValueEnum};
use jiff::Timestamp;

use crate::cli::output::{Output, look};
use crate::cli::review::format::Format as ReviewFormat;
use crate::cli::review::outputs::Outputs;
use crate::files::Trees;
use garden_gate_products::report::{
    AuditHtmlWriter, AuditTextWriter, Look, OpenReportsWriter, Writer,
};

/// The format of an audit.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(super) enum Format {
    /// Tables.
    Text,
    /// A line for each finding, for editors and `grep`.
    Concise,
    /// JSON: `{"reviews": [...], "audit": {...}}`.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    Junit,
    /// Workflow commands of GitHub Actions.
    Github,
    /// Markdown, for a comment or a wiki.
    Markdown,
    /// A page.
    Html,
    /// A `Status` of Kubernetes for each object.
    Status,
    /// Report objects of openreports.io.
    Openreports,
}

impl Format {
    fn writer(self, look: Look, options: &Options) -> Box<dyn Writer> {
        let format = match self {
            Format::Text => return Box::new(AuditTextWriter::new(look, options.each)),
            Format::Html => return Box::new(AuditHtmlWriter::new(options.rule_url.clone())),
            Format::Openreports => return Box::new(OpenReportsWriter::new(options.at)),
            Format::Concise => ReviewFormat::Concise,
            Format::Json => ReviewFormat::Json,
            Format::Sarif => ReviewFormat::Sarif,
            Format::Junit => ReviewFormat::Junit,
            Format::Github => ReviewFormat::Github,
            Format::Markdown => ReviewFormat::Markdown,
            Format::Status => ReviewFormat::Status,
        };
        format.writer(look)
    }
}

/// The options of all outputs.
pub(super) struct Options {
    /// Whether text has the findings of each object.
    pub(super) each: bool,
    pub(super) color: ColorChoice,
    /// The time of the audit.
    pub(super) at: Timestamp,
    /// The URL template of rule pages, with `{rule}` for the id.
    pub(super) rule_url: Option<String>,
}

/// Opens all outputs.
///
/// # Errors
/// Fails if a file cannot be written.
pub(super) fn open<'o>(
    outputs: &[Output<Format>],
    options: &Options,
    trees: &Trees,
    out: &'o mut dyn Write,
) -> anyhow::Result<Outputs<'o>> {
    let files = outputs.iter().filter_map(|output| {
        let writer = output.format.writer(Look::default(), options);
        Some((output.file.clone()?, writer))
    });
    let standard = outputs
        .iter()
        .find(|it| it.is_standard())
        .map(|it| it.format.writer(look(options.color, &stdout()), options));
    let stream = standard.map(|writer| -> (_, Box<dyn Write>) { (writer, Box::new(out)) });
    Outputs::to(files.collect(), trees, stream.into_iter().collect())
}
