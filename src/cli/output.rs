// SPDX-License-Identifier: Apache-2.0
//! Outputs of a command: formats for standard output and files.

use std::collections::HashSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stderr, Stdout, Write};
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, bail};
use clap::builder::{PossibleValue, TypedValueParser, ValueParserFactory};
use clap::{Arg, ColorChoice, Command, ValueEnum};
use tempfile::{SpooledTempFile, spooled_tempfile};

use crate::files::{self, Destination, Trees, cannot_write, has_manifest_name};
use crate::platform::file_identity;
use garden_gate_products::report::Look;
use garden_gate_products::review::subject::{self, Subject};

/// Maximum size of a file's content in memory; larger content is in a temporary file.
const KEPT: usize = 8 << 20;

/// A standard stream whose errors name it.
///
/// If its reader exits, as in `garden-gate review | head -1`, the rest is discarded: the command continues to its exit code.
#[derive(Debug)]
pub struct StandardStream<S> {
    stream: S,
    name: &'static str,
    is_discarded: bool,
}

impl StandardStream<Stdout> {
    /// Returns standard output.
    pub fn output() -> Self {
        Self { stream: io::stdout(), name: "standard output", is_discarded: false }
    }
}

impl StandardStream<Stderr> {
    /// Returns standard error.
    pub fn error() -> Self {
        Self { stream: io::stderr(), name: "standard error", is_discarded: false }
    }
}

impl<S: Write> StandardStream<S> {
    /// Writes to the stream; returns `discarded` if its reader has exited.
    fn attempt<T>(
        &mut self,
        discarded: T,
        write: impl FnOnce(&mut S) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.is_discarded {
            return Ok(discarded);
        }
        match write(&mut self.stream) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_discarded = true;
                Ok(discarded)
            }
            result => result.map_err(|error| cannot_write_to(self.name, &error)),
        }
    }
}

impl<S: Write> Write for StandardStream<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(bytes.len(), |stream| stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt((), S::flush)
    }
}

/// Adds the name of the stream to an error.
pub(super) fn cannot_write_to(name: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write to {name}: {error}"))
}

/// A format with its output: `json`, or `json=FILE`.
#[derive(Clone, Debug)]
pub(super) struct Output<F> {
    pub(super) format: F,
    /// The file; `None` is standard output.
    pub(super) file: Option<PathBuf>,
}

impl<F> Output<F> {
    /// Reports whether the output is standard output.
    pub(super) fn is_standard(&self) -> bool {
        self.file.is_none()
    }
}

impl<F: ValueEnum + Clone + Send + Sync + 'static> ValueParserFactory for Output<F> {
    type Parser = OutputParser<F>;

    fn value_parser() -> Self::Parser {
        OutputParser(PhantomData)
    }
}

/// Parses an [`Output`], and names the formats for completions.
#[derive(Clone)]
pub(super) struct OutputParser<F>(PhantomData<F>);

impl<F: ValueEnum + Clone + Send + Sync + 'static> TypedValueParser for OutputParser<F> {
    type Value = Output<F>;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Output<F>, clap::Error> {
        let parse = |text: &str| text.parse::<Output<F>>();
        parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(F::value_variants().iter().filter_map(ValueEnum::to_possible_value)))
    }
}

impl<F: ValueEnum> FromStr for Output<F> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, file) = match text.split_once('=') {
            Some((_, "")) => return Err(format!("`{text}` has no file; write `{text}FILE`")),
            Some((format, file)) => (format, Some(file.into())),
            None => (text, None),
        };
        let format = F::from_str(format, false).map_err(|_| {
            let names: Vec<String> = F::value_variants()
                .iter()
                .filter_map(ValueEnum::to_possible_value)
                .map(|value| value.get_name().to_owned())
                .collect();
            format!("unsupported format `{format}`; supported are {}", names.join(", "))
        })?;
        Ok(Self { format, file })
    }
}

/// Plausible values of `COLUMNS`.
const WIDTHS: RangeInclusive<usize> = 20..=1000;

/// Returns the number of columns of a stream: that of its terminal, else `COLUMNS`, else 80.
pub(super) fn width(stream: &impl IsTerminal) -> usize {
    let size = terminal_size::terminal_size().filter(|_| stream.is_terminal());
    // Some pseudo-terminals report no columns.
    let columns = size.map(|(width, _)| usize::from(width.0)).filter(|it| *it > 0);
    columns.unwrap_or_else(|| named_width(env::var_os("COLUMNS")))
}

/// Returns the number of columns that `COLUMNS` names, or else the usual one.
fn named_width(columns: Option<OsString>) -> usize {
    columns
        .and_then(|it| it.to_str()?.parse().ok())
        .filter(|it| WIDTHS.contains(it))
        .unwrap_or(Look::default().width)
}

