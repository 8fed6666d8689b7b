// SPDX-License-Identifier: Apache-2.0
//! `garden-gate site --playground`: a built playground next to a site.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rstest::rstest;
use serde_json::json;

use crate::built_playground::{PAGE, list, playground, script};
use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};

/// Writes a site with a playground; returns the exit code and standard error.
fn site(playground: Option<&Path>, folder: &Path) -> (Option<i32>, String) {
    let at = "2026-12-10T00:00:00Z";
    let mut command =
        garden_gate(&["site", "--no-config", "--garden", "examples/audit", "--at", at]);
    if let Some(playground) = playground {
        command.arg("--playground").arg(playground);
    }
    let (code, _, err) = printed(command.arg(folder).output().unwrap());
    (code, err)
}

fn index(folder: &Path) -> String {
    fs::read_to_string(folder.join("index.html")).unwrap()
}

#[test]
fn playground_is_copied_and_the_site_links_to_it() {
    let (built, folder) = (playground(), folder(&[]));
    // It is not in the list.
    write(built.path(), "notes.txt", "mine");
    assert_eq!(site(Some(built.path()), folder.path()), (Some(0), String::new()));
    let read = |name: &str| fs::read_to_string(folder.path().join("playground").join(name)).ok();
    assert_eq!(read("index.html").as_deref(), Some(PAGE));
    assert_eq!(read("assets/index-1.js"), Some(script()));
    assert_eq!(read("notes.txt"), None);
    let page = index(folder.path());
    let data =
        " data-playground=\"playground/index.html\" data-examples=\"shoot/hibernated-change\">";
    assert!(page.contains(data), "{page}");
    // The policy of the site stays.
    assert!(page.contains("content=\"default-src 'none'; script-src 'self'; style-src 'self';"));
    // The copy is one, too.
    let again = crate::folder::folder(&[]);
    let copied = folder.path().join("playground");
    assert_eq!(site(Some(&copied), again.path()), (Some(0), String::new()));
}

#[test]
fn playground_is_replaced_or_left_alone() {
    let (built, folder) = (playground(), folder(&[]));
    site(Some(built.path()), folder.path());
    write(folder.path(), "playground/assets/old.js", "");
    assert_eq!(site(None, folder.path()), (Some(0), String::new()));
    assert!(folder.path().join("playground/assets/old.js").exists());
    assert!(!index(folder.path()).contains("data-playground"));
    assert_eq!(site(Some(built.path()), folder.path()), (Some(0), String::new()));
    assert!(!folder.path().join("playground/assets/old.js").exists());
    let names = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name());
    let hidden = names.filter(|it| it.to_string_lossy().starts_with('.')).count();
    assert_eq!(hidden, 1, "only the mark of the site");
}

#[rstest]
#[case::files(&["playground/mine.txt"])]
#[case::file(&["playground"])]
fn other_content_is_not_replaced(#[case] files: &[&str]) {
    let (built, folder) = (playground(), folder(&[]));
    site(None, folder.path());
    let before = index(folder.path());
    for name in files {
        write(folder.path(), name, "mine");
    }
    let (code, err) = site(Some(built.path()), folder.path());
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("is not a playground, and would be replaced by one"), "{err}");
    for name in files {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "mine");
    }
    assert_eq!(index(folder.path()), before);
}

#[test]
fn link_in_the_place_of_the_playground_is_not_followed() {
    let (built, folder, other) = (playground(), folder(&[]), playground());
    site(None, folder.path());
    symlink(other.path(), folder.path().join("playground")).unwrap();
    let (code, err) = site(Some(built.path()), folder.path());
    assert_eq!(code, Some(2), "{err}");
    assert!(other.path().join("index.html").exists());
}

#[test]
fn other_version_is_a_warning() {
    let (built, folder) = (playground(), folder(&[]));
    let files = [("index.html", PAGE)];
    let list = list("9.9.9\u{1b}[2J\u{202e}", &files).to_string();
    write(built.path(), "playground.json", &list);
    let (code, err) = site(Some(built.path()), folder.path());
    assert_eq!(code, Some(0), "{err}");
    assert!(err.starts_with("warning: the playground is of garden-gate 9.9.9"), "{err}");
    assert!(!err.contains(['\u{1b}', '\u{202e}']), "{err:?}");
}

