// SPDX-License-Identifier: Apache-2.0
//! Realistic repositories and gardens: some files are for other programs, some are invalid.
//!
//! None of them may end a review or make an object count as absent.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use crate::folder;
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use crate::command::{garden_gate, printed};
use crate::folder::folder;
use rstest::rstest;
use serde_json::Value;
use tempfile::TempDir;

const CORE: &str = "apiVersion: core.gardener.cloud/v1beta1\n";
const PROFILE: &str = "kind: CloudProfile
metadata: {name: local}
spec:
  type: local
  kubernetes: {versions: [{version: 1.33.2}]}
  machineImages: [{name: os, versions: [{version: 1.0.0, architectures: [amd64], cri: [{name: containerd}]}]}]
  machineTypes: [{name: large, cpu: '2', gpu: '0', memory: 8Gi}]
  regions: [{name: here}]
";
const SHOOT: &str = "kind: Shoot
metadata: {name: local, namespace: garden-local}
spec:
  cloudProfile: {kind: CloudProfile, name: local}
  region: here
  credentialsBindingName: local
  kubernetes: {version: 1.33.2}
  networking: {type: calico, nodes: 10.0.0.0/16}
  provider:
    type: local
    workers: [{name: pool, minimum: 1, maximum: 2, machine: {type: large, image: {name: os, version: 1.0.0}}}]
";
const SEED: &str = "kind: Seed
metadata: {name: local}
spec:
  provider: {type: local, region: here}
  networks: {pods: 10.1.0.0/16, services: 10.2.0.0/16}
  ingress: {domain: in.local.example.com, controller: {kind: nginx}}
  dns:
    provider: {type: local, credentialsRef: &own {apiVersion: v1, kind: Secret, namespace: garden, name: dns}}
    internal: {domain: local.example.com, type: local, credentialsRef: *own}
  taints: []
";
const PROJECT: &str = "kind: Project\nmetadata: {name: local}\nspec: {namespace: garden-local}\n";
const WORKER: &str = "apiVersion: extensions.gardener.cloud/v1alpha1
kind: Worker
metadata: {name: local, namespace: shoot--local--local}
spec: {type: local}
";
const REGISTRATION: &str = "kind: ControllerRegistration
metadata: {name: provider-local}
spec: {resources: [{kind: Infrastructure, type: local}, {kind: ControlPlane, type: local}, {kind: Worker, type: local}, {kind: Network, type: calico}, {kind: OperatingSystemConfig, type: os}, {kind: ContainerRuntime, type: containerd}]}
";

fn core(text: &str) -> String {
    format!("{CORE}{text}")
}

/// Returns a folder in the layout of an old `example/` folder.
fn examples() -> TempDir {
    let variant = SHOOT.replace("maximum: 2", "maximum: 5");
    let list = format!(
        "apiVersion: v1\nkind: List\nitems:\n- {}",
        core(REGISTRATION).replace('\n', "\n  ").trim_end_matches(' ')
    );
    folder(&[
        ("00-empty.yaml", ""),
        ("01-comments.yaml", "# nothing here yet\n---\n# nor here\n"),
        (
            "10-secret.yaml",
            "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: garden-local}\ndata: {a: b}\ndata: {a: c}\n",
        ),
        (
            "20-template.yaml",
            "{{- range .seeds }}\napiVersion: core.gardener.cloud/v1beta1\nkind: Seed\nmetadata:\n  name: {{ .name }}\n  labels: {{ .labels }}\n{{- end }}\n",
        ),
        (
            "21-workload.tpl.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: {{ .name }}\n",
        ),
        ("30-profile.yaml", &core(PROFILE).replace('\n', "\r\n")),
        ("40-project.yaml", &format!("\u{feff}{}", core(PROJECT))),
        ("45-registration.yaml", &list),
        ("50-seed.yaml", &core(SEED)),
        ("55-worker.yaml", WORKER),
        ("60-shoot.yaml", &core(SHOOT)),
        ("61-shoot-larger.yaml", &core(&variant)),
        ("kustomization.yaml", "resources:\n- 60-shoot.yaml\n"),
    ])
}

struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Said {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|_| unreachable!("{}{}", self.out, self.err))
    }

    /// Returns `verdict or message` of each object, after its file.
    fn lines(&self) -> Vec<String> {
        let reviews = self.json()["reviews"].as_array().unwrap().clone();
        let line = |it: &Value| {
            let said = it["error"]["message"].as_str().or(it["verdict"].as_str()).unwrap();
            format!("{}: {said}", it["file"].as_str().unwrap())
        };
        reviews.iter().map(line).collect()
    }
}