/// Returns the look that fits a stream.
pub(super) fn look(color: ColorChoice, stream: &impl IsTerminal) -> Look {
    Look {
        is_coloured: is_coloured(color, stream.is_terminal(), |name| env::var_os(name)),
        width: width(stream),
        ..Look::default()
    }
}

/// Reports whether text is coloured, by flag, environment variables and terminal, in this order.
fn is_coloured(
    color: ColorChoice,
    is_terminal: bool,
    variable: impl Fn(&str) -> Option<OsString>,
) -> bool {
    let set = |name| variable(name).filter(|it| !it.is_empty());
    let forces = |name| set(name).is_some_and(|it| it != "0");
    match color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if set("NO_COLOR").is_some() => false,
        ColorChoice::Auto if forces("CLICOLOR_FORCE") || forces("FORCE_COLOR") => true,
        ColorChoice::Auto => is_terminal && set("TERM").is_none_or(|it| it != "dumb"),
    }
}

/// A file that is written as a whole at the end.
///
/// If the command fails earlier, the previous content remains.
pub(super) struct WholeFile {
    pub(super) path: PathBuf,
    destination: Destination,
    pub(super) text: BufWriter<SpooledTempFile>,
}

impl WholeFile {
    /// Opens the file.
    ///
    /// # Errors
    /// Fails if the file cannot be written, or leads out of one of the trees.
    pub(super) fn open(path: &Path, trees: &Trees) -> anyhow::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            destination: Destination::open(path, trees).with_context(|| cannot_write(path))?,
            text: BufWriter::new(spooled_tempfile(KEPT)),
        })
    }

    /// Opens a file like [`Self::open`] that only its owner may read afterwards.
    ///
    /// # Errors
    /// Fails like [`Self::open`].
    pub(super) fn open_private(path: &Path, trees: &Trees) -> anyhow::Result<Self> {
        let file = Self::open(path, trees)?;
        Ok(Self { destination: file.destination.private(), ..file })
    }

    /// Formats the error for a failure of the temporary file.
    pub(super) fn cannot_keep(&self) -> String {
        format!(
            "cannot keep the output for `{}` in a temporary file in `{}`; TMPDIR sets another directory",
            self.path.display(),
            env::temp_dir().display()
        )
    }

    /// Copies the content to the file.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub(super) fn copy(&mut self) -> io::Result<()> {
        self.text.flush()?;
        self.destination.write(self.text.get_mut())
    }
}

/// Opens the output files, in the order of the outputs; `None` is standard output.
///
/// The files are written at the end.
///
/// # Errors
/// Fails if a file cannot be written.
pub(super) fn open_whole<F>(
    outputs: &[Output<F>],
    trees: &Trees,
) -> anyhow::Result<Vec<Option<WholeFile>>> {
    let files = outputs.iter().map(|output| {
        let file = output.file.as_ref();
        file.map(|file| WholeFile::open(file, trees)).transpose()
    });
    files.collect()
}

/// Writes the text of every requested format.
///
/// # Errors
/// Fails if a text or an output fails.
pub(super) fn write_whole<F: Copy>(
    files: Vec<Option<WholeFile>>,
    outputs: &[Output<F>],
    color: ColorChoice,
    out: &mut dyn Write,
    text: impl Fn(F, Look) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    for (file, output) in files.into_iter().zip(outputs) {
        match file {
            None => {
                let text = text(output.format, look(color, &io::stdout()))?;
                out.write_all(text.as_bytes())?;
                out.flush()?;
            }
            Some(mut file) => {
                let text = text(output.format, Look::default())?;
                let kept = file.text.write_all(text.as_bytes());
                kept.with_context(|| file.cannot_keep())?;
                match file.copy() {
                    // The file is a pipe of the shell, as in `--format json=>(head)`.
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                    written => written.with_context(|| cannot_write(&file.path))?,
                }
            }
        }
    }
    Ok(())
}

/// Checks the outputs of a command for conflicts, before any work.
///
/// # Errors
/// Fails if there is more than one output for standard output, or for a file.
pub(super) fn check<F>(outputs: &[Output<F>]) -> anyhow::Result<()> {
    if outputs.iter().filter(|it| it.is_standard()).count() > 1 {
        bail!(
            "only one format can go to standard output; write the others to files, as in `--format json=FILE`"
        );
    }
    let files = outputs.iter().filter_map(|it| it.file.as_deref());
    let mut seen = HashSet::new();
    for file in files {
        if identity(file).is_some_and(|it| !seen.insert(it)) {
            bail!("two formats go to `{}`; name a file for each", file.display());
        }
    }
    Ok(())
}

