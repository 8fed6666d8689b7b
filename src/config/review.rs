use std::path::{Path, PathBuf};

use super::Level;
use super::reader::{At, Reader};

/// What `garden-gate review` does where its command line says nothing. Nothing else looks at it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ReviewDefaults {
    /// The directory that stands for the garden.
    pub garden: Option<PathBuf>,
    /// The baseline.
    pub baseline: Option<PathBuf>,
    /// The lowest level of findings that fails a review: `Deny` or `Warn`.
    pub fail_on: Option<Level>,
}

/// Reads them; paths are relative to the folder of `file`.
pub(super) fn read(reader: &mut Reader<'_>, at: &At<'_>, file: &Path) -> ReviewDefaults {
    if !reader.mapping(at, &["garden", "baseline", "failOn"]) {
        return ReviewDefaults::default();
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut path = |name| {
        let at = at.field(name)?;
        match reader.text(&at)? {
            "" => {
                let message = format!("{} is empty", at.name());
                reader.error(&at, message, "write a path, or remove the field");
                None
            }
            path => Some(folder.join(path)),
        }
    };
    let (garden, baseline) = (path("garden"), path("baseline"));
    let fail_on = at.field("failOn").and_then(|at| {
        let is_known = reader.one_of(&at, &["deny", "warn"]);
        let level = at.value.as_str().filter(|_| is_known)?;
        level.parse().ok()
    });
    ReviewDefaults {
        garden,
        baseline,
        fail_on,
    }
}
