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
    fn writer(self, look: Look, each: bool, at: Timestamp) -> Box<dyn Writer> {
        let format = match self {
            Format::Text => return Box::new(AuditTextWriter::new(look, each)),
            Format::Html => return Box::new(AuditHtmlWriter::default()),
            Format::Openreports => return Box::new(OpenReportsWriter::new(at)),
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

/// Opens all outputs.
///
/// # Errors
/// Fails if a file cannot be written.
pub(super) fn open<'o>(
    outputs: &[Output<Format>],
    (each, color, at): (bool, ColorChoice, Timestamp),
    trees: &Trees,
    out: &'o mut dyn Write,
) -> anyhow::Result<Outputs<'o>> {
    let files = outputs.iter().filter_map(|output| {
        let writer = output.format.writer(Look::default(), each, at);
        Some((output.file.clone()?, writer))
    });
    let standard = outputs
        .iter()
        .find(|it| it.is_standard())
        .map(|it| it.format.writer(look(color, &stdout()), each, at));
    let stream = standard.map(|writer| -> (_, Box<dyn Write>) { (writer, Box::new(out)) });
    Outputs::to(files.collect(), trees, stream.into_iter().collect())
}
