// SPDX-License-Identifier: Apache-2.0
//! Fixed bugs, and the tests that find them again. `.ci/bugs` proves it for those with a patch that reverts the fix.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde::Deserialize;

use super::{assert_current, files_below, root, source_folders};

/// The kinds of bugs, in the order of the page.
const KINDS: [&str; 10] = [
    "wrongly allowed",
    "wrongly refused",
    "missing warning",
    "misleading output",
    "injection",
    "crash",
    "hang",
    "memory",
    "processor time",
    "outage",
];

const HEAD: &str = "# Bugs that stay found

This page lists fixed bugs, and for each the test that fails without its fix. `.ci/bugs` proves it:

```sh
.ci/bugs NAME
```

It applies `tests/bugs/NAME.patch`, which reverts the fix, to a copy of the last commit, and runs the test. Without names it takes all
bugs with a patch, which are marked in the table. With `--together`, one build has as many patches as possible. CI runs it every week.

To add a bug, write `tests/bugs/NAME.toml`, and renew this page with `UPDATE_DOCS=1 cargo test --test meta bugs`. Write the patch by hand:
the smallest change of today's code that brings the bug back. If its test passes with the patch, write another test.

| bug | kind | what happened, and why | test | patch |
|---|---|---|---|---|
";

/// A fixed bug: the file `tests/bugs/NAME.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bug {
    /// One of [`KINDS`].
    kind: String,
    /// The effect on users.
    happened: String,
    /// The error in the code.
    cause: String,
    /// The suite and the path of the test in it.
    test: String,
    /// The name of the case that fails, if the test has several.
    case: Option<String>,
}

static BUGS: LazyLock<BTreeMap<String, Bug>> = LazyLock::new(|| {
    let files = files_below(&folder())
        .into_iter()
        .filter(|file| file.extension().is_some_and(|it| it == "toml"));
    let bugs = files.map(|file| {
        let bug = toml::from_str(&fs::read_to_string(&file).unwrap());
        (name(&file), bug.unwrap())
    });
    bugs.collect()
});

fn folder() -> PathBuf {
    root().join("tests/bugs")
}

fn name(file: &Path) -> String {
    file.file_stem().unwrap().to_str().unwrap().to_owned()
}

fn patch(name: &str) -> Option<PathBuf> {
    let file = folder().join(format!("{name}.patch"));
    file.exists().then_some(file)
}

/// Returns the module of a source file; `a/b_tests.rs` has the tests of `a::b`.
fn module(file: &Path, root: &Path) -> String {
    let path = file
        .strip_prefix(root)
        .unwrap()
        .with_extension("")
        .to_str()
        .unwrap()
        .replace("_tests", "/tests");
    let path = path.trim_end_matches("/mod").trim_end_matches("/main");
    path.replace('/', "::")
}

/// Reports whether the test of a bug exists.
fn exists(bug: &Bug) -> bool {
    let (suite, path) = bug.test.split_once(' ').unwrap();
    let (modules, function) = path.rsplit_once("::").unwrap();
    // The simulation is a module of the server, in a folder of the tests.
    let (modules, is_unit_test) = match modules.strip_prefix("server::simulation") {
        Some(_) => ("simulation", false),
        None => (modules, suite == "lib"),
    };
    let folders = if is_unit_test { source_folders() } else { vec![root().join("tests")] };
    let is_place = |file: &Path, folder: &Path| {
        let module = module(file, folder);
        if is_unit_test {
            // Unit tests are in the file that they test, or in their own.
            module == modules || format!("{module}::tests") == modules
        } else {
            format!("::{module}").ends_with(&format!("::{modules}"))
        }
    };
    let function = format!("fn {function}(");
    let case = bug.case.as_ref().map(|case| format!("#[case::{case}("));
    let has_test = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        text.contains(&function) && case.as_ref().is_none_or(|case| text.contains(case))
    };
    folders.iter().any(|folder| {
        let files = files_below(folder);
        files.iter().any(|file| is_place(file, folder) && has_test(file))
    })
}

#[test]
fn bugs_have_tests_that_exist() {
    for (name, bug) in &*BUGS {
        assert!(KINDS.contains(&bug.kind.as_str()), "{name}: {}", bug.kind);
        assert!(exists(bug), "{name}: {} does not exist", bug.test);
    }
    assert!(BUGS.len() >= 40, "{}", BUGS.len());
}

/// A patch that does not apply any more has to be written again.
#[test]
fn patches_of_bugs_apply() {
    let names = files_below(&folder()).into_iter().map(|it| name(&it));
    for name in names {
        assert!(BUGS.contains_key(&name), "tests/bugs/{name}.toml is missing");
        let Some(patch) = patch(&name) else { continue };
        let mut git = Command::new("git");
        let git = git.args(["apply", "--check"]).arg(patch);
        let output = git.current_dir(root()).output().unwrap();
        let why = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {why}");
    }
}

#[test]
fn page_lists_the_bugs() {
    let place = |bug: &Bug| KINDS.iter().position(|it| *it == bug.kind);
    let mut bugs: Vec<(&String, &Bug)> = BUGS.iter().collect();
    bugs.sort_by_key(|(name, bug)| (place(bug), *name));
    let rows = bugs.into_iter().map(|(name, bug)| {
        let Bug { kind, happened, cause, test, case } = bug;
        let case = case.as_ref().map_or(String::new(), |it| format!(", `{it}`"));
        let mark = if patch(name).is_some() { "yes" } else { "" };
        format!("| `{name}` | {kind} | {happened} {cause} | `{test}`{case} | {mark} |\n")
    });
    let page = HEAD.to_owned() + &rows.collect::<String>();
    assert_current(&root().join("docs/bugs.md"), &page);
}
