// SPDX-License-Identifier: Apache-2.0
//! Symbolic links, which a pull request can contain: no output leaves the tree through them, and no foreign file is shown.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use rstest::rstest;
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder;

/// A part of all secrets, which no output may contain.
const CANARY: &str = "kanarienvogel";
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

/// A checkout with a manifest and a garden, next to a directory with files of the runner.
struct World {
    folder: TempDir,
    is_git: bool,
}

impl World {
    fn new(is_git: bool) -> Self {
        let folder = folder::folder(&[("outside/file", CANARY), ("checkout/keep", "")]);
        let world = Self { folder, is_git };
        world.copy("manifests/shoot-denied.yaml", "checkout/shoots/shoot.yaml");
        for name in ["cloudprofile", "projects", "seeds", "shoots"] {
            let file = format!("{name}.yaml");
            world.copy(&format!("garden/{file}"), &format!("checkout/garden/{file}"));
        }
        if is_git {
            let mut git = Command::new("git");
            git.args(["init", "-q", "."]).current_dir(world.at("checkout"));
            assert!(git.status().unwrap().success());
            folder::write(world.folder.path(), "checkout/.git/secret", CANARY);
        }
        world
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn copy(&self, from: &str, to: &str) {
        let text = fs::read_to_string(Path::new(EXAMPLES).join(from)).unwrap();
        folder::write(self.folder.path(), to, &text);
    }

    fn link(&self, target: impl AsRef<Path>, link: &str) {
        let link = self.at(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(target, link).unwrap();
    }

    /// Runs the program in the checkout.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut command = garden_gate(arguments);
        command.current_dir(self.at("checkout")).env("HOME", self.at("outside"));
        printed(command.output().unwrap())
    }

    /// Returns all files that a link may lead to, with their contents.
    fn foreign(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut roots = vec![self.at("outside")];
        roots.extend(self.is_git.then(|| self.at("checkout/.git")));
        let entries = roots.iter().flat_map(walkdir::WalkDir::new);
        let files = entries.map(|it| it.unwrap().into_path()).filter(|it| it.is_file());
        files.map(|it| (it.clone(), fs::read(it).unwrap())).collect()
    }
}

/// Ways out of a checkout for the path `out/report`.
const WAYS: [&str; 6] = ["file", "new", "absolute", "directory", "chain", "git"];

/// Makes `out/report` lead out of the checkout.
fn plant(world: &World, way: &str) {
    match way {
        "file" => world.link("../../outside/file", "checkout/out/report"),
        "new" => world.link("../../outside/new", "checkout/out/report"),
        "absolute" => world.link(world.at("outside/file"), "checkout/out/report"),
        "directory" => world.link("../outside", "checkout/out"),
        "chain" => {
            world.link("../next", "checkout/out/report");
            world.link("outside-too/file", "checkout/next");
            world.link("../outside", "checkout/outside-too");
        }
        _ => world.link("../.git/secret", "checkout/out/report"),
    }
}

const REVIEW: [&str; 5] = ["review", "--garden", "garden", "shoots", "--format"];
const AUDIT: [&str; 4] = ["audit", "--garden", "garden", "--format"];
const FORECAST: [&str; 4] = ["forecast", "--garden", "garden", "--format"];

#[rstest]
#[case::review(&REVIEW, &["text", "json", "sarif", "junit", "github", "markdown", "status"])]
#[case::audit(&AUDIT, &["text", "json", "html", "openreports"])]
#[case::forecast(&FORECAST, &["text", "json", "markdown", "html", "ics"])]
#[case::baseline(&["review", "--garden", "garden", "shoots", "--write-baseline"], &[""])]
#[case::certificate(&["serve", "--no-garden", "--listen", "127.0.0.1:0", "--ca-out"], &[""])]
fn no_output_leaves_the_tree(
    #[case] arguments: &[&str],
    #[case] formats: &[&str],
    #[values(true, false)] is_git: bool,
) {
    for way in WAYS.into_iter().filter(|way| is_git || *way != "git") {
        for format in formats {
            let world = World::new(is_git);
            plant(&world, way);
            let before = world.foreign();
            let output = if format.is_empty() {
                "out/report".to_owned()
            } else {
                format!("{format}=out/report")
            };
            let (code, out, err) = world.run(&[arguments, &[&output]].concat());
            assert_eq!(code, Some(2), "{way} {output}: {out}{err}");
            assert!(err.contains("the symbolic link `"), "{way} {output}: {err}");
            assert_eq!(world.foreign(), before, "{way} {output}");
        }
    }
}

/// Outside of Git, a link beside a named file must not leave its directory.
#[rstest]
#[case::review(&["review", "--garden", "garden", "shoots/shoot.yaml", "--format"], "json=shoots/report")]
#[case::review_of_both(&["review", "--garden", "garden", "garden", "shoots/shoot.yaml", "--format"], "sarif=shoots/report")]
#[case::baseline(&["review", "--garden", "garden", "shoots/shoot.yaml", "--write-baseline"], "shoots/report")]
#[case::forecast(&["forecast", "--garden", "garden", "--with", "shoots/profile.yaml", "--format"], "json=shoots/report")]
fn no_output_leaves_the_directory_of_a_named_file(
    #[case] arguments: &[&str],
    #[case] output: &str,
) {
    let world = World::new(false);
    world.copy("garden/cloudprofile.yaml", "checkout/shoots/profile.yaml");
    world.link("../keep", "checkout/shoots/report");
    let (code, out, err) = world.run(&[arguments, &[output]].concat());
    assert_eq!(code, Some(2), "{out}{err}");
    assert!(err.contains("the symbolic link `shoots/report`"), "{err}");
    assert_eq!(fs::read_to_string(world.at("checkout/keep")).unwrap(), "");
}

#[rstest]
#[case::man_pages(&["man", "out"], "checkout/out")]
#[case::configuration(&["init", "out"], "checkout/out")]
#[case::workflow(&["init", "--github", "OWNER/garden-gate@main"], "checkout/.github")]
#[case::folder_of_workflows(&["init", "--github", "OWNER/garden-gate@main"], "checkout/.github/workflows")]
fn no_directory_of_outputs_leaves_the_tree(
    #[case] arguments: &[&str],
    #[case] link: &str,
    #[values("outside", "outside/new", "checkout/.git/hooks")] target: &str,
) {
    let world = World::new(true);
    world.link(world.at(target), link);
    let before = world.foreign();
    let (code, out, err) = world.run(arguments);
    assert_eq!(code, Some(2), "{out}{err}");
    assert!(err.contains("leads out of"), "{err}");
    assert_eq!(world.foreign(), before);
}

#[test]
fn outputs_follow_links_of_the_user_and_links_that_stay() {
    let world = World::new(true);
    world.link("file", "outside/link");
    world.link("../kept", "checkout/out/report");
    let link = format!("json={}", world.at("outside/link").display());
    let report = ["json=out/report", &link, "text=/dev/stdout", "markdown=/dev/stderr"];
    let formats = report.iter().flat_map(|it| ["--format", it]);
    let arguments: Vec<&str> = REVIEW[..4].iter().copied().chain(formats).collect();
    let (code, out, err) = world.run(&arguments);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("denied") && err.contains("###"), "{out}{err}");
    for file in ["outside/file", "checkout/kept"] {
        let text = fs::read_to_string(world.at(file)).unwrap();
        assert!(text.starts_with('{'), "{file}: {text}");
    }
    for link in ["outside/link", "checkout/out/report"] {
        assert!(world.at(link).is_symlink());
    }
}

