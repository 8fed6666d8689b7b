// SPDX-License-Identifier: Apache-2.0
use std::path::{Path, PathBuf};

use super::reader::{Field, Located, Reader};
use super::{FailOn, KnownIds, PathLevels, PathPatterns, levels};
use garden_gate_text::escape;

/// Defaults of the command-line options of `garden-gate review`.
/// Other commands ignore them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReviewDefaults {
    /// The garden directory, which must be in `tree`.
    pub garden: Option<PathBuf>,
    /// The baseline, which must be in `tree`.
    pub baseline: Option<PathBuf>,
    /// The directory tree that these paths must not leave; `None` if the user has named the configuration file.
    pub tree: Option<PathBuf>,
    /// What fails a review.
    pub fail_on: Option<FailOn>,
    /// The URL template of rule pages, with `{rule}` for the id.
    pub rule_url: Option<String>,
    /// The folder to which patterns are relative.
    pub folder: PathBuf,
    /// Patterns of files that are not reviewed.
    pub exclude: Vec<String>,
    /// Levels of files, in the order of the configuration.
    pub per_path: Vec<PathLevels>,
}

/// The placeholder for the id of a rule in a URL.
const RULE: &str = "{rule}";

/// Parses the section; paths are relative to the folder of `file`.
pub(super) fn read(
    reader: &mut Reader<'_>,
    at: &Located<'_>,
    file: &Path,
    known: &KnownIds,
) -> ReviewDefaults {
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut read = ReviewDefaults { folder: folder.to_owned(), ..ReviewDefaults::default() };
    let fields: &mut [Field<'_>] = &mut [
        ("garden", &mut |reader, at| read.garden = read_path(reader, at, folder)),
        ("baseline", &mut |reader, at| read.baseline = read_path(reader, at, folder)),
        ("failOn", &mut |reader, at| read.fail_on = reader.choice(at, &FailOn::NAMES)),
        ("exclude", &mut |reader, at| read.exclude = read_patterns(reader, at)),
        ("perPath", &mut |reader, at| {
            let items = reader.items(at);
            read.per_path = items.iter().map(|item| read_levels(reader, item, known)).collect();
        }),
        ("ruleUrl", &mut |reader, at| read.rule_url = read_url(reader, at)),
    ];
    reader.fields(at, fields);
    read
}

fn read_path(reader: &mut Reader<'_>, at: &Located<'_>, folder: &Path) -> Option<PathBuf> {
    let path = reader.text(at)?;
    if path.is_empty() {
        let message = format!("{} is empty", at.name());
        reader.error(at, &message, "write a path, or remove the field");
    }
    Some(folder.join(path))
}

fn read_url(reader: &mut Reader<'_>, at: &Located<'_>) -> Option<String> {
    let url = reader.text(at)?;
    if !escape::is_link(&url.replace(RULE, "")) || !url.contains(RULE) {
        let message = format!("{} is not a URL with `{RULE}`", at.name());
        reader.error(at, &message, "write it like `https://docs.example.com/rules/{rule}.html`");
    }
    Some(url.to_owned())
}

fn read_levels(reader: &mut Reader<'_>, at: &Located<'_>, known: &KnownIds) -> PathLevels {
    if !reader.mapping(at, &["paths", "rules"]) {
        return PathLevels::default();
    }
    let rules = at.field("rules").map(|rules| levels::read(reader, &rules, known));
    let paths = at.field("paths").map(|at| read_patterns(reader, &at)).unwrap_or_default();
    if paths.is_empty() {
        let message = format!("{} has no `paths`", at.name());
        reader.error(at, &message, "list the files, as in `paths: [\"prod/**\"]`");
    }
    PathLevels { paths, ..rules.unwrap_or_default() }
}

fn read_patterns(reader: &mut Reader<'_>, at: &Located<'_>) -> Vec<String> {
    let patterns = reader.names(at);
    let parsed = PathPatterns::new(patterns.iter().map(String::as_str));
    reader.valid(at, parsed, "write patterns as in a `.gitignore`");
    patterns
}
