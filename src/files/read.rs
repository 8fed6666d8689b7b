// SPDX-License-Identifier: Apache-2.0
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::Problem;
use super::confinement;
use super::open::open_regular;
use super::trees::Trees;
use garden_gate_text::yaml::{Position, SourceError};

const MIB: u64 = 1024 * 1024;
/// Maximum file size: more than 2,000 stored Shoots.
/// Reading takes several times as much memory.
pub(crate) const MAX_FILE: u64 = 64 * MIB;

/// The messages about what is not a file: a pipe, a socket or a device could block forever.
pub(super) const NO_FILE: &str =
    "a pipe, a socket or a device, not a file; name a file, or pipe it into `-`";
const DIRECTORY: &str = "a directory, not a file; name a file";

/// Returns the content of a file.
///
/// # Errors
/// Fails if it cannot be opened, is not a regular file, is too large, or is a symbolic link out of its tree.
pub fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    let failed = |error: io::Error| match error.kind() {
        ErrorKind::InvalidInput if path.is_dir() => Problem::of_file(path, DIRECTORY),
        ErrorKind::InvalidInput => Problem::of_file(path, NO_FILE),
        _ => Problem::of_file(path, explain(&error)),
    };
    let (file, length) = open_regular(path).map_err(failed)?;
    confinement::check(path, &file).map_err(|error| Problem::of_file(path, error.to_string()))?;
    if path.is_symlink() {
        let resolved = Trees::default().resolve(path);
        resolved.map_err(|error| Problem::of_file(path, error.to_string()))?;
    }
    if length > MAX_FILE {
        return Err(Problem::of_file(path, too_large()));
    }
    let expected = usize::try_from(length).unwrap_or_default();
    bytes_of(file, expected).map_err(|why| Problem::of_file(path, why))
}

/// Reads all bytes of a source such as standard input.
///
/// # Errors
/// Fails with the reason if reading fails or the source exceeds the limit.
pub fn bytes(source: impl Read) -> Result<Vec<u8>, String> {
    bytes_of(source, 0)
}

fn bytes_of(source: impl Read, expected: usize) -> Result<Vec<u8>, String> {
    // One byte more, so that reading to the end does not reallocate.
    let mut bytes = Vec::with_capacity(expected + 1);
    let read = source.take(MAX_FILE + 1).read_to_end(&mut bytes);
    read.map_err(|error| explain(&error))?;
    if bytes.len() as u64 > MAX_FILE { Err(too_large()) } else { Ok(bytes) }
}

/// Decodes the content of a file as UTF-8, or as UTF-16 or UTF-32 with a byte order mark.
///
/// # Errors
/// Fails if it is not UTF-8; also returns the lossily decoded text.
pub fn text(path: &Path, bytes: Vec<u8>) -> Result<String, (Problem, String)> {
    if let Some(text) = wide_text(&bytes) {
        return Ok(text);
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..valid]);
        let position = Position::START.after(&before);
        let message = "not UTF-8 text; save the file as UTF-8".to_owned();
        let legible = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let problem = Problem::at(path, SourceError::new(position, message));
        (problem, legible)
    })
}

/// Decodes UTF-16 and UTF-32 with a byte order mark, as `kubectl` and YAML parsers do; `None` for other encodings.
fn wide_text(bytes: &[u8]) -> Option<String> {
    let wide = |bytes: &[u8], width, unit: fn(&[u8]) -> u32| -> Vec<u32> {
        bytes.chunks(width).map(unit).collect()
    };
    let little = |unit: &[u8]| unit.iter().rev().fold(0, |sum, it| sum << 8 | u32::from(*it));
    let big = |unit: &[u8]| unit.iter().fold(0, |sum, it| sum << 8 | u32::from(*it));
    let units = match bytes {
        [0xff, 0xfe, 0, 0, rest @ ..] => wide(rest, 4, little),
        [0, 0, 0xfe, 0xff, rest @ ..] => wide(rest, 4, big),
        [0xff, 0xfe, rest @ ..] => return Some(utf_16(wide(rest, 2, little))),
        [0xfe, 0xff, rest @ ..] => return Some(utf_16(wide(rest, 2, big))),
        _ => return None,
    };
    let characters =
        units.into_iter().map(|it| char::from_u32(it).unwrap_or(char::REPLACEMENT_CHARACTER));
    Some(characters.collect())
}

fn utf_16(units: Vec<u32>) -> String {
    let characters =
        char::decode_utf16(units.into_iter().map(|it| u16::try_from(it).unwrap_or_default()));
    characters.map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Returns the message about content larger than [`MAX_FILE`].
pub(crate) fn too_large() -> String {
    format!("larger than {} MiB; split it", MAX_FILE / MIB)
}

/// Returns the message for an error of the operating system.
pub(crate) fn explain(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "it may not be read by this user".to_owned(),
        _ => format!("it cannot be read: {error}"),
    }
}
