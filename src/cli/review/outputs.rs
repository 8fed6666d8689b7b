// SPDX-License-Identifier: Apache-2.0
//! Outputs of a review: verdicts in every requested format, to standard output and files.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ColorChoice, ValueEnum};

use super::format::{Format, Output};
use crate::cli::output::{self, StandardStream, WholeFile, look};
use crate::files::{Trees, cannot_write};
use crate::platform::is_file;
use crate::review::progress::Progress;
use garden_gate_core::admission::Applicability;
use garden_gate_products::report::{
    FixedWriter, Look, Reviewed, StatisticsWriter, Summary, Verbosity, Writer,
};
use garden_gate_products::review::subject::ChangeForms;

/// Output of verdicts, and fixes.
#[derive(Args, Debug)]
pub(super) struct OutputArgs {
    /// Fix manifests, and judge the result: `safe` fixes, or with `all` also suggestions.
    ///
    /// Fixes of findings are written into the files, and printed on standard error. With --diff, they are printed as a
    /// diff on standard output, and nothing is written.
    ///
    /// Versions of Shoots that are newer in the garden are written into the files, too, unless --old or --git is set.
    /// Standard input with Shoots is printed on standard output with these versions.
    ///
    /// Webhook configurations of a Shoot cluster are not changed in their files. They are printed on standard output as
    /// Gardener's remediation would change them, for `kubectl apply -f -`.
    ///
    /// Verdicts are printed on standard error. With `--format json`, they are on standard output, with the fixes in
    /// `edits` and `fix` of the object's review.
    #[arg(long, value_name = "FIXES", num_args = 0..=1, require_equals = true, default_missing_value = "safe", help_heading = "Fixes")]
    fix: Option<Fixes>,

    /// Output format: text, concise, json, sarif, junit, github, markdown or status; with `=FILE` to a file.
    ///
    /// May be given several times; at most one format goes to standard output.
    #[arg(
        long = "format",
        value_name = "FORMAT[=FILE]",
        default_value = "text",
        hide_possible_values = true
    )]
    formats: Vec<Output>,

    /// Text output: print a line for each finding id, with the number of objects.
    #[arg(long)]
    statistics: bool,

    /// Text output: print only findings, without a summary.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,

    /// Text output: print every object with all of its findings, notes and parts that are not judged.
    #[arg(short, long)]
    verbose: bool,

    /// Text output: also print a diff between each object and the object that would be stored; with --fix, print the
    /// fixes as a diff instead of writing them.
    #[arg(long)]
    diff: bool,

    /// Use of colours in text output; `auto` enables them on a terminal. NO_COLOR, CLICOLOR_FORCE and TERM=dumb change that.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

/// The fixes that `--fix` makes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Fixes {
    /// Fixes that may be made without a review of them.
    Safe,
    /// Suggestions, too.
    All,
}

impl OutputArgs {
    /// Reports whether manifests are fixed.
    pub(super) fn fixes(&self) -> bool {
        self.fix.is_some()
    }

    /// Reports whether fixes are written into files.
    pub(super) fn writes_fixes(&self) -> bool {
        self.fixes() && !self.diff
    }

    /// Returns the least certain fixes that are made.
    pub(super) fn fix_level(&self) -> Option<Applicability> {
        self.fix.map(|fixes| match fixes {
            Fixes::Safe => Applicability::Safe,
            Fixes::All => Applicability::Suggestion,
        })
    }