/// The files that a command reads.
#[derive(Default)]
pub(super) struct Inputs {
    pub(super) files: Vec<PathBuf>,
    /// The directories of manifests.
    pub(super) directories: Vec<PathBuf>,
}

impl Inputs {
    /// Checks that no output is one of the inputs.
    ///
    /// # Errors
    /// Fails if an output is an input.
    pub(super) fn check_outputs<'a>(
        &self,
        outputs: impl IntoIterator<Item = &'a Path>,
    ) -> anyhow::Result<()> {
        let files: HashSet<Identity> = self.files.iter().filter_map(|it| identity(it)).collect();
        for output in outputs {
            let is_file = identity(output).is_some_and(|it| files.contains(&it));
            let is_below = |directory: &PathBuf| {
                let (file, directory) = (output.canonicalize(), directory.canonicalize());
                file.is_ok_and(|file| directory.is_ok_and(|directory| file.starts_with(directory)))
            };
            if is_file || self.directories.iter().any(is_below) && holds_objects(output) {
                bail!(
                    "`{}` is an input of this command and is not overwritten; name another file",
                    output.display()
                );
            }
        }
        Ok(())
    }
}

/// Reports whether a file contains objects, unlike a report of an earlier run.
fn holds_objects(file: &Path) -> bool {
    let text = files::read(file).ok().and_then(|bytes| files::text(file, bytes).ok());
    has_manifest_name(file)
        && text.is_none_or(|text| {
            let held = subject::read(&file.display().to_string(), text, false);
            let is_object = |it: &Subject| it.why_no_manifest().is_none();
            held.subjects.iter().any(is_object) || !held.named.is_empty()
        })
}

/// The identity of a file, independent of its name.
#[derive(Eq, Hash, PartialEq)]
enum Identity {
    Existing((u64, u64)),
    New(PathBuf),
}

/// Returns the identity of a file; `None` for a pipe or a device, which several outputs may share.
fn identity(path: &Path) -> Option<Identity> {
    match fs::metadata(path) {
        Ok(metadata) => {
            let identity = file_identity(path, &metadata).ok().map(Identity::Existing);
            identity.filter(|_| metadata.is_file())
        }
        Err(_) => {
            let folder = path
                .parent()
                .filter(|it| !it.as_os_str().is_empty())
                .unwrap_or(Path::new("."))
                .canonicalize()
                .ok()?;
            Some(Identity::New(folder.join(path.file_name()?)))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::ColorChoice;
    use rstest::rstest;

    use super::{is_coloured, named_width};

    #[rstest]
    #[case::terminal(true, &[], true)]
    #[case::pipe(false, &[], false)]
    #[case::dumb_terminal(true, &[("TERM", "dumb")], false)]
    #[case::forced_pipe(false, &[("CLICOLOR_FORCE", "1")], true)]
    #[case::forced_pipe_as_node_does(false, &[("FORCE_COLOR", "3")], true)]
    #[case::forced_dumb_terminal(true, &[("TERM", "dumb"), ("FORCE_COLOR", "1")], true)]
    #[case::zero_forces_nothing(false, &[("CLICOLOR_FORCE", "0"), ("FORCE_COLOR", "0")], false)]
    #[case::empty_forces_nothing(false, &[("FORCE_COLOR", "")], false)]
    #[case::no_color(true, &[("NO_COLOR", "1")], false)]
    #[case::no_color_precedes_force(false, &[("NO_COLOR", "1"), ("FORCE_COLOR", "1")], false)]
    #[case::empty_no_color_is_unset(true, &[("NO_COLOR", "")], true)]
    fn colours_of_environment(
        #[case] is_terminal: bool,
        #[case] set: &[(&str, &str)],
        #[case] expected: bool,
    ) {
        let variable = |name: &str| {
            let value = set.iter().find(|(set, _)| *set == name);
            value.map(|(_, value)| OsString::from(value))
        };
        assert_eq!(is_coloured(ColorChoice::Auto, is_terminal, variable), expected);
        assert!(is_coloured(ColorChoice::Always, is_terminal, variable));
        assert!(!is_coloured(ColorChoice::Never, is_terminal, variable));
    }

    #[rstest]
    #[case(None, 80)]
    #[case(Some("120"), 120)]
    #[case(Some("20"), 20)]
    #[case(Some("19"), 80)]
    #[case(Some("1000"), 1000)]
    #[case(Some("1001"), 80)]
    #[case(Some("wide"), 80)]
    #[case(Some(""), 80)]
    fn widths_of_columns(#[case] columns: Option<&str>, #[case] expected: usize) {
        assert_eq!(named_width(columns.map(OsString::from)), expected);
    }
}
