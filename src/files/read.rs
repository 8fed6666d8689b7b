use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::Problem;
use super::open::open_regular;
use crate::source::{Position, SourceError};

const MIB: u64 = 1024 * 1024;
/// More than 2,000 Shoots as the API server stores them; reading takes several times as much memory.
pub(crate) const MAX_FILE: u64 = 64 * MIB;

/// What is said of a pipe, a socket or a device: reading it could take for ever.
pub(super) const NO_FILE: &str =
    "a pipe, a socket or a device, not a file; name a file, or pipe it into `-`";

/// What a file holds.
///
/// # Errors
/// When it cannot be opened, is no file, or is too large to be read as a whole.
pub fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    let failed = |error: io::Error| match error.kind() {
        ErrorKind::InvalidInput => Problem::of_file(path, NO_FILE),
        _ => Problem::of_file(path, explain(&error)),
    };
    let (file, length) = open_regular(path).map_err(failed)?;
    if length > MAX_FILE {
        return Err(Problem::of_file(path, too_large()));
    }
    let expected = usize::try_from(length).unwrap_or_default();
    bytes_of(file, expected).map_err(|why| Problem::of_file(path, why))
}

/// Everything that a source yields, such as standard input.
///
/// # Errors
/// When it fails or yields too much, with the reason.
pub fn bytes(source: impl Read) -> Result<Vec<u8>, String> {
    bytes_of(source, 0)
}

fn bytes_of(source: impl Read, expected: usize) -> Result<Vec<u8>, String> {
    // A byte more, so that its end is seen without growing.
    let mut bytes = Vec::with_capacity(expected + 1);
    let read = source.take(MAX_FILE + 1).read_to_end(&mut bytes);
    read.map_err(|error| explain(&error))?;
    match bytes.len() as u64 > MAX_FILE {
        true => Err(too_large()),
        false => Ok(bytes),
    }
}

/// The text of a file.
///
/// # Errors
/// When its bytes are none, with what is legible of them.
pub fn text(path: &Path, bytes: Vec<u8>) -> Result<String, (Problem, String)> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..valid]);
        let position = Position::START.after(&before);
        let message = "not UTF-8 text; save the file as UTF-8".to_owned();
        let legible = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let problem = Problem::at(path, SourceError { position, message });
        (problem, legible)
    })
}

/// What is said of something larger than [`MAX_FILE`].
pub(crate) fn too_large() -> String {
    format!("larger than {} MiB; split it", MAX_FILE / MIB)
}

/// What the system says about a file.
pub(super) fn explain(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "it may not be read by this user".to_owned(),
        _ => format!("it cannot be read: {error}"),
    }
}