    /// Checks the outputs.
    ///
    /// # Errors
    /// Fails if there is more than one format for standard output or for a file.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        output::check(&self.formats)
    }

    /// Reports whether the only output is text on standard output.
    pub(super) fn is_plain_text(&self) -> bool {
        let mut outputs = self.formats.iter();
        outputs.all(|it| it.format == Format::Text && it.file.is_none())
    }

    /// Returns the output files.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.formats.iter().filter_map(|it| it.file.as_deref())
    }

    /// Opens all outputs.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub(super) fn open<'o>(
        &self,
        trees: &Trees,
        out: &'o mut dyn Write,
    ) -> anyhow::Result<Outputs<'o>> {
        let files = self.formats.iter().filter_map(|output| {
            let look = Look { verbosity: self.verbosity(), ..Look::default() };
            Some((output.file.clone()?, self.writer(output.format, look)))
        });
        let streams: Vec<(Box<dyn Writer>, Box<dyn Write>)> = match self.standard() {
            Some(Format::Text) if self.fixes() => {
                let text: (Box<dyn Writer>, Box<dyn Write>) = (
                    self.writer(Format::Text, self.look(&stderr())),
                    Box::new(StandardStream::error()),
                );
                vec![text, (Box::new(FixedWriter), Box::new(out))]
            }
            Some(format) => vec![(self.writer(format, self.look(&stdout())), Box::new(out))],
            None => Vec::new(),
        };
        Outputs::to(files.collect(), trees, streams)
    }

    /// Returns a progress bar, unless the terminal shows verdicts instead.
    pub(super) fn progress(&self, count: usize) -> Option<Progress> {
        let comes_along = self.standard().is_some_and(Format::comes_along);
        let is_seen = comes_along && (self.fixes() || !is_file(&stdout()));
        (!is_seen).then(|| Progress::until("judging", count))
    }

    /// Returns the forms in which changes before storing are shown in any output.
    pub(super) fn shows(&self) -> ChangeForms {
        let is_written = |format| self.formats.iter().any(|it| it.format == format);
        ChangeForms {
            changes: self.diff && !self.fixes() && is_written(Format::Text),
            patch: is_written(Format::Json),
            fixes: is_written(Format::Sarif) || is_written(Format::Markdown),
        }
    }

    /// Returns the writer of a format.
    fn writer(&self, format: Format, look: Look) -> Box<dyn Writer> {
        match format {
            Format::Text if self.statistics => Box::new(StatisticsWriter::new(look.verbosity)),
            format => format.writer(look),
        }
    }

    fn look(&self, stream: &impl IsTerminal) -> Look {
        Look { verbosity: self.verbosity(), ..look(self.color, stream) }
    }

    fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, true) => Verbosity::Verbose,
            (false, false) => Verbosity::Normal,
        }
    }

    /// Reports whether standard output is for fixed objects.
    pub(super) fn prints_fixed(&self) -> bool {
        self.fixes() && matches!(self.standard(), Some(Format::Text) | None)
    }

    /// Returns the format for standard output.
    fn standard(&self) -> Option<Format> {
        let mut outputs = self.formats.iter();
        outputs.find(|it| it.is_standard()).map(|it| it.format)
    }
}

/// The outputs of a running review.
pub(crate) struct Outputs<'o> {
    sinks: Vec<Sink<'o>>,
}

impl<'o> Outputs<'o> {
    /// Returns outputs to files and to streams.
    ///
    /// # Errors
    /// Fails if a file cannot be written, or leads out of one of the trees.
    pub(crate) fn to(
        files: Vec<(PathBuf, Box<dyn Writer>)>,
        trees: &Trees,
        streams: Vec<(Box<dyn Writer>, Box<dyn Write + 'o>)>,
    ) -> anyhow::Result<Self> {
        let mut sinks = Vec::new();
        for (file, writer) in files {
            sinks.push(Sink::new(writer, Target::File(WholeFile::open(&file, trees)?)));
        }
        sinks.extend(
            streams
                .into_iter()
                .map(|(writer, out)| Sink::new(writer, Target::Stream(BufWriter::new(out)))),
        );
        for sink in &mut sinks {
            sink.write(|writer, out| writer.begin(out))?;
        }
        Ok(Self { sinks })
    }
}

impl Outputs<'_> {
    /// Writes the next objects.
    ///
    /// # Errors
    /// Fails if an output fails.
    pub(crate) fn write<'a>(
        &mut self,
        objects: impl Iterator<Item = &'a Reviewed>,
    ) -> anyhow::Result<()> {
        let objects: Vec<&Reviewed> = objects.collect();
        for sink in &mut self.sinks {
            sink.write(|writer, out| writer.objects(out, &objects))?;
            sink.write(|_, out| out.flush())?;
        }
        Ok(())
    }

    /// Writes the summary, and the files.
    ///
    /// # Errors
    /// Fails if an output fails.
    pub(crate) fn end(mut self, summary: &Summary) -> anyhow::Result<()> {
        for sink in &mut self.sinks {
            sink.write(|writer, out| writer.end(out, summary))?;
            sink.write(|_, out| out.flush())?;
        }
        // Files keep their content if another output fails.
        self.sinks.iter_mut().try_for_each(Sink::end)
    }
}

/// A format with its output.
struct Sink<'o> {
    writer: Box<dyn Writer>,
    target: Target<'o>,
}

enum Target<'o> {
    Stream(BufWriter<Box<dyn Write + 'o>>),
    File(WholeFile),
}

impl<'o> Sink<'o> {
    fn new(writer: Box<dyn Writer>, target: Target<'o>) -> Self {
        Self { writer, target }
    }

    fn write(
        &mut self,
        write: impl FnOnce(&mut dyn Writer, &mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        match &mut self.target {
            Target::File(file) => {
                let written = write(&mut *self.writer, &mut file.text);
                written.with_context(|| file.cannot_keep())
            }
            Target::Stream(stream) => Ok(write(&mut *self.writer, stream)?),
        }
    }

    fn end(&mut self) -> anyhow::Result<()> {
        let Target::File(file) = &mut self.target else {
            return Ok(());
        };
        match file.copy() {
            // The file is a pipe of the shell, as in `--format json=>(head)`.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
            written => written.with_context(|| cannot_write(&file.path))?,
        }
        Ok(())
    }
}
