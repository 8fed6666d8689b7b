use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context;
use clap::ValueEnum;

use crate::report::{
    Look, Report, write_github, write_json, write_junit, write_markdown, write_sarif, write_status,
    write_text,
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
    file: Option<PathBuf>,
}

impl Output {
    /// Whether it goes to standard output.
    pub(super) fn is_standard(&self) -> bool {
        self.file.is_none()
    }

    /// Writes all verdicts.
    pub(super) fn write(
        &self,
        out: &mut dyn Write,
        report: &Report,
        look: Look,
    ) -> anyhow::Result<()> {
        let Some(file) = &self.file else {
            return Ok(self.format.write(out, report, look)?);
        };
        let written = File::create(file).and_then(|file| {
            let mut file = BufWriter::new(file);
            self.format.write(&mut file, report, Look::default())?;
            file.flush()
        });
        written.with_context(|| format!("cannot write `{}`", file.display()))
    }
}

impl Format {
    fn write(self, out: &mut dyn Write, report: &Report, look: Look) -> io::Result<()> {
        match self {
            Format::Text => write_text(out, report, look),
            Format::Json => write_json(out, report),
            Format::Sarif => write_sarif(out, report),
            Format::Junit => write_junit(out, report),
            Format::Github => write_github(out, report),
            Format::Markdown => write_markdown(out, report),
            Format::Status => write_status(out, report),
        }
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
