// SPDX-License-Identifier: Apache-2.0
//! Garden directories that the configuration of a workspace names.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rstest::rstest;
use serde_json::Value;

use super::SHOOT;
use super::client::{Client, GARDEN, codes, uri};
use crate::folder::{folder, write};

/// Copies the garden of most tests to `garden/` in a folder, where the configuration of a workspace may name it.
pub(super) fn copy_garden(folder: &Path) {
    for entry in fs::read_dir(GARDEN).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("garden/{}", path.file_name().unwrap().display());
        write(folder, &name, &fs::read_to_string(&path).unwrap());
    }
}

/// A Shoot in a Project that only the garden of the examples denies.
const DENIED: &str = "seed.gardener.cloud/protected";

/// Returns the codes of errors in `shoot.yaml`, which need a garden.
fn errors(client: &mut Client, folder: &Path) -> Vec<String> {
    let mut found = client.diagnostics(&uri(&folder.join("shoot.yaml")), 1);
    found.retain(|it| it["severity"] == 1);
    codes(&found)
}

/// Returns the codes of errors of a Shoot in `workspace/`, and the messages of the server.
fn judged(garden: &str, prepare: impl Fn(&Path), arguments: &[&str]) -> (Vec<String>, String) {
    let configuration = format!("review: {{garden: {garden:?}}}\n");
    let shoot = SHOOT.replace(DENIED, "unknown");
    let folder = folder(&[
        ("workspace/shoot.yaml", &shoot),
        ("workspace/.garden-gate.yaml", &configuration),
        ("outside/x.yaml", "a: b\n"),
    ]);
    let workspace = folder.path().join("workspace");
    prepare(&workspace);
    let mut client = Client::initialized(&workspace, arguments);
    client.open(&uri(&workspace.join("shoot.yaml")), &shoot);
    let message = client.received("window/logMessage")["params"]["message"].clone();
    (errors(&mut client, &workspace), message.as_str().unwrap_or_default().to_owned())
}

#[rstest]
#[case::root("/")]
#[case::above("..")]
#[case::far_above("../../../../../..")]
#[case::beside("../outside")]
#[case::out_and_back("../workspace/../outside")]
#[case::host("//host/share")]
#[case::device("/dev/zero")]
#[case::link("link")]
#[case::below_link("link/outside")]
fn garden_outside_of_the_workspace_is_not_read(#[case] garden: &str) {
    let link = |workspace: &Path| symlink("..", workspace.join("link")).unwrap();
    let (codes, message) = judged(garden, link, &[]);
    assert!(message.contains("the garden is not read: `review.garden` is"), "{message}");
    assert!(message.contains("name it with `--garden DIR` in the arguments"), "{message}");
    assert!(!codes.contains(&"shoot/toleration-not-whitelisted".to_owned()), "{codes:?}");
}

#[rstest]
#[case::directory(|workspace: &Path| {
    copy_garden(workspace);
    symlink("/", workspace.join("garden/link")).unwrap();
})]
#[case::many(|workspace: &Path| {
    let directory = workspace.join("garden");
    fs::create_dir(&directory).unwrap();
    for number in 0..20_001 {
        fs::write(directory.join(format!("{number}.yaml")), "").unwrap();
    }
})]
#[case::large(|workspace: &Path| {
    let directory = workspace.join("garden");
    fs::create_dir(&directory).unwrap();
    for number in 0..5 {
        let file = fs::File::create(directory.join(format!("{number}.yaml"))).unwrap();
        file.set_len(60 << 20).unwrap();
    }
})]
fn garden_of_the_workspace_is_bounded(#[case] prepare: fn(&Path)) {
    let (codes, message) = judged("garden", prepare, &[]);
    assert!(message.contains("which the workspace names, is not read: "), "{message}");
    assert!(!codes.contains(&"shoot/toleration-not-whitelisted".to_owned()), "{codes:?}");
}

#[test]
fn link_in_the_garden_of_a_workspace_is_not_followed_to_the_outside() {
    let link = |workspace: &Path| {
        copy_garden(workspace);
        symlink("../../outside/x.yaml", workspace.join("garden/link.yaml")).unwrap();
    };
    let (_, message) = judged("garden", link, &[]);
    assert!(message.contains("leads out of"), "{message}");
}

#[test]
fn garden_of_the_workspace_is_read() {
    let shoot = SHOOT.replace(DENIED, "unknown");
    let folder = folder(&[
        ("sub/shoot.yaml", &shoot),
        (".garden-gate.yaml", "review: {garden: sub/../garden}\n"),
    ]);
    copy_garden(folder.path());
    let mut client = Client::initialized(folder.path(), &[]);
    client.open(&uri(&folder.path().join("sub/shoot.yaml")), &shoot);
    let codes = errors(&mut client, &folder.path().join("sub"));
    assert!(codes.contains(&"shoot/toleration-not-whitelisted".to_owned()), "{codes:?}");
    assert_eq!(client.exit(), Some(0));
}

#[rstest]
#[case::garden(&["--garden", GARDEN])]
#[case::configuration(&["--config", "user.yaml"])]
fn garden_of_the_user_is_read_anywhere(#[case] arguments: &[&str]) {
    let shoot = SHOOT.replace(DENIED, "unknown");
    let own = format!("review: {{garden: {GARDEN}}}\n");
    let folder = folder(&[
        ("shoot.yaml", &shoot),
        (".garden-gate.yaml", "review: {garden: /}\n"),
        ("user.yaml", &own),
    ]);
    let mut client = Client::initialized(folder.path(), arguments);
    client.open(&uri(&folder.path().join("shoot.yaml")), &shoot);
    let codes = errors(&mut client, folder.path());
    assert!(codes.contains(&"shoot/toleration-not-whitelisted".to_owned()), "{codes:?}");
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
}
