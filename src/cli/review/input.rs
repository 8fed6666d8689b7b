//! Where manifests come from: files, directories, standard input.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::files::{self, Found, Ignoring, Problem};

/// A text that may hold manifests.
#[derive(Debug)]
pub(super) struct Input {
    /// The file, as the user would name it.
    pub(super) name: String,
    /// What it holds, or why that is not known.
    pub(super) text: Result<String, Unread>,
    /// Whether the user named the file itself; else it was found in a directory, where not every file is for us.
    pub(super) is_named: bool,
}

/// Why it is not known what a file holds.
#[derive(Debug)]
pub(super) enum Unread {
    /// It is no text.
    NoText(String),
    /// Nobody could look into it.
    Closed(String),
}

impl Unread {
    pub(super) fn why(self) -> String {
        match self {
            Unread::NoText(why) | Unread::Closed(why) => why,
        }
    }
}

/// Every file that `paths` stand for: files themselves, standard input for `-`, and what is below directories, in the order of the
/// names. Each is read only when it is its turn.
pub(super) fn read(paths: &[PathBuf]) -> impl Iterator<Item = Input> {
    paths
        .iter()
        .flat_map(|path| -> Box<dyn Iterator<Item = Input>> {
            if path == Path::new("-") {
                return Box::new([named(path, piped(io::stdin().lock()))].into_iter());
            }
            if is_handed_over(path) && !path.is_file() {
                let file = File::open(path).map_err(|error| Unread::Closed(error.to_string()));
                return Box::new([named(path, file.and_then(piped))].into_iter());
            }
            match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => {
                    Box::new(files::below(path, Ignoring::Above).map(found))
                }
                _ => Box::new([named(path, open(path))].into_iter()),
            }
        })
}

/// What a shell opened already, as for `<(kustomize build)`, is as standard input; any other pipe might keep us waiting for ever.
fn is_handed_over(path: &Path) -> bool {
    ["/dev/fd", "/proc/self/fd", "/dev/stdin"]
        .iter()
        .any(|descriptors| path.starts_with(descriptors))
}

fn named(path: &Path, text: Result<String, Unread>) -> Input {
    Input {
        name: path.display().to_string(),
        text,
        is_named: true,
    }
}

fn found(found: Found) -> Input {
    let (path, text) = match found {
        Found::File(path) => {
            let text = open(&path);
            (path, text)
        }
        Found::Loop(Problem { file, message, .. })
        | Found::Closed(Problem { file, message, .. }) => (file, Err(Unread::Closed(message))),
    };
    Input {
        is_named: false,
        ..named(path.strip_prefix("./").unwrap_or(&path), text)
    }
}

fn open(path: &Path) -> Result<String, Unread> {
    let bytes = files::read(path).map_err(|problem| Unread::Closed(problem.message))?;
    text(path, bytes)
}

fn piped(source: impl io::Read) -> Result<String, Unread> {
    text(
        Path::new("-"),
        files::bytes(source).map_err(Unread::Closed)?,
    )
}

fn text(path: &Path, bytes: Vec<u8>) -> Result<String, Unread> {
    let text = files::text(path, bytes);
    text.map_err(|(problem, _)| Unread::NoText(problem.message))
}
