use std::path::{Path, PathBuf};

use super::reader::{LocatedValue, Reader};
use super::{Config, KnownIds, Level, PathLevels, PathPatterns, levels};

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
    /// The lowest level of findings that fails a review: `Deny` or `Warn`.
    pub fail_on: Option<Level>,
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
    at: &LocatedValue<'_>,
    (file, known): (&Path, &KnownIds),
) -> ReviewDefaults {
    let fields = ["garden", "baseline", "failOn", "exclude", "perPath", "ruleUrl"];
    if !reader.mapping(at, &fields) {
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
    let rule_url = at.field("ruleUrl").and_then(|at| {
        let url = reader.text(&at)?.to_owned();
        let is_url = ["https://", "http://"].iter().any(|it| url.starts_with(it));
        if !is_url || !url.contains(RULE) {
            let message = format!("{} is not a URL with `{RULE}`", at.name());
            let help = "write it like `https://docs.example.com/rules/{rule}.html`";
            reader.error(&at, message, help);
        }
        Some(url)
    });
    let exclude = at.field("exclude").map(|at| read_patterns(reader, &at));
    let per_path = at.field("perPath").map(|at| {
        let items = reader.items(&at);
        items.iter().map(|item| read_levels(reader, item, known)).collect()
    });
    ReviewDefaults {
        garden,
        baseline,
        tree: None,
        fail_on,
        rule_url,
        folder: folder.to_owned(),
        exclude: exclude.unwrap_or_default(),
        per_path: per_path.unwrap_or_default(),
    }
}

fn read_levels(reader: &mut Reader<'_>, at: &LocatedValue<'_>, known: &KnownIds) -> PathLevels {
    if !reader.mapping(at, &["paths", "rules"]) {
        return PathLevels::default();
    }
    let mut config = Config::default();
    if let Some(rules) = at.field("rules") {
        levels::read(reader, &rules, known, &mut config);
    }
    let paths = at.field("paths").map(|at| read_patterns(reader, &at));
    if paths.as_ref().is_none_or(Vec::is_empty) {
        let message = format!("{} has no `paths`", at.name());
        reader.error(at, message, "list the files, as in `paths: [\"prod/**\"]`");
    }
    PathLevels {
        paths: paths.unwrap_or_default(),
        levels: config.levels,
        patterns: config.patterns,
    }
}

fn read_patterns(reader: &mut Reader<'_>, at: &LocatedValue<'_>) -> Vec<String> {
    let patterns = reader.names(at);
    if let Err(why) = PathPatterns::new(patterns.iter().map(String::as_str)) {
        reader.error(at, why, "write patterns as in a `.gitignore`");
    }
    patterns
}
