// SPDX-License-Identifier: Apache-2.0
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Path patterns relative to a folder, in the syntax of `.gitignore`.
#[derive(Debug)]
pub struct PathPatterns(Gitignore);

impl PathPatterns {
    /// Parses the patterns.
    ///
    /// # Errors
    /// Fails with the first invalid pattern and the reason.
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<Self, String> {
        let mut builder = GitignoreBuilder::new("");
        for pattern in patterns {
            let added = builder.add_line(None, pattern);
            added.map_err(|error| format!("`{pattern}`: {error}"))?;
        }
        builder.build().map(Self).map_err(|error| error.to_string())
    }

    /// Reports whether a pattern matches a relative path or one of its parent directories.
    pub fn matches(&self, file: &Path) -> bool {
        file.is_relative() && self.0.matched_path_or_any_parents(file, false).is_ignore()
    }
}
