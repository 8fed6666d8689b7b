// SPDX-License-Identifier: Apache-2.0
//! Tests of `garden-gate review` for changes: old and new state from directories, Git, or the garden, as one set.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use crate::folder;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{garden_gate, printed};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A working folder.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self(folder::folder(files))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        folder::write(self.path(), name, text);
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=n",
                "-c",
                "user.email=e@example.com",
                "-c",
                "init.defaultBranch=main",
            ])
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .current_dir(self.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    /// Commits all files.
    pub(crate) fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "m"]);
    }

    pub(crate) fn review(&self, arguments: &[&str]) -> Reviewed {
        let mut command = garden_gate(&["review"]);
        command.args(arguments).current_dir(self.path());
        let (code, out, err) = printed(command.output().unwrap());
        Reviewed { code, out, err }
    }

    /// Returns `operation kind/name verdict`, then notes and findings, of each object in order.
    pub(crate) fn verdicts(&self, arguments: &[&str]) -> Vec<String> {
        let reviewed = self.review(&[arguments, &["--format", "json"]].concat());
        let json = reviewed.json();
        json["reviews"].as_array().unwrap().iter().map(line).collect()
    }
}

pub(crate) struct Reviewed {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Reviewed {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|_| unreachable!("{}{}", self.out, self.err))
    }
}