/// Files of a runner, in the forms of credentials, and in those that are read.
fn secrets() -> [String; 7] {
    [
        format!("machine example.com login user password {CANARY}\n"),
        format!("https://user:{CANARY}@example.com\n"),
        format!("[default]\naws_secret_access_key = {CANARY}\n"),
        format!("-----BEGIN KEY-----\n{CANARY}: *{CANARY}\n{CANARY}\n"),
        format!("{{\"auths\": {{\"{CANARY}\": {{}}}}}}"),
        format!("\"{CANARY}\""),
        format!(
            "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {{name: {CANARY}, namespace: {CANARY}}}\nspec: {{region: {CANARY}, {CANARY}: 1}}\n---\n{CANARY}: *{CANARY}\n"
        ),
    ]
}

/// A file that is read, and the command that reads it.
#[rstest]
#[case::found("checkout/.garden-gate.yaml", &["review", "shoots"])]
#[case::found_in_subdirectory("checkout/shoots/.garden-gate.yaml", &["review", "shoots"])]
#[case::found_by_audit("checkout/.garden-gate.yaml", &["audit", "--garden", "garden"])]
#[case::found_by_forecast("checkout/.garden-gate.yaml", &["forecast", "--garden", "garden"])]
#[case::named("checkout/gate.yaml", &["review", "--config", "gate.yaml", "shoots"])]
#[case::checked("checkout/gate.yaml", &["config", "check", "gate.yaml"])]
#[case::admission("checkout/gate.yaml", &["review", "--admission-config", "gate.yaml", "shoots"])]
#[case::baseline("checkout/base.json", &["review", "--baseline", "base.json", "shoots"])]
#[case::earlier_report("checkout/base.json", &["audit", "--garden", "garden", "--changed-since", "base.json"])]
#[case::earlier_forecast("checkout/base.json", &["forecast", "--garden", "garden", "--changed-since", "base.json"])]
#[case::git_ignore("checkout/shoots/.gitignore", &["review", "shoots"])]
#[case::ignore("checkout/shoots/.garden-gate-ignore", &["review", "shoots"])]
#[case::ignore_above("checkout/.garden-gate-ignore", &["review", "shoots"])]
#[case::kustomization("checkout/shoots/kustomization.yaml", &["review", "shoots"])]
#[case::resource("checkout/shoots/resource.txt", &["review", "shoots"])]
#[case::manifest("checkout/shoots/other.yaml", &["review", "shoots"])]
#[case::hidden_manifest("checkout/shoots/.other.yaml", &["review", "shoots"])]
#[case::named_manifest("checkout/shoots/other.yaml", &["review", "shoots/other.yaml"])]
#[case::fixed("checkout/shoots/other.yaml", &["review", "--fix=all", "--diff", "shoots"])]
#[case::old("checkout/old.yaml", &["review", "--old", "old.yaml", "shoots"])]
#[case::garden("checkout/garden/other.yaml", &["review", "--garden", "garden", "shoots"])]
#[case::audited("checkout/garden/other.yaml", &["audit", "--garden", "garden", "--each"])]
#[case::record("checkout/garden/garden-dump.yaml", &["review", "--garden", "garden", "shoots"])]
#[case::profile("checkout/profile.yaml", &["forecast", "--garden", "garden", "--with", "profile.yaml"])]
#[case::policy("checkout/policy.yaml", &["review", "--policies", "policy.yaml", "shoots"])]
#[case::policies("checkout/policies/policy.yaml", &["review", "--policies", "policies", "shoots"])]
#[case::checked_policy("checkout/policy.yaml", &["policies", "check", "policy.yaml"])]
#[case::tested_policy("checkout/policies/policy.yaml", &["policies", "test", "policies"])]
fn no_foreign_file_is_shown(#[case] link: &str, #[case] arguments: &[&str]) {
    for (index, secret) in secrets().iter().enumerate() {
        let is_git = index % 2 == 0;
        let world = World::new(is_git);
        folder::write(world.folder.path(), "outside/secret.yaml", secret);
        if link.ends_with("resource.txt") {
            let kustomization = "checkout/shoots/kustomization.yaml";
            folder::write(world.folder.path(), kustomization, "resources: [resource.txt]\n");
        }
        let target = if is_git && index % 4 == 0 {
            folder::write(world.folder.path(), "checkout/.git/config.yaml", secret);
            world.at("checkout/.git/config.yaml")
        } else {
            world.at("outside/secret.yaml")
        };
        world.link(target, link);
        let (code, out, err) = world.run(arguments);
        // Verdicts of an audit may not depend on the objects that are unknown.
        if arguments[0] != "audit" || !link.starts_with("checkout/garden/") {
            assert_ne!(code, Some(0), "{secret}\n{out}{err}");
        }
        let shown = out + &err;
        assert!(!shown.contains(CANARY), "{secret}\n{shown}");
        assert!(shown.contains("the symbolic link `"), "{secret}\n{shown}");
    }
}

