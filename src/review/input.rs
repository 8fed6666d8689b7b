// SPDX-License-Identifier: Apache-2.0
//! Input of a review: files, directories, standard input.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::files::{self, Found, Ignoring, KUSTOMIZATION, Problem, Trees};
use crate::review::notes::note;
use crate::review::repository::shown;

/// Maximum size of all inputs, more than the manifests of 100,000 Shoots, since all are kept in memory.
const MOST_BYTES: u64 = 4 << 30;

/// A text that may contain manifests.
#[derive(Debug)]
pub(crate) struct Input {
    /// The file, as the user would name it.
    pub(crate) name: String,
    /// The content, or the reason why it is unknown.
    pub(crate) text: Result<String, Unread>,
    /// Whether the user named the file; otherwise it was found in a directory.
    pub(crate) is_named: bool,
    /// Whether the file concerns the review only if it contains manifests: it is hidden, or a `Kustomization`.
    pub(crate) is_quiet: bool,
}

/// The reason why the content of a file is unknown.
#[derive(Debug)]
pub(crate) enum Unread {
    /// The file is no text; also its legible parts.
    NoText(String, String),
    /// The file is outside of the directory under review.
    Outside(String),
    /// The file could not be read.
    Closed(String),
}

impl Unread {
    pub(crate) fn why(self) -> String {
        match self {
            Unread::NoText(why, _) | Unread::Outside(why) | Unread::Closed(why) => why,
        }
    }
}

/// Returns the files of `paths`, in the order of names.
///
/// A path is a file, a directory, or `-` for standard input. Directories in `except` are left out. Each file is read
/// when the iterator reaches it, up to a total size limit.
pub(crate) fn read(paths: &[PathBuf], except: &[PathBuf]) -> impl Iterator<Item = Input> {
    within(read_all(paths, except), MOST_BYTES)
}

/// Returns those `directories` that are inside of `path`, relative to it.
pub(crate) fn inside(path: &Path, directories: &[PathBuf]) -> Vec<PathBuf> {
    let Ok(root) = path.canonicalize() else {
        return Vec::new();
    };
    let directories = directories.iter().filter_map(|it| it.canonicalize().ok());
    let inside = directories.filter_map(|it| it.strip_prefix(&root).ok().map(Path::to_owned));
    inside.filter(|it| !it.as_os_str().is_empty()).collect()
}

/// Returns the inputs up to a number of bytes, and an error in place of the others.
fn within(inputs: impl Iterator<Item = Input>, most: u64) -> impl Iterator<Item = Input> {
    inputs.scan(0, move |bytes: &mut u64, mut input| {
        if *bytes > most {
            return None;
        }
        *bytes += input.text.as_ref().map_or(0, |text| text.len() as u64);
        if *bytes > most {
            let why = format!(
                "with this file, more than {} MiB are reviewed at once; name fewer files",
                most >> 20
            );
            input.text = Err(Unread::Closed(why));
        }
        Some(input)
    })
}

/// Returns files that were found, some with the reason why they cannot be read, up to the total size limit.
pub(crate) fn read_files(files: Vec<(PathBuf, Option<String>)>) -> impl Iterator<Item = Input> {
    let files = files.into_iter().map(|(path, why)| {
        let text = why.map_or_else(|| open(&path), |why| Err(Unread::Closed(why)));
        Input { is_named: false, ..named(path.strip_prefix("./").unwrap_or(&path), text) }
    });
    within(files, MOST_BYTES)
}

/// Returns a file that is not found by its name, such as a resource of a kustomization.
pub(crate) fn listed(path: &Path) -> Input {
    Input { is_named: false, ..named(Path::new(&shown(path)), open(path)) }
}

fn read_all(paths: &[PathBuf], except: &[PathBuf]) -> impl Iterator<Item = Input> {
    let trees = Trees::new(paths);
    paths
        .iter()
        .flat_map(move |path| -> Box<dyn Iterator<Item = Input>> {
            if path == Path::new("-") {
                return Box::new([named(path, piped(io::stdin().lock()))].into_iter());
            }
            if files::is_passed_descriptor(path) && !path.is_file() {
                let file = File::open(path).map_err(|error| Unread::Closed(error.to_string()));
                return Box::new([named(path, file.and_then(piped))].into_iter());
            }
            if let Err(link) = trees.resolve(path) {
                let unread = Unread::Closed(link.to_string());
                return Box::new([named(path, Err(unread))].into_iter());
            }
            match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => {
                    let except = inside(path, except).into_iter().map(|it| path.join(it));
                    let except: Vec<PathBuf> = except.collect();
                    let files = files::below(path, Ignoring::Above);
                    let mut noted = HashSet::new();
                    let files = files.filter(move |found| {
                        let place = found.path();
                        let except = except.iter().find(|it| place.starts_with(it));
                        if let Some(except) = except
                            && noted.insert(except.clone())
                        {
                            let except = except.strip_prefix(".").unwrap_or(except);
                            note(format_args!(
                                "note: `{}` is a garden directory, and is not reviewed; name it as a path to review it",
                                except.display()
                            ));
                        }
                        except.is_none()
                    });
                    Box::new(files.map(|it| self::found(it, path)))
                }
                _ => Box::new([named(path, open(path))].into_iter()),
            }
        })
}

fn named(path: &Path, text: Result<String, Unread>) -> Input {
    Input { name: path.display().to_string(), text, is_named: true, is_quiet: false }
}

fn found(found: Found, root: &Path) -> Input {
    let (path, text) = match found {
        Found::File(path) => {
            let text = open(&path);
            (path, text)
        }
        Found::Outside(Problem { file, message, .. }) => (file, Err(Unread::Outside(message))),
        Found::Loop(Problem { file, message, .. })
        | Found::Closed(Problem { file, message, .. }) => (file, Err(Unread::Closed(message))),
    };
    let is_hidden = is_hidden(path.strip_prefix(root).unwrap_or(&path));
    Input {
        is_named: false,
        is_quiet: is_hidden || path.ends_with(KUSTOMIZATION),
        ..named(path.strip_prefix("./").unwrap_or(&path), text)
    }
}

/// Reports whether a path has a hidden component.
pub(crate) fn is_hidden(path: &Path) -> bool {
    let mut names = path.iter();
    names.any(|name| name.as_encoded_bytes().starts_with(b".") && name != "." && name != "..")
}

fn open(path: &Path) -> Result<String, Unread> {
    let bytes = files::read(path).map_err(|problem| Unread::Closed(problem.message))?;
    text(path, bytes)
}

fn piped(source: impl io::Read) -> Result<String, Unread> {
    text(Path::new("-"), files::bytes(source).map_err(Unread::Closed)?)
}

/// Decodes a file.
pub(crate) fn text(path: &Path, bytes: Vec<u8>) -> Result<String, Unread> {
    let text = files::text(path, bytes);
    text.map_err(|(problem, legible)| Unread::NoText(problem.message, legible))
}

#[cfg(test)]
mod tests {
    use super::{Input, Unread, within};

    #[test]
    fn inputs_beyond_the_limit_are_an_error_and_the_end() {
        let input = |name: &str| Input {
            name: name.to_owned(),
            text: Ok("text".to_owned()),
            is_named: false,
            is_quiet: false,
        };
        let inputs: Vec<Input> = within(["a", "b", "c", "d"].map(input).into_iter(), 8).collect();
        let names: Vec<&str> = inputs.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert!(inputs[..2].iter().all(|it| it.text.is_ok()));
        assert!(
            matches!(&inputs[2].text, Err(Unread::Closed(why)) if why.contains("more than 0 MiB"))
        );
    }
}
