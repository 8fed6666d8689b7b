//! Checks of the source code that the compiler does not do: the direction of imports, and names that the core must not use.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

#[path = "hygiene/imports.rs"]
mod imports;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use imports::{Imports, cycles};

/// Pure modules: the same input gives the same verdict, at any time and on any machine.
const PURE: [&str; 12] = [
    "admission",
    "api",
    "catalogue",
    "coverage",
    "escape",
    "forecast",
    "gardener",
    "go",
    "json",
    "policies",
    "rules",
    "yaml",
];

/// Paths that a pure module must not use.
const IMPURE: [&str; 8] = [
    "std::fs",
    "std::net",
    "tokio::",
    "kube::",
    "rand::",
    "tracing::",
    "println!",
    "static mut",
];

/// Paths that a rule must not use.
const FOREIGN: [&str; 5] = ["axum", "hyper::", "clap", "serde_json::from_str", "anyhow"];

/// Modules that decide; only [`READERS`] of them parse JSON.
const DECIDING: [&str; 2] = ["admission", "rules"];

/// The parsers of requests.
const READERS: [&str; 2] = ["admission/decode.rs", "admission/request.rs"];

/// The maximum number of lines of a rule with its documentation.
const LONGEST_RULE_FILE: usize = 350;

/// The maximum number of files in a folder.
const FULLEST_FOLDER: usize = 25;

static IMPORTS: LazyLock<Imports> = LazyLock::new(|| Imports::read(&src()));

struct Source {
    path: PathBuf,
    /// The code without comments.
    code: String,
    lines: usize,
}

impl Source {
    fn is_in(&self, modules: &[&str]) -> bool {
        let first = self.path.iter().next().unwrap().to_str().unwrap();
        modules.contains(&first.trim_end_matches(".rs"))
    }

    fn assert_lacks(&self, words: &[&str]) {
        let path = self.path.display();
        for word in words {
            assert!(
                !self.code.contains(word),
                "src/{path} must not use `{word}`"
            );
        }
    }
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources() -> Vec<Source> {
    let files = walkdir::WalkDir::new(src()).into_iter().map(Result::unwrap);
    let files = files.filter(|it| it.path().extension().is_some_and(|it| it == "rs"));
    let without_comment = |line: &str| line.split("//").next().unwrap().to_owned() + "\n";
    let sources = files.map(|file| {
        let text = fs::read_to_string(file.path()).unwrap();
        Source {
            path: file.path().strip_prefix(src()).unwrap().to_owned(),
            code: text.lines().map(without_comment).collect(),
            lines: text.lines().count(),
        }
    });
    sources.collect()
}

#[test]
fn imports_have_no_cycle() {
    let arrows = IMPORTS.arrows();
    assert!(arrows.len() > 1000, "no imports were read");
    let mut report = String::new();
    for cycle in cycles(&arrows) {
        report += "\nfiles that import each other:\n";
        for ((from, to), name) in &arrows {
            if cycle.contains(from.as_str()) && cycle.contains(to.as_str()) {
                report += &format!("  src/{from} -> src/{to} (`{name}`)\n");
            }
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn cycles_of_any_length_are_found() {
    let arrow = |(from, to): (&str, &str)| ((from.to_owned(), to.to_owned()), String::new());
    let arrows = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e")];
    let arrows = arrows.into_iter().map(arrow).collect();
    assert_eq!(cycles(&arrows), [["a", "b", "c"].into()]);
}

/// Returns the line of each module in the list of layers in `src/lib.rs`.
fn layers() -> BTreeMap<String, usize> {
    let documentation = fs::read_to_string(src().join("lib.rs")).unwrap();
    let lines = documentation.lines();
    let lines = lines.filter_map(|line| line.strip_prefix("//! - "));
    let layers = lines.enumerate().flat_map(|(layer, modules)| {
        let modules = modules.split(", ");
        modules.map(move |module| (module.trim_matches(&['[', ']', '`'][..]).to_owned(), layer))
    });
    layers.collect()
}

#[test]
fn imports_follow_the_layers() {
    let layers = layers();
    let mut report = String::new();
    for (file, import) in IMPORTS.top_level() {
        let module = file.split('/').next().unwrap().trim_end_matches(".rs");
        if module == import || file == "lib.rs" {
            continue;
        }
        let Some(layer) = layers.get(module) else {
            report += &format!("module `{module}` has no layer in src/lib.rs\n");
            continue;
        };
        if layers.get(&import).is_none_or(|other| other >= layer) {
            report += &format!("src/{file} must not import `{import}`\n");
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn folders_have_few_files() {
    let mut files: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for source in sources() {
        let folder = source.path.parent().unwrap();
        *files.entry(folder.to_owned()).or_default() += 1;
    }
    for (folder, count) in files {
        let folder = folder.display();
        assert!(count <= FULLEST_FOLDER, "src/{folder} has {count} files");
    }
}

#[test]
fn checked_modules_exist() {
    let layers = layers();
    for module in PURE.iter().chain(&DECIDING) {
        assert!(
            layers.contains_key(*module),
            "there is no module `{module}`"
        );
    }
}

#[test]
fn pure_modules_use_no_clock_and_no_io() {
    for source in sources().iter().filter(|it| it.is_in(&PURE)) {
        source.assert_lacks(&IMPURE);
    }
}

#[test]
fn rules_are_short_and_use_no_foreign_crates() {
    for rule in sources().iter().filter(|it| it.is_in(&["rules"])) {
        rule.assert_lacks(&FOREIGN);
        let path = rule.path.display();
        assert!(
            rule.lines <= LONGEST_RULE_FILE,
            "src/{path} has {} lines",
            rule.lines
        );
    }
}

/// Unreadable values must never count as empty, since they could pass for unchanged or absent.
#[test]
fn unreadable_json_never_counts_as_empty() {
    for mut source in sources() {
        if !source.is_in(&DECIDING) {
            continue;
        }
        source.code = source.code.split("#[cfg(test)]").next().unwrap().to_owned();
        let path = source.path.display().to_string();
        if !READERS.contains(&path.as_str()) {
            source.assert_lacks(&["from_str(", "from_slice(", "from_value(", "from_reader("]);
        }
        for statement in source.code.split(';') {
            let has = |words: &[&str]| words.iter().any(|word| statement.contains(word));
            let reads = has(&[".read(", ".read::<", "from_str(", "from_slice("]);
            assert!(
                !reads || !has(&["unwrap_or_default", "unwrap_or("]),
                "src/{path} must not take what it cannot parse for empty: {}",
                statement.trim()
            );
        }
    }
}