/// A garden directory, as a link or through one, named on the command line or by a configuration.
#[rstest]
#[case::argument(&["review", "--garden", "linked", "shoots"])]
#[case::configuration(&["review", "shoots"])]
#[case::audit(&["audit", "--garden", "linked"])]
#[case::forecast(&["forecast", "--garden", "linked"])]
#[case::below(&["review", "--garden", "linked/sub", "shoots"])]
#[case::old(&["review", "--old", "linked", "shoots"])]
#[case::reviewed(&["review", "linked"])]
#[case::reviewed_below(&["review", "linked/sub"])]
fn no_directory_leads_out_of_the_tree(
    #[case] arguments: &[&str],
    #[values(true, false)] is_git: bool,
) {
    for secret in secrets() {
        let world = World::new(is_git);
        for file in ["outside/secret.yaml", "outside/sub/secret.yaml"] {
            folder::write(world.folder.path(), file, &secret);
        }
        world.link("../outside", "checkout/linked");
        folder::write(
            world.folder.path(),
            "checkout/.garden-gate.yaml",
            "review: {garden: linked}\n",
        );
        let (code, out, err) = world.run(arguments);
        assert!(matches!(code, Some(2 | 4)), "{out}{err}");
        let shown = out + &err;
        assert!(!shown.contains(CANARY), "{shown}");
        let is_named = ["leads out of", "a configuration that was found must not name"];
        assert!(is_named.iter().any(|it| shown.contains(it)), "{shown}");
    }
}

