// SPDX-License-Identifier: Apache-2.0
use clap::ValueEnum;

use garden_gate_products::report::{
    ConciseWriter, GithubWriter, JsonWriter, JunitWriter, Look, MarkdownWriter, SarifWriter,
    StatusWriter, TextWriter, Writer,
};

/// The format of verdicts.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Format {
    /// Text in the style of a compiler.
    Text,
    /// A line for each finding, for editors and `grep`.
    Concise,
    /// JSON: `{"reviews": [...]}`.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML, for test reports of CI systems.
    Junit,
    /// Workflow commands of GitHub Actions.
    Github,
    /// Markdown, for a comment on a pull request.
    Markdown,
    /// A `Status` of Kubernetes for each object.
    Status,
}

/// A format with its output: `sarif`, or `sarif=out.sarif`.
pub(super) type Output = crate::cli::output::Output<Format>;

impl Format {
    /// Returns the writer of the format.
    pub(crate) fn writer(self, look: Look) -> Box<dyn Writer> {
        match self {
            Format::Text => Box::new(TextWriter::new(look)),
            Format::Concise => Box::new(ConciseWriter::new(look.verbosity)),
            Format::Json => Box::new(JsonWriter::default()),
            Format::Sarif => Box::new(SarifWriter::default()),
            Format::Junit => Box::new(JunitWriter::default()),
            Format::Github => Box::new(GithubWriter::default()),
            Format::Markdown => Box::new(MarkdownWriter::default()),
            Format::Status => Box::new(StatusWriter::default()),
        }
    }

    /// Reports whether verdicts are written while others are still judged.
    pub(crate) fn comes_along(self) -> bool {
        !matches!(
            self,
            Format::Text | Format::Github | Format::Sarif | Format::Junit | Format::Markdown
        )
    }
}