#[rstest]
#[case::no_list("", "is not a built playground: `playground.json` cannot be read")]
#[case::not_json("{", "is not the list of a playground")]
#[case::other_json("{\"files\": []}", "missing field `gardenGate`")]
#[case::empty(&json!({"gardenGate": "0.1.0", "files": []}).to_string(), "lists no `index.html`")]
#[case::missing(&list("0.1.0", &[("index.html", PAGE), ("none.js", "")]).to_string(), "none.js` of the playground: ")]
#[case::changed(&list("0.1.0", &[("index.html", "changed")]).to_string(), "its checksum differs")]
#[case::above(&list("0.1.0", &[("../secret.txt", "")]).to_string(), "lists `../secret.txt`, which cannot be a file")]
#[case::absolute(&list("0.1.0", &[("/etc/passwd.txt", "")]).to_string(), "which cannot be a file of a playground")]
#[case::hidden(&list("0.1.0", &[(".git/config.txt", "")]).to_string(), "which cannot be a file of a playground")]
#[case::program(&list("0.1.0", &[("a.exe", "")]).to_string(), "which cannot be a file of a playground")]
#[case::terminal(&list("0.1.0", &[("\u{1b}[2J.js", "")]).to_string(), "which cannot be a file of a playground")]
#[case::folder(&list("0.1.0", &[("folder.js", "")]).to_string(), "a directory, not a file")]
fn folder_that_is_no_playground_is_refused(#[case] list: &str, #[case] says: &str) {
    let (built, folder) = (playground(), folder(&[]));
    fs::create_dir(built.path().join("folder.js")).unwrap();
    match list {
        "" => fs::remove_file(built.path().join("playground.json")).unwrap(),
        list => write(built.path(), "playground.json", list),
    }
    let (code, err) = site(Some(built.path()), &folder.path().join("new"));
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains(says), "{err}");
    assert!(!err.contains('\u{1b}'), "{err:?}");
    assert!(!folder.path().join("new").exists(), "nothing is written");
}

#[test]
fn list_of_too_many_files_is_refused() {
    let (built, folder) = (playground(), folder(&[]));
    let many = vec![("index.html", PAGE); 2_001];
    write(built.path(), "playground.json", &list("0.1.0", &many).to_string());
    let (code, err) = site(Some(built.path()), folder.path());
    assert_eq!(code, Some(2));
    assert!(err.contains("lists 2001 files; the limit is 2000"), "{err}");
}

#[test]
fn large_file_is_refused_before_it_is_read() {
    let (built, folder) = (playground(), folder(&[]));
    let page = fs::File::create(built.path().join("index.html")).unwrap();
    page.set_len(1 << 40).unwrap();
    let (code, err) = site(Some(built.path()), folder.path());
    assert_eq!(code, Some(2));
    assert!(err.contains("larger than 32 MiB, the limit for files of a playground"), "{err}");
}

#[test]
fn links_must_stay_in_the_playground() {
    let (built, folder, other) = (playground(), folder(&[]), playground());
    let page = built.path().join("index.html");
    fs::rename(&page, built.path().join("real.html")).unwrap();
    symlink("real.html", &page).unwrap();
    assert_eq!(site(Some(built.path()), folder.path()), (Some(0), String::new()));
    let copy = fs::symlink_metadata(folder.path().join("playground/index.html")).unwrap();
    assert!(copy.is_file());
    for (at, target) in [("index.html", "index.html"), ("assets", "assets")] {
        let at = built.path().join(at);
        if at.is_dir() {
            fs::remove_dir_all(&at).unwrap();
        } else {
            fs::remove_file(&at).unwrap();
        }
        symlink(other.path().join(target), &at).unwrap();
        let (code, err) = site(Some(built.path()), folder.path());
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains("leads out of"), "{err}");
        fs::remove_file(&at).unwrap();
        symlink("real.html", &at).unwrap();
    }
}
