//! What the compiler does not check: which way imports point, and what the core must not reach for.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Modules that decide: the same input gives the same verdict, at any time and on any machine.
const PURE: &[&str] = &[
    "compat",
    "escape",
    "fields",
    "model",
    "version",
    "status",
    "webhooks",
    "rolls",
    "defaults",
    "engine",
    "rules",
    "catalogue",
    "coverage",
    "forecast",
];

/// What a pure module must not name.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::time",
    "std::thread",
    "SystemTime",
    "Instant::now",
    "Timestamp::now",
    "Zoned::now",
    "tokio::",
    "kube::",
    "rand::",
    "tracing::",
    "println!",
    "static mut",
];

/// A rule with its documentation; more than this is two rules, or a folder.
const LONGEST_RULE_FILE: usize = 350;

struct Source {
    path: PathBuf,
    /// `engine` for everything below `src/engine/`.
    module: String,
    /// Without comments, so that prose may name anything.
    code: String,
    lines: usize,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    walkdir::WalkDir::new(&root)
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "rs")
        })
        .map(|entry| {
            let text = fs::read_to_string(entry.path()).unwrap();
            let inside = entry.path().strip_prefix(&root).unwrap();
            let first = inside
                .components()
                .next()
                .unwrap()
                .as_os_str()
                .to_str()
                .unwrap();
            Source {
                module: first.trim_end_matches(".rs").to_owned(),
                code: text
                    .lines()
                    .map(without_comment)
                    .collect::<Vec<_>>()
                    .join("\n"),
                lines: text.lines().count(),
                path: inside.to_owned(),
            }
        })
        .collect()
}

fn without_comment(line: &str) -> &str {
    line.split_once("//").map_or(line, |(code, _)| code)
}

/// The modules of this crate that the code names as `crate::<module>`, alone or in a group.
fn imports(code: &str) -> BTreeSet<String> {
    let named = code.match_indices("crate::").flat_map(|(start, found)| {
        let rest = &code[start + found.len()..];
        paths(rest.split(';').next().unwrap())
    });
    named.filter_map(|path| first_word(&path)).collect()
}

/// `a::{b, c::{d, e}}` as `a::b`, `a::c::d` and `a::c::e`; what follows the last brace is left out.
fn paths(tree: &str) -> Vec<String> {
    let Some((prefix, inside)) = tree.split_once('{') else {
        return vec![tree.trim().to_owned()];
    };
    if !prefix.trim().is_empty() && !prefix.trim_end().ends_with("::") {
        return vec![prefix.trim().to_owned()];
    }
    let (mut parts, mut part, mut depth) = (Vec::new(), String::new(), 0);
    for letter in inside.chars() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            _ => {}
        }
        part.push(letter);
    }
    parts.push(part);
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    let inner = parts.flat_map(|part| paths(part));
    inner
        .map(|path| format!("{}{path}", prefix.trim()))
        .collect()
}

fn first_word(text: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word: String = text
        .trim_start()
        .chars()
        .take_while(|c| is_part(*c))
        .collect();
    (!word.is_empty()).then_some(word)
}

#[test]
fn imports_are_read_from_code() {
    let code = "use crate::engine::{Context, rule};\nuse crate::{config, garden::{Lookup, x::{Y}}, rolls::Rolls};\npub(crate) x: $crate::model::Seed";
    let expected = ["config", "engine", "garden", "model", "rolls"];
    assert!(imports(code).iter().eq(expected), "{:?}", imports(code));
}

/// More files in one folder are a corridor: they want rooms.
const FULLEST_FOLDER: usize = 25;

#[test]
fn no_folder_is_a_corridor() {
    let mut files: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for source in sources() {
        *files
            .entry(source.path.parent().unwrap().to_owned())
            .or_default() += 1;
    }
    for (folder, count) in files {
        let folder = folder.display();
        assert!(count <= FULLEST_FOLDER, "src/{folder} holds {count} files");
    }
}

/// The file that declares what `path` names, as deep as modules have files: `rules::shoot::seed` for what lies in that
/// folder's `mod.rs`.
fn home<'a>(files: &'a BTreeSet<String>, path: &str) -> Option<&'a String> {
    let parts: Vec<&str> = path.split("::").map(str::trim).collect();
    let deeper = (1..=parts.len()).rev();
    deeper
        .map(|count| parts[..count].join("::"))
        .find_map(|it| files.get(&it))
}

