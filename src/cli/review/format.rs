use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;

use crate::report::{
    GithubWriter, JsonWriter, JunitWriter, Look, MarkdownWriter, SarifWriter, StatusWriter,
    TextWriter, Writer,
};

/// How verdicts are printed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(super) enum Format {
    /// For people, as a compiler reports.
    Text,
    /// For programs: `{"reviews": [...]}`.
    Json,
    /// SARIF 2.1.0, which code hosts show beside the code.
    Sarif,
    /// JUnit XML, which CI systems show as tests.
    Junit,
    /// Workflow commands of GitHub Actions.
    Github,
    /// A comment for a pull request.
    Markdown,
    /// Kubernetes' `Status`, one for each object.
    Status,
}

/// A format, and where what is written in it goes: `sarif`, or `sarif=out.sarif`.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) format: Format,
    /// Standard output if not set.
    pub(super) file: Option<PathBuf>,
}

impl Output {
    /// Whether it goes to standard output.
    pub(super) fn is_standard(&self) -> bool {
        self.file.is_none()
    }
}

impl Format {
    /// What writes in it.
    pub(super) fn writer(self, look: Look) -> Box<dyn Writer> {
        match self {
            Format::Text => Box::new(TextWriter::new(look)),
            Format::Json => Box::new(JsonWriter::default()),
            Format::Sarif => Box::new(SarifWriter::default()),
            Format::Junit => Box::new(JunitWriter::default()),
            Format::Github => Box::new(GithubWriter),
            Format::Markdown => Box::new(MarkdownWriter::default()),
            Format::Status => Box::new(StatusWriter::default()),
        }
    }

    /// Whether verdicts are written while others are judged.
    pub(super) fn comes_along(self) -> bool {
        !matches!(self, Format::Sarif | Format::Junit | Format::Markdown)
    }
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, file) = match text.split_once('=') {
            Some((_, "")) => return Err(format!("`{text}` names no file; write `{text}FILE`")),
            Some((format, file)) => (format, Some(file.into())),
            None => (text, None),
        };
        let format = Format::from_str(format, false).map_err(|_| {
            let names: Vec<String> = Format::value_variants()
                .iter()
                .filter_map(ValueEnum::to_possible_value)
                .map(|value| value.get_name().to_owned())
                .collect();
            format!(
                "there is no format `{format}`; there are {}",
                names.join(", ")
            )
        })?;
        Ok(Self { format, file })
    }
}
