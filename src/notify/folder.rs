// SPDX-License-Identifier: Apache-2.0
//! Messages as Markdown files in a folder.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use ring::digest::{SHA256, digest};
use tokio::task::spawn_blocking;

use super::failure::{Failure, Remedy};
use crate::files::{Destination, Trees, cannot_write, create_directory};
use garden_gate_text::{escape, hexadecimal};

/// Length from which the name of a file is cut, and gets a digest.
const LONGEST: usize = 200;

/// A folder with one file per Project, which has the last message.
#[derive(Debug)]
pub(super) struct FolderChannel {
    pub(super) path: PathBuf,
}

impl FolderChannel {
    /// Writes the file of a Project.
    ///
    /// # Errors
    /// Fails if the file cannot be written, or something else than a file has its name.
    pub(super) async fn write(&self, project: &str, text: String) -> Result<(), Failure> {
        let (folder, path) = (self.path.clone(), self.path.join(file_name(project)));
        // A file system may be slow.
        let written = spawn_blocking(move || write(&folder, &path, &text))
            .await
            .unwrap_or_else(|error| Err(error.to_string()));
        written.map_err(|why| Failure::new(&why, Remedy::GiveUp, &[]))
    }
}

fn write(folder: &Path, path: &Path, text: &str) -> Result<(), String> {
    if fs::symlink_metadata(path).is_ok_and(|it| !it.is_file()) {
        return Err(format!("{}: it is a link, or no file", cannot_write(path)));
    }
    let write = || {
        create_directory(folder)?;
        Destination::open(path, &Trees::default())?.write(&mut Cursor::new(text))
    };
    write().map_err(|error| format!("{}: {error}", cannot_write(path)))
}

/// Returns the name of the file of a Project; characters that no Project has are percent-encoded.
fn file_name(project: &str) -> String {
    let encoded = escape::uri_path(project).replace('/', "%2F");
    let mut name: String = encoded.chars().take(LONGEST).collect();
    if name.len() < encoded.len() {
        let digest = digest(&SHA256, project.as_bytes());
        name += &hexadecimal(&digest.as_ref()[..8]);
    }
    match name.strip_prefix('.') {
        Some(rest) => format!("%2E{rest}.md"),
        None => format!("{name}.md"),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::file_name;

    #[test]
    fn long_names_stay_different() {
        let names = ["z", "w"].map(|it| file_name(&format!("{}{it}", "y".repeat(253))));
        assert!(names[0] != names[1] && names[0].len() < 255, "{names:?}");
    }

    #[rstest]
    #[case("dev", "dev.md")]
    #[case("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd.md")]
    #[case("a\nb\u{202e}", "a%0Ab%E2%80%AE.md")]
    fn a_name_stays_in_the_folder(#[case] project: &str, #[case] want: &str) {
        assert_eq!(file_name(project), want);
    }
}