fn line(review: &Value) -> String {
    let text = |name: &str| review[name].as_str().unwrap().to_owned();
    let mut line =
        format!("{} {}/{} {}", text("operation"), text("kind"), text("name"), text("verdict"));
    let of = |list: &Value, name: &str| -> Vec<String> {
        let items = list.as_array().into_iter().flatten();
        items.map(|it| it.get(name).unwrap_or(it).as_str().unwrap().to_owned()).collect()
    };
    let denials: Vec<Value> = review["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["level"] == "deny")
        .cloned()
        .collect();
    for said in [
        of(&review["notes"], ""),
        of(&json!(denials), "finding"),
        of(&review["undetermined"], "rule"),
    ]
    .concat()
    {
        line += &format!("; {said}");
    }
    line
}

fn manifest(kind: &str, namespace: &str, name: &str, spec: &Value) -> String {
    let metadata = match namespace {
        "" => json!({"name": name}),
        _ => json!({"name": name, "namespace": namespace}),
    };
    json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": kind, "metadata": metadata, "spec": spec}).to_string()
}

pub(crate) fn project(name: &str) -> String {
    manifest("Project", "", name, &json!({"namespace": format!("garden-{name}")}))
}

fn profile(versions: &[&str]) -> String {
    let versions: Vec<Value> = versions.iter().map(|it| json!({"version": it})).collect();
    let image = json!({"name": "os", "versions": [{"version": "1.0.0", "architectures": ["amd64"], "cri": [{"name": "containerd"}]}]});
    manifest(
        "CloudProfile",
        "",
        "cloud",
        &json!({
            "type": "local",
            "kubernetes": {"versions": versions},
            "machineImages": [image],
            "machineTypes": [{"name": "large", "cpu": "2", "gpu": "0", "memory": "8Gi"}],
            "regions": [{"name": "here"}],
        }),
    )
}

pub(crate) fn shoot(name: &str, version: &str) -> String {
    manifest(
        "Shoot",
        "garden-dev",
        name,
        &json!({
            "cloudProfile": {"kind": "CloudProfile", "name": "cloud"},
            "region": "here",
            "credentialsBindingName": "account",
            "kubernetes": {"version": version},
            "networking": {"type": "calico", "nodes": "10.0.0.0/16"},
            "provider": {"type": "local", "workers": [{
                "name": "pool", "minimum": 1, "maximum": 2,
                "machine": {"type": "large", "image": {"name": "os", "version": "1.0.0"}},
            }]},
        }),
    )
}

const BOTH: &[&str] = &["1.33.2", "1.33.1"];
const NEW: &[&str] = &["1.33.2"];

/// A garden with a CloudProfile, Project dev, and a Shoot of it.
pub(crate) fn garden(folder: &Folder) {
    folder.write("garden/profile.yaml", &profile(BOTH));
    folder.write("garden/project.yaml", &project("dev"));
    folder.write("garden/shoot.yaml", &shoot("web", "1.33.1"));
    let none = "apiVersion: core.gardener.cloud/v1beta1\nkind: SeedList\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBindingList\n";
    folder.write("garden/none.yaml", none);
}

#[test]
fn what_the_garden_holds_is_updated_and_everything_else_is_new() {
    let folder =
        Folder::new(&[("a.yaml", &shoot("web", "1.33.2")), ("b.yaml", &shoot("db", "1.33.2"))]);
    garden(&folder);
    let expected = ["UPDATE Shoot/web allowed", "CREATE Shoot/db allowed"];
    assert_eq!(folder.verdicts(&["--garden", "garden", "a.yaml", "b.yaml"]), expected);
    folder.write("a.yaml", &shoot("web", "1.32.9"));
    let denied = folder.verdicts(&["--garden", "garden", "a.yaml"]);
    assert!(denied[0].contains("shoot/kubernetes-version-downgrade"), "{denied:?}");
    let heading = "a.yaml: UPDATE of Shoot garden-dev/web (from garden): denied";
    assert!(folder.review(&["--garden", "garden", "a.yaml"]).out.starts_with(heading));
}

#[test]
fn a_version_may_go_in_the_change_in_which_the_last_shoot_leaves_it() {
    let folder = Folder::new(&[
        ("new/profile.yaml", &profile(NEW)),
        ("new/shoot.yaml", &shoot("web", "1.33.2")),
    ]);
    garden(&folder);
    let arguments = ["--garden", "garden", "new"];
    let expected = [
        "UPDATE CloudProfile/cloud allowed; needs Shoot garden-dev/web of this change first",
        "UPDATE Shoot/web allowed",
    ];
    assert_eq!(folder.verdicts(&arguments), expected);
    folder.write("garden/other.yaml", &shoot("other", "1.33.1"));
    let refused = "UPDATE CloudProfile/cloud denied; cloudprofile/kubernetes-version-in-use";
    assert_eq!(folder.verdicts(&arguments), [refused, "UPDATE Shoot/web allowed"]);
}

#[test]
fn objects_that_come_together_count_for_each_other() {
    let overlay = json!({
        "parent": {"kind": "CloudProfile", "name": "cloud"},
        "kubernetes": {"versions": [{"version": "1.33.1", "expirationDate": "2040-01-01T00:00:00Z"}]},
    });
    let overlay = manifest("NamespacedCloudProfile", "garden-new", "ours", &overlay);
    let shoot = shoot("web", "1.33.1").replace("garden-dev", "garden-new").replace(
        r#""kind":"CloudProfile","name":"cloud""#,
        r#""kind":"NamespacedCloudProfile","name":"ours""#,
    );
    let folder = Folder::new(&[
        ("new/a.yaml", &project("new")),
        ("new/b.yaml", &overlay),
        ("new/c.yaml", &shoot),
    ]);
    garden(&folder);
    let verdicts = folder.verdicts(&["--garden", "garden", "new"]);
    assert_eq!(verdicts[0], "CREATE Project/new allowed");
    assert!(verdicts[1].starts_with("CREATE NamespacedCloudProfile/ours allowed"), "{verdicts:?}");
    assert!(verdicts[2].starts_with("CREATE Shoot/web allowed; needs"), "{verdicts:?}");
}

#[test]
fn a_directory_of_before_shows_what_is_new_changed_or_gone() {
    let folder = Folder::new(&[
        (
            "old/all.yaml",
            &[project("dev"), project("gone"), shoot("web", "1.33.1"), shoot("same", "1.33.1")]
                .join("\n---\n"),
        ),
        (
            "new/shoots.yaml",
            &[shoot("same", "1.33.1"), shoot("web", "1.33.2"), shoot("db", "1.33.2")]
                .join("\n---\n"),
        ),
        ("new/project.yaml", &project("dev")),
    ]);
    garden(&folder);
    let arguments = ["--garden", "garden", "--old", "old", "new"];
    let expected = [
        "UPDATE Shoot/web allowed",
        "CREATE Shoot/db allowed",
        "DELETE Project/gone denied; project/deletion-not-confirmed",
    ];
    assert_eq!(folder.verdicts(&arguments), expected);
    let json = folder.review(&[&arguments[..], &["--format", "json"]].concat()).json();
    assert_eq!(json["leftOut"]["unchanged"], 2);
    assert_eq!(json["reviews"][0]["from"], "old as stored in garden");
}

#[test]
fn git_comparison_starts_at_the_merge_base() {
    let folder = Folder::new(&[
        ("shoots/web.yaml", &shoot("web", "1.33.1")),
        ("gone.yaml", &project("gone")),
    ]);
    garden(&folder);
    folder.git(&["init", "-q"]);
    folder.commit();
    folder.git(&["checkout", "-qb", "feature"]);
    folder.git(&["mv", "shoots/web.yaml", "shoots/renamed.yaml"]);
    folder.commit();
    folder.git(&["checkout", "-q", "main"]);
    folder.write("later.yaml", &project("later"));
    folder.commit();
    folder.git(&["checkout", "-q", "feature"]);
    fs::remove_file(folder.path().join("gone.yaml")).unwrap();
    let arguments = ["--garden", "garden", "--git", "main", "."];
    let gone = "DELETE Project/gone denied; project/deletion-not-confirmed";
    assert_eq!(
        folder.verdicts(&arguments),
        [gone],
        "a renamed file changes nothing, and what came to main later is not gone"
    );
    folder.write("shoots/renamed.yaml", &shoot("web", "1.33.2"));
    let expected = ["UPDATE Shoot/web allowed", gone];
    assert_eq!(folder.verdicts(&arguments), expected);
    assert_eq!(folder.verdicts(&["--garden", "garden", "--git", "main", "shoots"]), expected[..1]);
    let of_main = folder.verdicts(&["--garden", "garden", "--git", "main..", "."]);
    assert!(
        of_main.contains(&"DELETE Project/later denied; project/deletion-not-confirmed".to_owned()),
        "{of_main:?}"
    );
    folder.git(&["checkout", "-q", "--detach"]);
    assert_eq!(folder.verdicts(&arguments), expected, "a detached work tree is as good");
}

#[test]
fn git_failures_are_one_line_with_a_fix() {
    let folder = Folder::new(&[("a.yaml", &project("dev"))]);
    let says = |arguments: &[&str], expected: &str| {
        let Reviewed { code, out, err } = folder.review(arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains(expected) && err.lines().count() == 1, "{err}");
    };
    says(
        &["--git", "main"],
        "is in no Git repository; --git needs one, --old takes a directory or file instead",
    );
    folder.git(&["init", "-q"]);
    says(&["--git", "main"], "has no commits yet");
    folder.commit();
    says(
        &["--git", "origin/nope"],
        "Git knows no revision `origin/nope`; fetch it first, as in `git fetch origin nope`",
    );
    says(&["--git=--upload-pack=x"], "Git knows no revision `--upload-pack=x`");
    says(&["--git", "main", "/"], "is in no Git repository");
    folder.git(&["checkout", "-q", "--orphan", "other"]);
    folder.write("other.yaml", &project("other"));
    folder.commit();
    says(
        &["--git", "main"],
        "`main` and HEAD have no common history; compare with `main` itself by `--git main..`",
    );
}

#[test]
fn what_is_to_be_compared_with_has_to_be_there() {
    let folder = Folder::new(&[("a.yaml", &project("dev")), ("broken.yaml", "a: [")]);
    for (old, why) in
        [("no-such", "there is no such file"), ("broken.yaml", "not valid YAML: while parsing")]
    {
        let Reviewed { code, err, .. } = folder.review(&["--old", old, "a.yaml"]);
        let expected = format!("error: cannot compare with `{old}`: {why}");
        assert!(code == Some(2) && err.starts_with(&expected), "{err}");
    }
}

#[test]
fn shallow_clone_error_names_the_fetch_command() {
    let folder = Folder::new(&[("a.yaml", &project("dev"))]);
    folder.git(&["init", "-q"]);
    folder.commit();
    folder.git(&["checkout", "-qb", "feature"]);
    folder.write("b.yaml", &project("b"));
    folder.commit();
    folder.git(&["checkout", "-q", "main"]);
    folder.write("c.yaml", &project("c"));
    folder.commit();
    let clone = Folder::new(&[]);
    let from = format!("file://{}", folder.path().display());
    clone.git(&[
        "clone",
        "-q",
        "--depth",
        "1",
        "--no-single-branch",
        "--branch",
        "feature",
        &from,
        ".",
    ]);
    let told = clone.review(&["--git", "origin/main"]);
    assert!(
        told.err.contains("the clone is shallow") && told.err.contains("git fetch --unshallow"),
        "{}",
        told.err
    );
    clone.git(&["fetch", "-q", "--unshallow"]);
    assert_eq!(clone.verdicts(&["--git", "origin/main"]).len(), 1);
}

#[test]
fn a_directory_is_walked_as_its_owner_wants() {
    let folder = Folder::new(&[
        ("in/a.yaml", &project("a")),
        ("in/deep/b.yml", &project("b")),
        ("in/c.json", &project("c")),
        ("in/notes.txt", &project("no")),
        ("in/.hidden/d.yaml", &project("d")),
        ("in/ignored/e.yaml", &project("no")),
        ("in/.gitignore", "ignored/\n"),
        ("in/ours/f.yaml", &project("no")),
        ("in/.garden-gate-ignore", "ours/\n"),
        ("in/template.yaml", "{{- range .Values.shoots }}\n- {{ . }\n"),
        ("in/secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"),
    ]);
    std::os::unix::fs::symlink("..", folder.path().join("in/deep/loop")).unwrap();
    let fifo = Command::new("mkfifo").arg(folder.path().join("in/fifo.yaml")).status().unwrap();
    assert!(fifo.success());
    garden(&folder);
    let arguments = ["--garden", "garden", "--format", "json", "in"];
    let json = folder.review(&arguments).json();
    let names: Vec<&str> =
        json["reviews"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["d", "a", "c", "b", "", ""]);
    let said = |index: usize| json["reviews"][index]["error"]["message"].as_str().unwrap();
    assert!(said(4).starts_with("a symbolic link leads back to"));
    assert!(said(5).starts_with("a pipe, a socket or a device, not a file"));
    assert_eq!(json["leftOut"]["others"], 1);
    let left: Vec<&str> = json["leftOut"]["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["file"].as_str().unwrap())
        .collect();
    assert_eq!(left, ["in/template.yaml"]);
    let strict = folder.review(&[&arguments[..], &["--strict-files"]].concat());
    assert_eq!(strict.code, Some(1));
    assert_eq!(strict.json()["reviews"].as_array().unwrap().len(), 7);
}

#[test]
fn one_broken_file_does_not_discard_the_verdicts_about_the_others() {
    let folder = Folder::new(&[("a.yaml", &project("a")), ("broken.yaml", "a: [\n")]);
    garden(&folder);
    let reviewed =
        folder.review(&["--garden", "garden", "--format", "json", "a.yaml", "broken.yaml"]);
    assert_eq!(reviewed.code, Some(1));
    let json = reviewed.json();
    assert_eq!(json["reviews"][0]["verdict"], "allowed");
    assert_eq!(json["reviews"][1]["verdict"], "undetermined");
}

#[test]
fn nothing_to_review_exits_with_3() {
    let folder =
        Folder::new(&[("in/secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n")]);
    let text = folder.review(&["in"]);
    assert_eq!(text.code, Some(3));
    assert!(text.out.contains("\nthere is nothing to review"), "{}", text.out);
    let json = folder.review(&["in", "--format", "json"]);
    assert_eq!((json.code, json.json()["reviews"].clone()), (Some(3), json!([])));
}

#[test]
fn verbs_are_noted_without_a_user() {
    let folder = Folder::new(&[(
        "p.yaml",
        &manifest(
            "Project",
            "",
            "dev",
            &json!({
                "namespace": "garden-dev", "tolerations": {"whitelist": [{"key": "k"}]},
            }),
        ),
    )]);
    garden(&folder);
    let note = "the requesting user needs the verb `modify-spec-tolerations-whitelist` on `projects.core.gardener.cloud` `dev`";
    let verdicts = folder.verdicts(&["--garden", "garden", "p.yaml"]);
    assert_eq!(verdicts, [format!("UPDATE Project/dev allowed; {note}")]);
    let named = folder.verdicts(&["--garden", "garden", "--as", "alice", "p.yaml"]);
    assert!(named[0].starts_with("UPDATE Project/dev denied; project/"), "{named:?}");
}

#[test]
fn the_instant_can_be_chosen() {
    let folder = Folder::new(&[("s.yaml", &shoot("db", "1.33.1"))]);
    garden(&folder);
    let expiring = profile(BOTH).replace(
        r#"{"version":"1.33.1"}"#,
        r#"{"version":"1.33.1","expirationDate":"2040-01-01T00:00:00Z"}"#,
    );
    folder.write("garden/profile.yaml", &expiring);
    let at = |at: &str| folder.verdicts(&["--garden", "garden", "--at", at, "s.yaml"]);
    assert_eq!(at("2039-12-31T23:59:59Z"), ["CREATE Shoot/db allowed"]);
    let after = at("2040-01-01T00:00:01Z");
    assert!(after[0].starts_with("CREATE Shoot/db denied"), "{after:?}");
}

/// More objects than are judged before the first verdict is written.
#[test]
fn what_comes_first_may_need_what_comes_last_of_many() {
    let names: Vec<String> = (0..600).map(|number| format!("p{number:03}")).collect();
    let projects = names.iter().map(|name| project(name));
    let mut objects = vec![profile(NEW)];
    objects.extend(projects.chain([shoot("web", "1.33.2")]));
    let folder = Folder::new(&[("all.yaml", &objects.join("\n---\n"))]);
    garden(&folder);
    let mut expected = vec![
        "UPDATE CloudProfile/cloud allowed; needs Shoot garden-dev/web of this change first"
            .to_owned(),
    ];
    expected.extend(names.iter().map(|name| format!("CREATE Project/{name} allowed")));
    expected.push("UPDATE Shoot/web allowed".to_owned());
    let arguments = ["--garden", "garden", "all.yaml"];
    assert_eq!(folder.verdicts(&arguments), expected);
    let text = folder.review(&[&arguments[..], &["--verbose"]].concat()).out;
    let headings = text.lines().filter(|line| line.starts_with("all.yaml: "));
    assert_eq!(headings.count(), objects.len());
    assert!(
        text.ends_with(
            "\n0 denied, 0 undetermined, 602 allowed; 1 warning in 602 objects of 1 file\n"
        ),
        "{text}"
    );
}

#[test]
fn the_order_does_not_depend_on_cores() {
    let names: Vec<String> = (0..100).map(|number| format!("s{number:03}")).collect();
    let shoots: Vec<String> = names.iter().map(|name| shoot(name, "1.33.2")).collect();
    let folder = Folder::new(&[("all.yaml", &shoots.join("\n---\n"))]);
    garden(&folder);
    let expected: Vec<String> =
        names.iter().map(|it| format!("CREATE Shoot/{it} allowed")).collect();
    assert_eq!(folder.verdicts(&["--garden", "garden", "all.yaml"]), expected);
}

/// A realistic repository: duplicate keys, templates, several variants of one Shoot.
#[test]
fn an_untidy_repository_is_got_through() {
    let folder = Folder::new(&[
        (
            "repo/10-secret.yaml",
            "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: b}\ndata: {a: c}\n",
        ),
        ("repo/20-template.yaml", "kind: Shoot\nmetadata:\n  name: {{ .Name }}\n"),
        ("repo/30-shoot.yaml", &shoot("local", "1.33.2")),
        ("repo/31-shoot-variant.yaml", &shoot("local", "1.33.1")),
    ]);
    garden(&folder);
    let arguments = ["--garden", "garden", "repo"];
    assert_eq!(folder.verdicts(&arguments), ["CREATE Shoot/local allowed"; 2]);
    let text = folder.review(&arguments).out;
    assert_eq!(text.matches("warn[object/duplicate]: Shoot `garden-dev/local` is also").count(), 2);
}

#[test]
fn unreadable_paths_are_reported() {
    let folder = Folder::new(&[("a.yaml", &project("a"))]);
    garden(&folder);
    let large: PathBuf = folder.path().join("large.yaml");
    fs::File::create(&large).unwrap().set_len(1 << 30).unwrap();
    let reviewed =
        folder.review(&["--garden", "garden", "--format", "json", "large.yaml", "a.yaml"]);
    assert_eq!(reviewed.json()["reviews"][0]["error"]["message"], "larger than 64 MiB; split it");
    assert_eq!(reviewed.json()["reviews"][1]["verdict"], "allowed");
}

/// Returns a Shoot that refers to a Secret.
fn referring(secret: &str) -> String {
    let mut shoot: Value = serde_json::from_str(&shoot("web", "1.33.1")).unwrap();
    let reference = json!({"apiVersion": "v1", "kind": "Secret", "name": secret});
    shoot["spec"]["resources"] = json!([{"name": "r", "resourceRef": reference}]);
    shoot.to_string()
}

fn secret(name: &str) -> String {
    let metadata = json!({"name": name, "namespace": "garden-dev"});
    json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": {"a": "Yg=="}})
        .to_string()
}

#[test]
fn a_secret_that_is_referred_to_is_in_the_garden_or_comes_along() {
    let folder = Folder::new(&[("a.yaml", &referring("gone"))]);
    garden(&folder);
    let review = ["--garden", "garden", "a.yaml"];
    let reads = "the requesting user needs the verb `get` on `secrets` `garden-dev/gone`";
    let passes = [format!("UPDATE Shoot/web allowed; {reads}")];
    let not_judged = || {
        let text = folder.review(&review).out;
        let parts = text.lines().find_map(|it| it.strip_prefix("not judged: "));
        let mut parts = parts.unwrap_or_default().split("; ");
        parts.find(|it| it.starts_with("spec.resources")).map(str::to_owned)
    };
    // If the garden has no Secret of the namespace, the check is undetermined.
    assert_eq!(folder.verdicts(&review), passes);
    let expected = "spec.resources: whether Secret `garden-dev/gone` exists: the garden tells of no Secret of namespace `garden-dev`";
    assert_eq!(not_judged().as_deref(), Some(expected));
    folder.write("garden/secret.yaml", &secret("other"));
    let denied = format!("UPDATE Shoot/web denied; {reads}; shoot/reference-missing");
    assert_eq!(folder.verdicts(&review), [denied]);
    assert_eq!(not_judged(), None);
    folder.write("secret.yaml", &secret("gone"));
    let with = ["--garden", "garden", "a.yaml", "secret.yaml"];
    assert_eq!(folder.verdicts(&with), passes);
}
