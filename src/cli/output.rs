//! Where a command writes to: in several formats, to standard output and to files.

use std::env;
use std::fmt;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, BufWriter, IsTerminal, Seek};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context as _;
use clap::{ColorChoice, ValueEnum};
use tempfile::{Builder, NamedTempFile, SpooledTempFile, spooled_tempfile};

use crate::report::{Lines, Look};

/// So many bytes for a file are kept in memory; more of them in a temporary file.
const KEPT: usize = 8 << 20;

/// A format, and where what is written in it goes: `json`, or `json=FILE`.
#[derive(Clone, Debug)]
pub(super) struct Output<F> {
    pub(super) format: F,
    /// Standard output if not set.
    pub(super) file: Option<PathBuf>,
}

impl<F> Output<F> {
    /// Whether it goes to standard output.
    pub(super) fn is_standard(&self) -> bool {
        self.file.is_none()
    }
}

impl<F: ValueEnum> FromStr for Output<F> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, file) = match text.split_once('=') {
            Some((_, "")) => return Err(format!("`{text}` names no file; write `{text}FILE`")),
            Some((format, file)) => (format, Some(file.into())),
            None => (text, None),
        };
        let format = F::from_str(format, false).map_err(|_| {
            let names: Vec<String> = F::value_variants()
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

/// As fits what text is written to.
pub(super) fn look(color: ColorChoice, stream: &impl IsTerminal) -> Look {
    let is_terminal = stream.is_terminal();
    let wants_none = env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
    let size = terminal_size::terminal_size().filter(|_| is_terminal);
    Look {
        is_coloured: match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => is_terminal && !wants_none,
        },
        width: size.map_or(Look::default().width, |(width, _)| width.0.into()),
    }
}

/// A file that gets its text at the end, all at once: if the review does not come that far, what was there before is left alone.
pub(super) struct WholeFile {
    pub(super) path: PathBuf,
    file: fs::File,
    pub(super) text: BufWriter<SpooledTempFile>,
}

impl WholeFile {
    /// # Errors
    /// When it cannot be written.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false);
        Ok(Self {
            path: path.to_owned(),
            file: options.open(path).with_context(|| cannot_write(path))?,
            text: BufWriter::new(spooled_tempfile(KEPT)),
        })
    }

    /// Why what is to go there is lost.
    pub(super) fn cannot_keep(&self) -> String {
        format!(
            "cannot keep what goes to `{}` in a temporary file in `{}`, for which TMPDIR may name another folder",
            self.path.display(),
            env::temp_dir().display()
        )
    }

    /// # Errors
    /// When it cannot be written after all.
    pub(super) fn copy(&mut self) -> io::Result<()> {
        self.text.rewind()?;
        // What is no file, such as a pipe, has no length.
        if self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        io::copy(self.text.get_mut(), &mut self.file)?;
        Ok(())
    }
}

/// A new file that can take the place of another one, in its folder. The process may allow less than `permissions`.
///
/// # Errors
/// When there can be none.
pub(super) fn beside(file: &Path, permissions: Permissions) -> io::Result<NamedTempFile> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    Builder::new()
        .prefix(".garden-gate-")
        .permissions(permissions)
        .tempfile_in(folder)
        // Without the name of a file that nobody knows of.
        .map_err(|error| error.kind().into())
}

/// Writes a line to standard error.
///
/// # Errors
/// When that is not possible.
pub(super) fn warn(line: fmt::Arguments<'_>) -> io::Result<()> {
    Lines::plain(&mut io::stderr()).line(line)
}

/// That a file cannot be written.
pub(super) fn cannot_write(file: &Path) -> String {
    format!("cannot write `{}`", file.display())
}