/// A manifest that is a link out of the tree is not judged, which `kubectl apply` would store.
#[test]
fn manifest_elsewhere_makes_the_review_undetermined() {
    let world = World::new(true);
    world.copy("manifests/shoot-allowed.yaml", "checkout/shoots/shoot.yaml");
    let arguments = ["review", "--garden", EXAMPLES, "shoots"];
    let garden = format!("{EXAMPLES}/garden");
    let arguments = [&arguments[..2], &[&garden, "shoots"]].concat();
    assert_eq!(world.run(&arguments).0, Some(0));
    world.copy("manifests/shoot-denied.yaml", "outside/shoot.yaml");
    world.link("../../outside/shoot.yaml", "checkout/shoots/other.yaml");
    let (code, out, err) = world.run(&arguments);
    assert_eq!(code, Some(4), "{out}{err}");
    assert!(out.contains(
        "undetermined[object/unreadable]: the symbolic link `shoots/other.yaml` leads out of"
    ));
}

#[rstest]
#[case::review(&["review", "--garden", "garden", "linked"])]
#[case::audit(&["audit", "--garden", "garden", "--at", "2026-06-01"])]
fn dangling_link_that_is_no_manifest_is_skipped(#[case] arguments: &[&str]) {
    let world = World::new(false);
    let garden = format!("{EXAMPLES}/garden");
    world.link("./hack/common/Makefile", "checkout/linked/Makefile");
    world.link("../submodule/docs", "checkout/linked/docs");
    world.copy("manifests/shoot-allowed.yaml", "checkout/linked/shoot.yaml");
    fs::remove_dir_all(world.at("checkout/garden")).unwrap();
    let mut copy = Command::new("cp");
    copy.args(["-R", &garden]).arg(world.at("checkout/garden"));
    assert!(copy.status().unwrap().success());
    let before = world.run(arguments);
    world.link("./hack/common/Makefile", "checkout/garden/Makefile");
    let after = world.run(arguments);
    assert_eq!(after, before);
    assert!(!after.1.contains("leads nowhere") && !after.2.contains("leads nowhere"));
}