fn review(folder: &Path, arguments: &[&str]) -> Said {
    let mut command = garden_gate(&["review"]);
    command.args(arguments).current_dir(folder);
    let (code, out, err) = printed(command.output().unwrap());
    Said { code, out, err }
}

fn lines(folder: &Path, arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    let said = review(folder, &[arguments, &["--format", "json"]].concat());
    (said.code, said.lines())
}

#[test]
fn a_folder_of_examples_is_reviewed() {
    let folder = examples();
    let said = review(folder.path(), &["."]);
    insta::assert_snapshot!("examples_reviewed", said.out);
    let note = "note: `20-template.yaml` is a template (`{{ }}`), not judged; render it and review the result\n";
    assert_eq!((said.code, said.err.as_str()), (Some(0), note));
}

#[test]
fn a_folder_of_examples_is_a_garden() {
    let folder = examples();
    folder::write(
        folder.path(),
        "new/shoot.yaml",
        &core(&SHOOT.replace("{name: local, namespace", "{name: other, namespace")),
    );
    folder::write(folder.path(), "new/local.yaml", &core(SHOOT));
    folder::write(folder.path(), ".garden-gate-ignore", "new/\n");
    let said = review(folder.path(), &["--garden", ".", "new/shoot.yaml", "new/local.yaml"]);
    insta::assert_snapshot!("examples_as_garden", format!("{}\n{}", said.err, said.out));
    assert_eq!(said.code, Some(4));
}

/// Returns a garden directory that a team maintains by hand.
fn part_of_a_garden() -> TempDir {
    folder(&[
        ("dump/profile.yaml", &core(PROFILE)),
        ("dump/project.yaml", &core(PROJECT)),
        ("shoot.yaml", &core(SHOOT)),
        (
            "on-a-seed.yaml",
            &(core(&SHOOT.replace("name: local, n", "name: other, n")) + "  seedName: local\n"),
        ),
    ])
}

#[test]
fn a_part_of_a_garden_is_not_an_empty_one() {
    let folder = part_of_a_garden();
    let arguments = ["--garden", "dump", "shoot.yaml", "on-a-seed.yaml"];
    let said = review(folder.path(), &arguments);
    insta::assert_snapshot!("part_of_a_garden", format!("{}\n{}", said.err, said.out));
    assert_eq!(said.code, Some(4));
    let whole = review(folder.path(), &[&arguments[..], &["--whole-garden"]].concat());
    assert!(whole.out.contains("there is no Seed `local`"), "{}", whole.out);
}

#[test]
fn a_file_that_got_broken_takes_nothing_away() {
    let folder = folder(&[("a.yaml", &core(SHOOT)), ("b.yaml", &core(PROJECT))]);
    for arguments in [&["init", "-q"][..], &["add", "-A"], &["commit", "-qm", "m"]] {
        git(folder.path(), arguments);
    }
    folder::write(folder.path(), "a.yaml", &(core(SHOOT) + "  x: [\n"));
    let (code, lines) = lines(folder.path(), &["--git", "HEAD", "."]);
    assert_eq!(code, Some(1));
    assert!(matches!(&lines[..], [only] if only.starts_with("a.yaml: ")), "{lines:?}");
    fs::remove_file(folder.path().join("a.yaml")).unwrap();
    let gone = review(folder.path(), &["--verbose", "--git", "HEAD", "."]);
    assert!(gone.out.contains("a.yaml: DELETE of Shoot"), "{}", gone.out);
}

fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=n", "-c", "user.email=e@example.com"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

