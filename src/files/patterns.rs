use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Patterns for paths below a folder, written as in a `.gitignore`.
#[derive(Debug)]
pub struct PathPatterns(Gitignore);

impl PathPatterns {
    /// Reads the patterns.
    ///
    /// # Errors
    /// The first pattern that is not valid, and why.
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<Self, String> {
        let mut builder = GitignoreBuilder::new("");
        for pattern in patterns {
            let added = builder.add_line(None, pattern);
            added.map_err(|error| format!("`{pattern}`: {error}"))?;
        }
        builder.build().map(Self).map_err(|error| error.to_string())
    }

    /// Whether a pattern matches a file, relative to the folder, or a directory above it.
    #[must_use]
    pub fn matches(&self, file: &Path) -> bool {
        file.is_relative() && self.0.matched_path_or_any_parents(file, false).is_ignore()
    }
}
