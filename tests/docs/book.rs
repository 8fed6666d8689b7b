//! The book that mdBook makes of `docs/`: nothing is complained about, and every link in it leads somewhere.
#![expect(clippy::print_stderr, reason = "what was left out has to be said")]

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use scraper::{Html, Selector};
use tempfile::TempDir;

use crate::docs::{files_below, is_renewing, root};

/// mdBook: the program that `MDBOOK` names, `mdbook`, or what `.ci/book` has made. Without one the test says that it did not run; with `CI=true` it fails.
fn mdbook() -> Option<PathBuf> {
    let named = env::var_os("MDBOOK").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tools");
    let folders = env::split_paths(&path).chain([tools.join("bin")]);
    let mut found = folders.map(|folder| folder.join("mdbook"));
    let mdbook = named.or_else(|| found.find(|it| it.is_file()));
    if mdbook.is_none() {
        let why =
            "no book was made: there is no `mdbook`, and MDBOOK names none; `.ci/book` gets it";
        eprintln!("NOT RUN: {why}");
        assert!(env::var("CI").as_deref() != Ok("true"), "{why}");
    }
    mdbook
}

/// What a page of the book leads to, and what can be led to in it.
struct Leaf {
    links: Vec<String>,
    ids: BTreeSet<String>,
}

fn leaf(path: &Path) -> Leaf {
    let page = Html::parse_document(&fs::read_to_string(path).unwrap());
    let values = |name: &str| -> Vec<String> {
        let selector = Selector::parse(&format!("[{name}]")).unwrap();
        let elements = page.select(&selector);
        let values = elements.map(|it| it.value().attr(name).unwrap().to_owned());
        values.collect()
    };
    Leaf {
        links: [values("href"), values("src")].concat(),
        ids: values("id").into_iter().collect(),
    }
}

#[test]
fn the_book_is_made_and_its_links_lead_somewhere() {
    let Some(mdbook) = mdbook().filter(|_| !is_renewing()) else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(mdbook);
    command
        .arg("build")
        .arg(root().join("docs"))
        .arg("--dest-dir")
        .arg(folder.path());
    let output = command.env_remove("RUST_LOG").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let complaints: Vec<&str> = said.lines().filter(|line| !line.contains("INFO")).collect();
    assert_eq!((output.status.code(), complaints), (Some(0), vec![]));

    let files = files_below(folder.path());
    let leaves = files
        .iter()
        .filter(|it| it.extension().is_some_and(|it| it == "html"));
    let leaves: BTreeMap<&PathBuf, Leaf> = leaves.map(|path| (path, leaf(path))).collect();
    let mut seen = 0;
    for (path, page) in &leaves {
        for link in page.links.iter().filter(|it| !it.contains("://")) {
            let (file, id) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.to_path_buf(),
                file => path.parent().unwrap().join(file),
            };
            let here = path.display();
            let target = target.canonicalize();
            let target = target.unwrap_or_else(|_| unreachable!("{here}: {link}"));
            let is_there = |leaf: &Leaf| leaf.ids.contains(id);
            assert!(
                id.is_empty() || leaves.get(&target).is_some_and(is_there),
                "{here}: {link}"
            );
            seen += 1;
        }
    }
    assert!(
        leaves.len() > 200 && seen > 5000,
        "{} pages, {seen} links",
        leaves.len()
    );
}
