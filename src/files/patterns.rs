// SPDX-License-Identifier: Apache-2.0
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::open::{Limit, read_text_within};

/// Reports whether an ignore file matches a file or one of its parent directories below that of the ignore file.
///
/// A link and an unreadable file match nothing.
pub(crate) fn ignores(ignore_file: &Path, file: &Path) -> bool {
    let Some(folder) = ignore_file.parent().filter(|_| !ignore_file.is_symlink()) else {
        return false;
    };
    let mut builder = GitignoreBuilder::new(folder);
    let Ok(text) = read_text_within(ignore_file, Limit::IGNORE_FILES) else {
        return false;
    };
    for line in text.lines() {
        // The walk skips invalid lines, too.
        let _ = builder.add_line(None, line);
    }
    let is_match = |it: Gitignore| it.matched_path_or_any_parents(file, false).is_ignore();
    file.starts_with(folder) && builder.build().is_ok_and(is_match)
}
