// SPDX-License-Identifier: Apache-2.0
//! Checks of the source code that the compiler does not do: cycles of imports, crowded folders, and discarded parse errors.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

mod imports;
mod parse_results;
mod secrets;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use imports::{Imports, cycles};

use crate::docs::source_folders;

/// Paths that crates without I/O must not use; `clippy.toml` lists functions.
const IMPURE: [&str; 8] =
    ["std::fs", "std::net", "tokio::", "kube::", "rand::", "tracing::", "println!", "static mut"];

/// Paths that a rule must not use.
const FOREIGN: [&str; 5] = ["axum", "hyper::", "clap", "serde_json::from_str", "anyhow"];

/// Modules that decide; only [`READERS`] of them parse JSON.
const DECIDING: [&str; 2] = ["admission", "rules"];

/// The parsers of requests.
const READERS: [&str; 2] = ["admission/decode.rs", "admission/request.rs"];

/// Modules in which a parse error must not pass for nothing.
const ABOUT_OBJECTS: [&str; 9] =
    ["admission", "api", "audit", "coverage", "gardener", "garden", "policies", "rules", "stored"];

/// Functions that discard parse errors: the file, the functions, and the reason.
#[rustfmt::skip]
const DISCARDED: [(&str, &[&str], &str); 24] = [
    ("admission/change.rs", &["differing_fields"], TYPED),
    ("admission/context/extensions.rs", &["class_of"], TYPED),
    ("admission/request.rs", &["written_version"], REPORTED),
    ("admission/evaluation.rs", &["objects"], "models always serialize"),
    ("api/custom_resources/definition.rs", &["of_text"], "a test reads all of them"),
    ("api/equality.rs", &["string"], "other values are compared as written"),
    ("audit/as_new/fields.rs", &["change_list", "changed", "read"], "such a part stays in the object, which is judged"),
    ("audit/object.rs", &["look_ahead"], REPORTED),
    ("gardener/defaults/canonicalize.rs", &["text", "has_only_a_disabled_dashboard"], TYPED),
    ("gardener/defaults/shoot_json.rs", &["tolerate_protected"], TYPED),
    ("gardener/defaults/worker.rs", &["worker_json", "kubelet_json"], TYPED),
    ("gardener/extensions/alicloud.rs", &["decoded"], "the callers refuse the request"),
    ("gardener/extensions/capability_flavors.rs", &["flavors_set"], "it is a value of this program"),
    ("gardener/extensions/decoding.rs", &["decodes"], "the callers refuse the request"),
    ("gardener/extensions/shoot_mutation.rs", &["is_moving"], TYPED),
    ("gardener/webhooks/remedy.rs", &["remediate"], REPORTED),
    ("garden/live/identity.rs", &["of"], "kube reports it"),
    ("policies/extensions/named.rs", &["parent_type"], "rules report a parent that is not known"),
    ("rules/extensions/decoding.rs", &["check_as"], "it is reported with the other fields"),
    ("rules/extensions/dns_service/shoot.rs", &["check"], "the configuration counts as changed"),
    ("rules/shared/validation/part.rs", &["each_text", "text", "item_text", "value_at", "number"], TYPED),
    ("rules/shared/validation/value.rs", &["text", "number"], TYPED),
    ("rules/shared/validation/walk.rs", &["report", "distinct"], TYPED),
    ("stored/shoot.rs", &["read"], TYPED),
];
const TYPED: &str = "the whole object is decoded before, so that the field has its type";
const REPORTED: &str = "decoding the object is a finding";

/// The maximum number of lines of a rule with its documentation.
const LONGEST_RULE_FILE: usize = 350;

/// The maximum number of files in a folder.
const FULLEST_FOLDER: usize = 25;

struct Source {
    /// The path below `src`.
    path: PathBuf,
    file: PathBuf,
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
        let file = self.file.display();
        for word in words {
            assert!(!self.code.contains(word), "{file} must not use `{word}`");
        }
    }
}

fn sources() -> Vec<Source> {
    source_folders().iter().flat_map(|src| sources_in(src)).collect()
}

fn sources_in(src: &Path) -> Vec<Source> {
    let files = walkdir::WalkDir::new(src)
        .into_iter()
        .map(Result::unwrap)
        .filter(|it| it.path().extension().is_some_and(|it| it == "rs"));
    let without_comment = |line: &str| line.split("//").next().unwrap().to_owned() + "\n";
    let sources = files.map(|file| {
        let text = fs::read_to_string(file.path()).unwrap();
        Source {
            path: file.path().strip_prefix(src).unwrap().to_owned(),
            file: file.path().to_owned(),
            code: text.lines().map(without_comment).collect(),
            lines: text.lines().count(),
        }
    });
    sources.collect()
}

