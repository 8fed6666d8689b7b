//! Messages as Markdown files in a folder.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use super::failure::{Failure, Remedy};
use crate::files::{Destination, Trees, cannot_write, create_directory};

/// A folder with one file per Project, which has the last message.
#[derive(Debug)]
pub(super) struct FolderChannel {
    pub(super) path: PathBuf,
}

impl FolderChannel {
    /// Writes the file of a Project.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub(super) fn write(&self, project: &str, text: &str) -> Result<(), Failure> {
        let path = self.path.join(file_name(project));
        let write = || {
            create_directory(&self.path)?;
            Destination::open(&path, &Trees::default())?.write(&mut Cursor::new(text))
        };
        write().map_err(|error| {
            let why = format!("{}: {error}", cannot_write(Path::new(&path)));
            Failure::new(&why, Remedy::GiveUp, &[])
        })
    }
}

/// Returns the name of the file of a Project; characters that no Project has are percent-encoded.
fn file_name(project: &str) -> String {
    let encoded = garden_gate_text::escape::uri_path(project).replace('/', "%2F");
    let name: String = encoded.chars().take(200).collect();
    match name.strip_prefix('.') {
        Some(rest) => format!("%2E{rest}.md"),
        None => format!("{name}.md"),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::file_name;

    #[rstest]
    #[case("dev", "dev.md")]
    #[case("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd.md")]
    #[case("a\nb\u{202e}", "a%0Ab%E2%80%AE.md")]
    fn a_name_stays_in_the_folder(#[case] project: &str, #[case] want: &str) {
        assert_eq!(file_name(project), want);
    }
}