/// A repository of other projects, of which nothing is judged.
#[rstest]
#[case::workload(
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec: {replicas: three}\n",
    Some(3)
)]
#[case::review_of_a_pod(
    "apiVersion: admission.k8s.io/v1beta1\nkind: AdmissionReview\nrequest: {kind: {group: '', version: v1, kind: Pod}, resource: {group: '', version: v1, resource: pods}, operation: UPDATE}\n",
    Some(3)
)]
#[case::review_without_a_resource(
    "apiVersion: admission.k8s.io/v1beta1\nkind: AdmissionReview\nrequest: {kind: {kind: Pod, version: v1}, object: {kind: Pod}}\n",
    Some(3)
)]
#[case::review_of_another_group(
    "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nrequest: {uid: a, kind: {group: a.io, version: v1, kind: A}, resource: {group: a.io, version: v1, resource: as}, operation: CREATE, object: {}}\n",
    Some(3)
)]
#[case::review_of_a_kind_without_rules(
    "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nrequest: {uid: a, kind: {group: security.gardener.cloud, version: v1alpha1, kind: TokenRequest}, resource: {group: security.gardener.cloud, version: v1alpha1, resource: tokenrequests}, operation: CREATE, object: {}}\n",
    Some(3)
)]
#[case::review_of_a_shoot_of_another_group(
    "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nrequest: {uid: a, kind: {group: a.io, version: v1, kind: Shoot}, resource: {group: a.io, version: v1, resource: shoots}, operation: CREATE, object: {}}\n",
    Some(3)
)]
#[case::review_of_a_shoot(
    "apiVersion: admission.k8s.io/v1beta1\nkind: AdmissionReview\nrequest: {kind: {group: core.gardener.cloud, version: v1beta1, kind: Shoot}, resource: {group: core.gardener.cloud, version: v1beta1, resource: shoots}}\n",
    Some(4)
)]
#[case::review_of_another_resource(
    "apiVersion: admission.k8s.io/v1beta1\nkind: AdmissionReview\nrequest: {kind: {group: autoscaling, version: v1, kind: Scale}, resource: {group: core.gardener.cloud, version: v1beta1, resource: shoots}}\n",
    Some(4)
)]
#[case::review_without_a_request(
    "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\n",
    Some(4)
)]
fn objects_of_other_projects_are_skipped(#[case] text: &str, #[case] code: Option<i32>) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.yaml"), text).unwrap();
    let said = review(folder.path(), &["--no-config", "."]);
    assert_eq!(said.code, code, "{}{}", said.out, said.err);
    let is_counted = said.out.contains("1 document is of another kind");
    assert_eq!(is_counted, said.code == Some(3), "{}", said.out);
}