#[test]
fn imports_have_no_cycle() {
    let (mut report, mut count) = (String::new(), 0);
    for src in source_folders() {
        let arrows = Imports::read(&src).arrows();
        count += arrows.len();
        for cycle in cycles(&arrows) {
            report += &format!("\nfiles in {} that import each other:\n", src.display());
            for ((from, to), name) in &arrows {
                if cycle.contains(from.as_str()) && cycle.contains(to.as_str()) {
                    report += &format!("  {from} -> {to} (`{name}`)\n");
                }
            }
        }
    }
    assert!(count > 1000, "no imports were read");
    assert!(report.is_empty(), "{report}");
}

#[test]
fn cycles_of_any_length_are_found() {
    let arrow = |(from, to): (&str, &str)| ((from.to_owned(), to.to_owned()), String::new());
    let arrows = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e")]
        .into_iter()
        .map(arrow)
        .collect();
    assert_eq!(cycles(&arrows), [["a", "b", "c"].into()]);
}

#[test]
fn folders_have_few_files() {
    let mut files: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for source in sources() {
        let folder = source.file.parent().unwrap();
        *files.entry(folder.to_owned()).or_default() += 1;
    }
    for (folder, count) in files {
        let folder = folder.display();
        assert!(count <= FULLEST_FOLDER, "{folder} has {count} files");
    }
}

#[test]
fn crates_use_no_clock_and_no_io() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    for source in sources().iter().filter(|it| it.file.starts_with(&crates)) {
        source.assert_lacks(&IMPURE);
    }
}

#[test]
fn rules_are_short_and_use_no_foreign_source_folders() {
    for rule in sources().iter().filter(|it| it.is_in(&["rules"])) {
        rule.assert_lacks(&FOREIGN);
        let file = rule.file.display();
        assert!(rule.lines <= LONGEST_RULE_FILE, "{file} has {} lines", rule.lines);
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
            source.assert_lacks(&[
                "from_str(",
                "from_slice(",
                "from_value(",
                "from_reader(",
                "decode_value(",
            ]);
        }
        for statement in source.code.split(';') {
            let has = |words: &[&str]| words.iter().any(|word| statement.contains(word));
            let reads = has(&[".read(", ".read::<", "from_str(", "from_slice("]);
            assert!(
                !reads || !has(&["unwrap_or_default", "unwrap_or("]),
                "{path} must not take what it cannot parse for empty: {}",
                statement.trim()
            );
        }
    }
}

/// An object that cannot be parsed must be refused or undetermined, not treated as if there were nothing.
#[test]
fn parse_errors_are_not_discarded() {
    let mut found = BTreeSet::new();
    for source in sources().iter().filter(|it| it.is_in(&ABOUT_OBJECTS)) {
        let path = source.path.display().to_string();
        if !path.contains("tests") {
            let code = fs::read_to_string(&source.file).unwrap();
            let functions = parse_results::discarding(&code).into_iter();
            found.extend(functions.map(|function| format!("{path}: {function}")));
        }
    }
    let excused = DISCARDED.iter().flat_map(|(path, functions, _)| {
        functions.iter().map(move |function| format!("{path}: {function}"))
    });
    let excused: BTreeSet<String> = excused.collect();
    let new: Vec<_> = found.difference(&excused).collect();
    assert!(new.is_empty(), "parse errors are discarded in {new:#?}");
    let gone: Vec<_> = excused.difference(&found).collect();
    assert!(gone.is_empty(), "excused without a reason: {gone:#?}");
}

#[test]
fn discarded_parse_errors_are_found() {
    let found = parse_results::discarding(
        r"
        fn a() { let x = serde_json::from_str::<Value>(text).ok()?; }
        fn b() { let Ok(x) = Shoot::deserialize(value) else { return }; }
        fn c() { if let Ok(x) = json.read::<String>() && x.is_empty() { f(); } }
        fn d() { let read = serde_json::from_value(value); read.ok() }
        fn e() { values.map(|it| serde_json::from_slice(it).ok()) }
        impl A { fn f(&self) { json_patch::patch(&mut value, patch).ok()?; } }
        fn g() -> bool { let Ok(x) = document.header() else { return false; }; true }
        fn reported() { let Ok(x) = json.read::<String>() else { report(); return; }; }
        fn refused() { let Ok(x) = json.read::<String>() else { return Err(why); }; }
        fn handled() { if let Ok(x) = json.read::<String>() { a() } else { b() } }
        fn noted() { serde_json::from_str(text).map_err(|why| note(why)).ok(); }
        fn good() -> Result<()> { let x: Value = serde_json::from_str(text)?; Version::parse(x).ok(); }
        #[cfg(test)]
        mod tests { fn g() { serde_json::from_str(text).ok(); } }
        ",
    );
    assert_eq!(found, ["a", "b", "c", "d", "e", "f", "g"]);
}