/// What each file below `src/rules/` imports from other files there; folders' `mod.rs`, which pass names on, aside.
fn imports_between_rules() -> BTreeSet<(String, String)> {
    let module = |source: &Source| {
        let path = source.path.with_extension("").display().to_string();
        path.trim_end_matches("/mod").replace('/', "::")
    };
    let sources = sources()
        .into_iter()
        .filter(|source| source.module == "rules");
    let sources: Vec<Source> = sources.collect();
    let files: BTreeSet<String> = sources.iter().map(module).collect();
    let mut edges = BTreeSet::new();
    for source in sources.iter().filter(|it| !it.path.ends_with("mod.rs")) {
        let file = module(source);
        let parent = file.rsplit_once("::").unwrap().0;
        let statements = source.code.split(';').map(str::trim_start);
        let trees = statements.filter_map(|it| it.split_once("use ").map(|(_, tree)| tree));
        for path in trees.flat_map(paths) {
            let grandparent = parent.rsplit_once("::").map_or("", |(above, _)| above);
            let path = path
                .replacen("super::super", grandparent, 1)
                .replacen("super", parent, 1)
                .replacen("crate::", "", 1);
            let home = home(&files, &path).filter(|home| **home != file);
            edges.extend(home.map(|home| (file.clone(), home.clone())));
        }
    }
    edges
}

#[test]
fn no_two_rules_import_each_other() {
    let edges = imports_between_rules();
    assert!(edges.len() > 100, "no imports were read");
    for (from, to) in &edges {
        let back = (to.clone(), from.clone());
        assert!(!edges.contains(&back), "{from} and {to} import each other");
    }
}

/// By module, how far it stands below the top of the list in the documentation of `src/lib.rs`.
fn layers() -> BTreeMap<String, usize> {
    let documentation = fs::read_to_string("src/lib.rs").unwrap();
    let lines = documentation.lines();
    let lines = lines.filter_map(|line| line.strip_prefix("//! - "));
    let layers = lines.enumerate().flat_map(|(layer, modules)| {
        let modules = modules.split(", ");
        modules.map(move |module| (module.trim_matches(&['[', ']', '`'][..]).to_owned(), layer))
    });
    layers.collect()
}

#[test]
fn imports_point_one_way() {
    let layers = layers();
    for source in sources() {
        let Some(layer) = layers.get(&source.module) else {
            let is_root = ["lib", "main"].contains(&source.module.as_str());
            assert!(is_root, "module `{}` has no place in lib.rs", source.module);
            continue;
        };
        for import in imports(&source.code) {
            let path = source.path.display();
            let above = layers.get(&import).is_none_or(|other| other < layer);
            assert!(
                above || import == source.module,
                "{path} must not import `{import}`"
            );
        }
    }
}

#[test]
fn what_decides_has_no_clock_and_no_io() {
    let pure = sources()
        .into_iter()
        .filter(|source| PURE.contains(&source.module.as_str()));
    let mut seen = 0;
    for source in pure {
        seen += 1;
        for impure in IMPURE {
            assert!(
                !source.code.contains(impure),
                "{} must not use `{impure}`",
                source.path.display()
            );
        }
    }
    assert!(seen > PURE.len(), "no sources were read");
}

#[test]
fn rules_are_short_and_know_only_the_engine_and_below() {
    let is_rule =
        |source: &Source| source.module == "rules" && source.path.components().count() > 2;
    let rules: Vec<Source> = sources().into_iter().filter(is_rule).collect();
    assert!(!rules.is_empty(), "no rules were read");
    for rule in rules {
        let path = rule.path.display();
        assert!(
            rule.lines <= LONGEST_RULE_FILE,
            "{path} has {} lines",
            rule.lines
        );
        for word in ["axum", "hyper", "clap", "serde_json::from_str", "anyhow"] {
            assert!(!rule.code.contains(word), "{path} must not use `{word}`");
        }
    }
}

/// Where the engine takes a request apart; nobody else who decides reads JSON.
const READERS: [&str; 2] = ["engine/decode.rs", "engine/request.rs"];

/// What cannot be read must never count as empty, so that it could pass for unchanged or absent.
#[test]
fn what_decides_reads_nothing_that_it_could_take_for_empty() {
    let decides = |source: &Source| ["engine", "rules"].contains(&source.module.as_str());
    let sources: Vec<Source> = sources().into_iter().filter(decides).collect();
    assert!(sources.len() > 100, "no sources were read");
    for source in sources {
        let path = source.path.display().to_string();
        let code = source.code.split("#[cfg(test)]").next().unwrap();
        if !READERS.contains(&path.as_str()) {
            for reading in ["from_str(", "from_slice(", "from_value(", "from_reader("] {
                assert!(!code.contains(reading), "{path} must not use `{reading}…)`");
            }
        }
        for statement in code.split(';') {
            let reads = [".read(", ".read::<", "from_str(", "from_slice("];
            let defaults = ["unwrap_or_default", "unwrap_or("];
            let is_either = |words: &[&str]| words.iter().any(|word| statement.contains(word));
            assert!(
                !is_either(&reads) || !is_either(&defaults),
                "{path} must not take what it cannot read for empty: {}",
                statement.trim()
            );
        }
    }
}