#[test]
fn a_bare_repository_has_nothing_to_review() {
    let folder = folder(&[]);
    git(folder.path(), &["init", "-q", "--bare"]);
    let said = review(folder.path(), &["--git", "main"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    let says = "is a bare Git repository, which has no files to review; make a work tree with `git worktree add`, or clone it\n";
    assert!(said.err.ends_with(says), "{}", said.err);
}

/// Unreadable entries next to an object, which is judged nevertheless.
#[test]
fn unreadable_input_is_one_line_and_the_rest_is_judged() {
    let folder = folder(&[("in/a.yaml", &core(PROJECT)), ("in/sub/keep.txt", "")]);
    let path = |name: &str| folder.path().join(name);
    symlink("..", path("in/sub/up")).unwrap();
    symlink("missing", path("in/gone.yaml")).unwrap();
    symlink("missing", path("in/notes.txt")).unwrap();
    make_fifo(&path("in/fifo.yaml"));
    File::create(path("in/huge.yaml")).unwrap().set_len(1 << 30).unwrap();
    let pipe = "a pipe, a socket or a device, not a file; name a file, or pipe it into `-`";
    let expected = [
        "in/a.yaml: allowed".to_owned(),
        format!("in/fifo.yaml: {pipe}"),
        "in/gone.yaml: a symbolic link leads nowhere; remove it".to_owned(),
        "in/huge.yaml: larger than 64 MiB; split it".to_owned(),
        "in/sub/up: a symbolic link leads back to `in`; remove it".to_owned(),
    ];
    let (code, all) = lines(folder.path(), &["in"]);
    assert_eq!((code, &all[..]), (Some(4), &expected[..]));
    let named = lines(folder.path(), &["in/fifo.yaml"]).1;
    assert_eq!(named, [format!("in/fifo.yaml: {pipe}")]);
    let said = review(folder.path(), &["--garden", "in", "in/a.yaml"]);
    let problems = said.err.lines().filter(|it| it.starts_with("  in/"));
    assert_eq!(problems.count(), 4, "{}", said.err);
}

/// Symbolic links, which Git can store.
#[test]
fn links_out_of_the_reviewed_directory_are_named_and_not_followed() {
    let folder = folder(&[
        ("in/a.yaml", &core(PROJECT)),
        ("in/sub/b.yaml", &core(SEED)),
        ("other/c.yaml", &core(PROJECT)),
    ]);
    let path = |name: &str| folder.path().join(name);
    symlink("../other", path("in/out")).unwrap();
    symlink("/", path("in/root")).unwrap();
    symlink("sub", path("in/x")).unwrap();
    symlink("sub", path("in/y")).unwrap();
    let said = review(folder.path(), &["in"]);
    let notes: Vec<&str> = said.err.lines().collect();
    let begins = [
        "note: `in/out` is not read: a symbolic link to the directory `",
        "note: `in/root` is not read: a symbolic link to the directory `/`, outside of `",
    ];
    assert!(
        notes.len() == 2 && notes.iter().zip(begins).all(|(note, begin)| note.starts_with(begin)),
        "{notes:?}"
    );
    let (code, lines) = lines(folder.path(), &["in"]);
    let files: Vec<&str> = lines.iter().filter_map(|it| it.split(':').next()).collect();
    assert_eq!(
        (code, &files[..]),
        (Some(0), &["in/a.yaml", "in/sub/b.yaml", "in/x/b.yaml"][..]),
        "{lines:?}"
    );
    let strict = review(folder.path(), &["--strict-files", "in"]);
    assert!(strict.out.contains("in/root:1:1"), "{}", strict.out);
    let named = review(folder.path(), &["--format", "json", "in/out"]);
    assert_eq!(named.json()["reviews"][0]["file"], "in/out/c.yaml");
    let garden = review(folder.path(), &["--garden", "in/out", "in/sub"]);
    assert!(!garden.err.contains("symbolic"), "{}", garden.err);
}

#[rstest]
#[case("in/.gitignore")]
#[case("in/.garden-gate-ignore")]
#[case("in/sub/.gitignore")]
#[case("in/sub/.garden-gate-ignore")]
#[case(".gitignore")]
fn ignore_file_that_is_a_device_is_an_error(#[case] name: &str) {
    let folder = folder(&[("in/a.yaml", &core(PROJECT)), ("in/sub/b.yaml", &core(PROJECT))]);
    symlink("/dev/zero", folder.path().join(name)).unwrap();
    let (code, lines) = lines(folder.path(), &["in"]);
    let says =
        format!("{name}: a pipe, a socket or a device, not a file; its directory is not read");
    assert!(lines.iter().any(|it| it.ends_with(&says)), "{lines:?}");
    assert_eq!(code, Some(4));
}

#[test]
fn ignore_file_that_is_too_large_is_an_error() {
    let folder = folder(&[("in/a.yaml", &core(PROJECT))]);
    let file = File::create(folder.path().join("in/.gitignore")).unwrap();
    file.set_len(2 << 20).unwrap();
    let (code, lines) = lines(folder.path(), &["in"]);
    assert_eq!(code, Some(4));
    assert_eq!(
        lines,
        ["in/.gitignore: larger than 1 MiB, the limit for ignore files; its directory is not read"]
    );
}

/// Each file that a command reads, as a pipe without writer and as an endless device.
#[rstest]
#[case(&["review", "--config", "FILE"])]
#[case(&["review", "--admission-config", "FILE"])]
#[case(&["review", "--baseline", "FILE"])]
#[case(&["review", "--live", "--kubeconfig", "FILE"])]
#[case(&["audit", "--garden", ".", "--changed-since", "FILE"])]
#[case(&["config", "check", "FILE"])]
#[case(&["webhooks", "--url", "https://gate", "--ca-bundle", "FILE"])]
#[case(&["webhooks", "--url", "https://gate", "--config", "FILE"])]
#[case(&["probe", "--url", "https://gate", "--ca", "FILE"])]
#[case(&["serve", "--listen", "127.0.0.1:0", "--no-garden", "--tls-cert", "FILE", "--tls-key", "FILE"])]
#[case(&["serve", "--listen", "127.0.0.1:0", "--no-garden", "--ca-out", "ca.pem", "--client-ca", "FILE"])]
#[case(&["serve", "--listen", "127.0.0.1:0", "--no-garden", "--ca-out", "ca.pem", "--config", "FILE"])]
fn file_that_is_a_pipe_or_device_is_an_error(#[case] arguments: &[&str]) {
    let folder = folder(&[("a.yaml", &core(PROJECT))]);
    make_fifo(&folder.path().join("fifo"));
    symlink("/dev/zero", folder.path().join("zero")).unwrap();
    for file in ["fifo", "zero"] {
        let arguments: Vec<&str> =
            arguments.iter().map(|it| if *it == "FILE" { file } else { it }).collect();
        let mut command = garden_gate(&arguments);
        command.current_dir(folder.path()).env_remove("KUBECONFIG");
        let (code, out, err) = printed(command.output().unwrap());
        assert_eq!(code, Some(2), "{arguments:?} {out}{err}");
        assert!(
            err.contains("a pipe, a socket or a device, not a file"),
            "{arguments:?} {out}{err}"
        );
    }
}

#[test]
fn kubeconfig_of_the_environment_and_its_files_are_bounded() {
    let kubeconfig = "apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: 'https://localhost:1', certificate-authority: fifo}}]
users: [{name: u, user: {tokenFile: fifo}}]
";
    let only_token = kubeconfig.replace(", certificate-authority: fifo", "");
    let folder = folder(&[("a.yaml", &core(PROJECT)), ("ca", kubeconfig), ("token", &only_token)]);
    make_fifo(&folder.path().join("fifo"));
    for name in ["fifo", "ca", "token"] {
        let mut command = garden_gate(&["review", "--live", "a.yaml"]);
        command.current_dir(folder.path()).env("KUBECONFIG", name);
        let (code, _, err) = printed(command.output().unwrap());
        assert_eq!(code, Some(2), "{name} {err}");
        assert!(err.contains("fifo` is a pipe, a socket or a device, not a file"), "{name} {err}");
    }
}

#[test]
fn descriptors_of_a_shell_are_files() {
    let folder = folder(&[("a.yaml", &core(PROJECT)), ("gate.yaml", "profile: gardener\n")]);
    let gate = env!("CARGO_BIN_EXE_garden-gate");
    let script = format!("'{gate}' review --format json --config <(cat gate.yaml) a.yaml");
    let output =
        Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let (_, out, err) = printed(output);
    assert!(out.contains("/dev/fd/"), "{out}{err}");
}

#[test]
fn kubeconfig_of_a_descriptor_is_bounded() {
    let folder = folder(&[("a.yaml", &core(PROJECT))]);
    let gate = env!("CARGO_BIN_EXE_garden-gate");
    let script = format!("'{gate}' review --live --kubeconfig <(head -c 5M /dev/zero) a.yaml");
    let output =
        Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let (code, _, err) = printed(output);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("larger than 4 MiB, the limit for kubeconfigs"), "{err}");
}

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn what_a_shell_hands_over_is_read() {
    let folder = folder(&[("a.yaml", &core(PROJECT))]);
    let gate = env!("CARGO_BIN_EXE_garden-gate");
    let script = format!("'{gate}' review --format json <(cat a.yaml)");
    let output =
        Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let (code, out, err) = printed(output);
    let said = Said { code, out, err };
    assert_eq!(said.json()["reviews"][0]["name"], "local");
}

#[test]
fn what_may_not_be_read_is_one_line() {
    let folder = folder(&[
        ("in/a.yaml", &core(PROJECT)),
        ("in/closed.yaml", &core(SEED)),
        ("in/shut/b.yaml", &core(SEED)),
    ]);
    for name in ["in/closed.yaml", "in/shut"] {
        let path = folder.path().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o0)).unwrap();
    }
    // A privileged user can read all files, so the test does not apply.
    if File::open(folder.path().join("in/closed.yaml")).is_ok() {
        return;
    }
    let why = "it may not be read by this user";
    let said = lines(folder.path(), &["in"]).1;
    assert_eq!(said[1..], [format!("in/closed.yaml: {why}"), format!("in/shut: {why}")]);
    let garden = review(folder.path(), &["--garden", "in", "in/a.yaml"]);
    assert_eq!(garden.err.matches(why).count(), 2, "{}", garden.err);
    fs::set_permissions(folder.path().join("in/shut"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn bombs_and_depths_are_one_line() {
    let bomb: String = (0..40)
        .map(|it| format!("a{}: &a{} [{}]\n", it + 1, it + 1, format!("*a{it},").repeat(9)))
        .collect();
    let bomb = core(&format!("kind: Shoot\na0: &a0 [x]\n{bomb}"));
    let deep = core(&format!("kind: Shoot\nspec: {}", "[".repeat(100_000)));
    let folder =
        folder(&[("in/a.yaml", &core(PROJECT)), ("in/bomb.yaml", &bomb), ("in/deep.yaml", &deep)]);
    let (code, said) = lines(folder.path(), &["in"]);
    assert_eq!((code, said.len()), (Some(4), 3), "{said:?}");
    let garden = review(folder.path(), &["--garden", "in", "in/a.yaml"]);
    let says = "warning: the garden directory `in` has 2 problems:\n  in/bomb.yaml:";
    assert!(garden.err.starts_with(says), "{}", garden.err);
}

#[test]
fn many_files_are_many_objects() {
    let folder = folder(&[]);
    for number in 0..2_000 {
        let project = core(PROJECT).replace("{name: local}", &format!("{{name: p{number}}}"));
        fs::write(folder.path().join(format!("p{number}.yaml")), project).unwrap();
    }
    let said = review(folder.path(), &["."]);
    assert!(said.out.ends_with(
        "\n0 denied, 0 undetermined, 2000 allowed; 0 warnings in 2000 objects of 2000 files\n"
    ));
}
