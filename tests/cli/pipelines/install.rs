// SPDX-License-Identifier: Apache-2.0
//! `install.sh`, and the action and the GitLab component that run it, with a fake release.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use rstest::rstest;
use serde_json::Value;
use tempfile::TempDir;

use crate::command::printed;
use crate::pipelines::hooks::{BUILT, Runner};
use crate::pipelines::recipes::{Landscape, yaml};
use crate::repository::Printed;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const INSTALLER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/install.sh");
/// The folder of the release on a code host.
const HOSTED: &str = concat!("OWNER/garden-gate/releases/download/v", env!("CARGO_PKG_VERSION"));
/// The program of the release runs the built one.
const PROGRAM: &str = "#!/bin/sh\nexec \"$BUILT\" \"$@\"\n";
/// No server listens on the discard port.
const UNREACHABLE: &str = "http://127.0.0.1:9";
/// All programs that `install.sh` needs, except one that downloads.
const TOOLS: [&str; 18] = [
    "awk",
    "chmod",
    "cp",
    "cut",
    "dirname",
    "grep",
    "gzip",
    "head",
    "mkdir",
    "mktemp",
    "mv",
    "rm",
    "sed",
    "sh",
    "sha256sum",
    "tail",
    "tar",
    "uname",
];

/// Returns the name of the archive for this platform, without its ending.
fn name() -> String {
    let os = std::env::consts::OS.replace("macos", "darwin");
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("garden-gate-{VERSION}-{os}-{arch}")
}

fn shell(script: &str, folder: &Path) {
    let mut command = Command::new("bash");
    command.args(["-euo", "pipefail", "-c", script]);
    let status = command.current_dir(folder).status();
    assert!(status.unwrap().success(), "{script}");
}

/// Files of a release in the folder that a code host would use.
struct Release(TempDir);

impl Release {
    fn new() -> Self {
        let release = Self(TempDir::new().unwrap());
        let program = release.folder().join(name());
        fs::create_dir_all(&program).unwrap();
        fs::write(program.join("garden-gate"), PROGRAM).unwrap();
        fs::copy(INSTALLER, release.folder().join("install.sh")).unwrap();
        release.pack();
        release
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join(HOSTED)
    }

    /// Creates the archive and its checksum.
    fn pack(&self) {
        let name = name();
        let script =
            format!("tar -czf {name}.tar.gz {name} && sha256sum {name}.tar.gz >SHA256SUMS");
        shell(&script, &self.folder());
    }

    /// Serves the files over HTTP, and returns the address of the code host.
    fn serve(&self) -> String {
        self.serve_half_of("nothing")
    }

    /// Serves the files; the connection ends in the middle of the named one.
    fn serve_half_of(&self, name: &str) -> String {
        let name = name.to_owned();
        let root = self.0.path().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let lines = BufReader::new(stream.try_clone().unwrap()).lines();
                let head: Vec<String> =
                    lines.map(Result::unwrap).take_while(|it| !it.is_empty()).collect();
                let path = head[0].split(' ').nth(1).unwrap().trim_start_matches('/');
                let (status, body) = match fs::read(root.join(path)) {
                    Ok(body) => ("200 OK", body),
                    Err(_) => ("404 Not Found", Vec::new()),
                };
                let length = body.len();
                let head = format!(
                    "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
                );
                let end = if path.ends_with(&name) { length / 2 } else { length };
                stream.write_all(head.as_bytes()).unwrap();
                stream.write_all(&body[..end]).unwrap();
            }
        });
        format!("http://{address}")
    }
}

/// Runs `install.sh` with a folder for the program; `cargo` is replaced.
fn install(to: &Path, arguments: &[&str]) -> Printed {
    let path = std::env::var("PATH").unwrap();
    install_with(&path, to, arguments)
}

/// Runs `install.sh` with the programs of a `PATH`.
fn install_with(path: &str, to: &Path, arguments: &[&str]) -> Printed {
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/pipelines/programs");
    let mut command = Command::new("/bin/sh");
    command.args([INSTALLER, "--to", to.to_str().unwrap()]);
    command.args(arguments).env("BUILT", BUILT);
    command.env("PATH", format!("{programs}:{path}"));
    printed(command.output().unwrap())
}

/// Returns a folder with links to the tools, and to the program that downloads, if any.
fn tools(downloader: Option<&str>) -> TempDir {
    let folder = TempDir::new().unwrap();
    let path = std::env::var_os("PATH").unwrap();
    for tool in TOOLS.into_iter().chain(downloader) {
        let mut found = std::env::split_paths(&path).map(|it| it.join(tool));
        symlink(found.find(|it| it.is_file()).unwrap(), folder.path().join(tool)).unwrap();
    }
    folder
}

/// Returns a folder with a `uname` of another machine.
fn machine(system: &str, processor: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("uname");
    let text = format!("#!/bin/sh\ncase $1 in -s) echo {system} ;; *) echo {processor} ;; esac\n");
    fs::write(&file, text).unwrap();
    fs::set_permissions(file, PermissionsExt::from_mode(0o755)).unwrap();
    folder
}

#[rstest]
#[case::over_http("http")]
#[case::with_version_in_address("version")]
#[case::from_directory("directory")]
#[case::from_file_url("file")]
fn verified_release_is_installed(#[case] address: &str) {
    let release = Release::new();
    let folder = release.folder().display().to_string();
    let url = match address {
        "http" => format!("{}/{HOSTED}/", release.serve()),
        "version" => format!("{}/{HOSTED}", release.serve()).replace(VERSION, "{version}"),
        "file" => format!("file://{folder}"),
        _ => folder,
    };
    let to = TempDir::new().unwrap();
    let (code, out, err) = install(to.path(), &["--url", &url]);
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    assert!(err.starts_with(&format!("installed garden-gate {VERSION} from ")));
    let mut program = Command::new(to.path().join("garden-gate"));
    let output = program.arg("--version").env("BUILT", BUILT).output();
    assert!(printed(output.unwrap()).1.starts_with("garden-gate "));
}

#[test]
fn wrong_checksum_is_refused() {
    let release = Release::new();
    let archive = release.folder().join(format!("{}.tar.gz", name()));
    fs::write(&archive, [fs::read(&archive).unwrap(), vec![0]].concat()).unwrap();
    let url = format!("{}/{HOSTED}", release.serve());
    let (to, cache) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let build = ["--build", env!("CARGO_MANIFEST_DIR")];
    let kept = ["--url", &url, "--cache", cache.path().to_str().unwrap()];
    let (code, _, err) = install(to.path(), &[&kept[..], &build].concat());
    assert_eq!(code, Some(1), "{err}");
    let message = format!("error: {url}/{}.tar.gz has the checksum ", name());
    assert!(err.starts_with(&message), "{err}");
    assert!(err.ends_with("; nothing was installed\n"), "{err}");
    for folder in [to, cache] {
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn link_in_the_archive_is_refused() {
    let release = Release::new();
    let program = release.folder().join(name()).join("garden-gate");
    fs::remove_file(&program).unwrap();
    symlink("/bin/sh", program).unwrap();
    release.pack();
    let to = TempDir::new().unwrap();
    let (code, _, err) = install(to.path(), &["--url", release.folder().to_str().unwrap()]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("is not a file"), "{err}");
}

#[rstest]
#[case::no_address(&[], "there is no address of a release")]
#[case::no_folder(&["--url", "/nonexistent"], "there is no release at /nonexistent")]
#[case::no_archive(&["--version", "9.9.9"], "has no garden-gate-9.9.9-")]
#[case::on_request(&["--version", "build"], "no release is requested")]
fn missing_release_is_built(#[case] arguments: &[&str], #[case] reason: &str) {
    let (release, to) = (Release::new(), TempDir::new().unwrap());
    let folder = release.folder();
    let mut arguments = arguments.to_vec();
    if arguments.contains(&"9.9.9") {
        arguments.extend(["--url", folder.to_str().unwrap()]);
    }
    let (code, _, err) = install(to.path(), &arguments);
    assert_eq!(code, Some(3), "{err}");
    arguments.extend(["--build", env!("CARGO_MANIFEST_DIR")]);
    let (code, _, err) = install(to.path(), &arguments);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains(reason) && err.contains("; building "), "{err}");
    assert!(to.path().join("garden-gate").exists());
}

#[test]
fn release_missing_on_the_server_is_built() {
    let (release, to) = (Release::new(), TempDir::new().unwrap());
    let url = format!("{}/v{{version}}", release.serve());
    let (code, _, err) = install(to.path(), &["--url", &url]);
    assert_eq!(code, Some(3), "{err}");
    assert!(err.starts_with("there is no release at "), "{err}");
}

/// Programs and configurations that a pull request contains, each of which would leave the file `pwned`.
fn plant(checkout: &Path, planted: &str) {
    let evil = checkout.join("evil/bin");
    fs::create_dir_all(&evil).unwrap();
    fs::create_dir_all(checkout.join(".cargo")).unwrap();
    for program in ["cargo", "rustc", "curl", "tar", "mktemp", "sed", "uname", "cp"] {
        for folder in [&evil, &checkout.to_owned()] {
            let file = folder.join(program);
            fs::write(&file, format!("#!/bin/sh\ntouch {planted}\n")).unwrap();
            fs::set_permissions(file, PermissionsExt::from_mode(0o755)).unwrap();
        }
    }
    let toolchain = format!("[toolchain]\npath = \"{}\"\n", checkout.join("evil").display());
    fs::write(checkout.join("rust-toolchain.toml"), toolchain).unwrap();
    let wrapper = format!("[build]\nrustc-wrapper = \"{}\"\n", evil.join("rustc").display());
    fs::write(checkout.join(".cargo/config.toml"), wrapper).unwrap();
    fs::write(checkout.join("Cargo.toml"), "[workspace]\n").unwrap();
}

/// A cargo that fails if a configuration of a parent directory has an effect, as cargo and rustup search them.
const SEARCHING_CARGO: &str = "#!/bin/sh
set -eu
case ${CARGO_HOME:-/} in */checkout/* | [!/]*) touch \"$PLANTED\" ;; esac
if [ -n \"${RUSTUP_TOOLCHAIN:-}\" ]; then touch \"$PLANTED\"; fi
folder=$(cd \"$6\" && pwd)
[ \"$folder\" = \"$PWD\" ] || touch \"$PLANTED\"
while folder=${folder%/*}; do
  for name in .cargo/config.toml Cargo.toml rust-toolchain.toml; do
    if [ -e \"$folder/$name\" ]; then touch \"$PLANTED\"; fi
  done
  [ -n \"$folder\" ] || break
done
mkdir -p \"$8/bin\"
cp \"$BUILT\" \"$8/bin/garden-gate\"
";

/// The action may be in the checkout of the pull request, as with the reusable workflow.
#[rstest]
#[case::elsewhere("action")]
#[case::below_the_checkout("checkout/.git/garden-gate")]
fn build_uses_nothing_of_the_working_directory(#[case] action: &str) {
    let world = TempDir::new().unwrap();
    let (checkout, action) = (world.path().join("checkout"), world.path().join(action));
    let (to, planted) = (world.path().join("to"), world.path().join("pwned"));
    fs::create_dir_all(&action).unwrap();
    for name in ["install.sh", "action.yml", "Cargo.toml", "rust-toolchain.toml"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        fs::copy(from, action.join(name)).unwrap();
    }
    fs::create_dir_all(&checkout).unwrap();
    plant(&checkout, planted.to_str().unwrap());
    let programs = TempDir::new().unwrap();
    let cargo = programs.path().join("cargo");
    fs::write(&cargo, SEARCHING_CARGO).unwrap();
    fs::set_permissions(cargo, PermissionsExt::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!(".:evil/bin::{}:{path}", programs.path().display());
    let mut command = Command::new("/bin/sh");
    command.arg(action.join("install.sh"));
    command.args(["--version", "build", "--to"]).arg(&to);
    command.arg("--build").arg(&action);
    command.current_dir(&checkout).env("PATH", path);
    command.env("CARGO_HOME", checkout.join(".cargo-home"));
    command.env("RUSTUP_TOOLCHAIN", checkout.join("evil"));
    command.env("BUILT", "/bin/true").env("PLANTED", &planted);
    let (code, _, err) = printed(command.output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    assert!(to.join("garden-gate").exists());
    assert!(!planted.exists(), "{err}");
}

#[test]
fn build_below_a_foreign_configuration_is_refused() {
    let world = TempDir::new().unwrap();
    plant(world.path(), "pwned");
    fs::create_dir(world.path().join("tmp")).unwrap();
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/pipelines/programs");
    let mut command = Command::new("/bin/sh");
    command.args([INSTALLER, "--version", "build", "--build", env!("CARGO_MANIFEST_DIR")]);
    command.arg("--to").arg(world.path().join("to"));
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{programs}:{path}"));
    command.env("TMPDIR", world.path().join("tmp")).env("BUILT", BUILT);
    let (code, _, err) = printed(command.output().unwrap());
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("would change the build; set TMPDIR to another folder"), "{err}");
}

/// Returns the only archive in a cache.
fn archive_in(cache: &Path) -> PathBuf {
    let mut files = walkdir::WalkDir::new(cache)
        .into_iter()
        .map(Result::unwrap)
        .filter(|it| it.file_type().is_file());
    let archive = files.next().unwrap().into_path();
    assert!(files.next().is_none());
    archive
}

#[test]
fn cache_of_another_source_is_not_used() {
    let (release, other) = (Release::new(), Release::new());
    let text = "#!/bin/sh\necho other\n";
    fs::write(other.folder().join(name()).join("garden-gate"), text).unwrap();
    other.pack();
    let cache = TempDir::new().unwrap();
    for (release, expected) in [(&other, text), (&release, PROGRAM), (&other, text)] {
        let (to, folder) = (TempDir::new().unwrap(), release.folder());
        let arguments = ["--url", folder.to_str().unwrap(), "--cache"];
        let cache = [cache.path().to_str().unwrap()];
        let (code, _, err) = install(to.path(), &[&arguments[..], &cache].concat());
        assert_eq!(code, Some(0), "{err}");
        let installed = fs::read_to_string(to.path().join("garden-gate")).unwrap();
        assert_eq!(installed, expected, "{err}");
    }
}

#[rstest]
#[case::other_archive(b"other")]
#[case::empty(b"")]
fn poisoned_cache_is_not_used(#[case] content: &[u8]) {
    let (release, cache) = (Release::new(), TempDir::new().unwrap());
    let folder = release.folder();
    let arguments = ["--url", folder.to_str().unwrap(), "--cache", cache.path().to_str().unwrap()];
    let first = TempDir::new().unwrap();
    assert_eq!(install(first.path(), &arguments).0, Some(0));
    let archive = archive_in(cache.path());
    fs::write(&archive, content).unwrap();
    // The layout of earlier revisions, which was not verified.
    let former = cache.path().join("garden-gate").join(VERSION).join("linux-amd64");
    fs::create_dir_all(&former).unwrap();
    fs::write(former.join("garden-gate"), content).unwrap();
    let to = TempDir::new().unwrap();
    let (code, _, err) = install(to.path(), &arguments);
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(fs::read_to_string(to.path().join("garden-gate")).unwrap(), PROGRAM);
    fs::remove_dir_all(cache.path().join("garden-gate").join(VERSION)).unwrap();
    assert_ne!(fs::read(archive_in(cache.path())).unwrap(), content, "replaced");
}

#[test]
fn cached_archive_is_not_downloaded_again() {
    let release = Release::new();
    let folder = release.folder();
    let (to, cache) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let cache = ["--cache", cache.path().to_str().unwrap()];
    let from = ["--url", folder.to_str().unwrap()];
    assert_eq!(install(to.path(), &[from, cache].concat()).0, Some(0));
    fs::remove_file(to.path().join("garden-gate")).unwrap();
    fs::remove_file(folder.join(format!("{}.tar.gz", name()))).unwrap();
    let (code, _, err) = install(to.path(), &[from, cache].concat());
    assert_eq!(code, Some(0), "{err}");
    assert!(to.path().join("garden-gate").exists());
    // Without the checksums, nothing of the cache can be verified.
    let from = ["--url", UNREACHABLE];
    let (code, _, err) = install(to.path(), &[from, cache].concat());
    assert_eq!(code, Some(1), "{err}");
    // An unreachable server is an error, because the release may exist.
    let build = ["--build", env!("CARGO_MANIFEST_DIR")];
    let (code, _, err) = install(to.path(), &[from, build].concat());
    assert_eq!(code, Some(1), "{err}");
    let message = format!("error: cannot download {UNREACHABLE}/SHA256SUMS (");
    assert!(err.starts_with(&message), "{err}");
}

#[rstest]
fn curl_and_wget_give_the_same(#[values("curl", "wget")] downloader: &str) {
    let release = Release::new();
    let (to, tools) = (TempDir::new().unwrap(), tools(Some(downloader)));
    let host = release.serve();
    let install =
        |url: &str| install_with(tools.path().to_str().unwrap(), to.path(), &["--url", url]);
    let (code, _, err) = install(&format!("{host}/v0"));
    assert_eq!(code, Some(3), "{err}");
    assert!(err.starts_with("there is no release at "), "{err}");
    let (code, _, err) = install(UNREACHABLE);
    assert_eq!(code, Some(1), "{err}");
    let message = format!("error: cannot download {UNREACHABLE}/SHA256SUMS (");
    assert!(err.starts_with(&message), "{err}");
    assert_eq!(fs::read_dir(to.path()).unwrap().count(), 0);
    let (code, _, err) = install(&format!("{host}/{HOSTED}"));
    assert_eq!(code, Some(0), "{err}");
    let installed = fs::read_to_string(to.path().join("garden-gate"));
    assert_eq!(installed.unwrap(), PROGRAM);
}

#[test]
fn without_curl_and_wget_only_folders_are_installed() {
    let (release, to, tools) = (Release::new(), TempDir::new().unwrap(), tools(None));
    let install =
        |url: &str| install_with(tools.path().to_str().unwrap(), to.path(), &["--url", url]);
    let (code, _, err) = install(UNREACHABLE);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("(neither curl nor wget is installed)"), "{err}");
    let (code, _, err) = install(release.folder().to_str().unwrap());
    assert_eq!(code, Some(0), "{err}");
}

#[rstest]
fn truncated_download_is_refused(
    #[values("curl", "wget")] downloader: &str,
    #[values("SHA256SUMS", ".tar.gz")] file: &str,
) {
    let release = Release::new();
    let (to, tools) = (TempDir::new().unwrap(), tools(Some(downloader)));
    let url = format!("{}/{HOSTED}", release.serve_half_of(file));
    let path = tools.path().to_str().unwrap();
    let (code, _, err) = install_with(path, to.path(), &["--url", &url]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.starts_with(&format!("error: cannot download {url}/")), "{err}");
    assert!(!err.contains("()"), "the reason is missing: {err}");
    assert_eq!(fs::read_dir(to.path()).unwrap().count(), 0);
}

#[rstest]
#[case::macos("Darwin", "arm64", "garden-gate")]
#[case::windows("MINGW64_NT-10.0-26100", "x86_64", "garden-gate.exe")]
fn archive_of_another_platform_is_installed(
    #[case] system: &str,
    #[case] processor: &str,
    #[case] installed: &str,
) {
    let release = Release::new();
    let (programs, licences) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    for (platform, program) in [
        ("linux-amd64", "garden-gate"),
        ("darwin-arm64", "garden-gate"),
        ("windows-amd64", "garden-gate.exe"),
    ] {
        fs::create_dir(programs.path().join(platform)).unwrap();
        fs::write(programs.path().join(platform).join(program), program).unwrap();
    }
    let own = programs.path().join("linux-amd64/garden-gate");
    fs::write(&own, PROGRAM).unwrap();
    fs::set_permissions(own, PermissionsExt::from_mode(0o755)).unwrap();
    fs::write(licences.path().join("LICENSE"), "text").unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/archives");
    let mut command = Command::new(script);
    command.arg(release.folder()).env("BUILT", BUILT);
    command.arg(programs.path()).arg(licences.path());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    shell("sha256sum *.tar.gz *.zip >SHA256SUMS", &release.folder());
    let (to, machine) = (TempDir::new().unwrap(), machine(system, processor));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", machine.path().display());
    let url = format!("{}/{HOSTED}", release.serve());
    let (code, _, err) = install_with(&path, to.path(), &["--url", &url]);
    assert_eq!(code, Some(0), "{err}");
    let content = fs::read_to_string(to.path().join(installed));
    assert_eq!(content.unwrap(), installed);
}

#[test]
fn platform_without_an_archive_is_reported() {
    let (release, to) = (Release::new(), TempDir::new().unwrap());
    let machine = machine("FreeBSD", "riscv64");
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", machine.path().display());
    let url = release.folder().display().to_string();
    let (code, _, err) = install_with(&path, to.path(), &["--url", &url]);
    let archive = format!("garden-gate-{VERSION}-FreeBSD-riscv64.tar.gz");
    let expected = format!("the release at {url} has no {archive}\n");
    assert_eq!((code, err), (Some(3), expected));
}

#[rstest]
#[case(&["--version", "$(id)"], "$(id) is not a version")]
#[case(&["--version", "../0.1.0"], "../0.1.0 is not a version")]
#[case(&["--url"], "--url needs a value")]
#[case(&["--from", "x"], "unknown option --from")]
fn invalid_options_are_refused(#[case] arguments: &[&str], #[case] message: &str) {
    let to = TempDir::new().unwrap();
    let (code, _, err) = install(to.path(), arguments);
    let expected = format!("error: {message}\n");
    assert_eq!((code, err), (Some(1), expected));
}

#[test]
fn action_downloads_the_release_of_its_repository() {
    let release = Release::new();
    let mut runner = Runner::new();
    runner.host = release.serve();
    let (code, out, err) = runner.run(&[("garden", "dump")]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let git = runner.landscape.repository.path().join(".git");
    let installed = fs::read_to_string(git.join("garden-gate/bin/garden-gate"));
    assert_eq!(installed.unwrap(), PROGRAM);
}

#[test]
fn action_refuses_a_wrong_checksum_of_a_mirror() {
    let release = Release::new();
    let sums = release.folder().join("SHA256SUMS");
    let line = format!("{}  {}.tar.gz\n", "0".repeat(64), name());
    fs::write(sums, line).unwrap();
    let url = release.folder().display().to_string();
    let (code, _, err) = Runner::new().run(&[("garden", "dump"), ("url", &url)]);
    assert_eq!(code, Some(1));
    assert!(err.contains(", but SHA256SUMS requires 0000"), "{err}");
}

#[test]
fn workflow_passes_inputs_that_the_action_has() {
    let (workflow, action) = (yaml(".github/workflows/review.yml"), yaml("action.yml"));
    let steps = workflow["jobs"]["review"]["steps"].as_array().unwrap();
    let own = &steps[2]["with"];
    assert_eq!(steps[2]["uses"], "./.git/garden-gate");
    let called = &workflow["on"]["workflow_call"]["inputs"];
    for (name, value) in own.as_object().unwrap() {
        assert!(action["inputs"].get(name).is_some(), "{name}");
        assert!(called.get(name).is_some(), "{name}");
        let value = value.as_str().unwrap();
        assert!(value.contains(&format!("inputs.{name} ")), "{value}");
    }
}

#[test]
fn component_installs_the_version_of_this_revision() {
    let url = [("url", "/"), ("garden", "dump")];
    let variables = &component(&url)["variables"];
    assert_eq!(variables["GARDEN_GATE_VERSION"], VERSION);
    let sum = Command::new("sha256sum").arg(INSTALLER).output().unwrap();
    let sum = printed(sum);
    let sum = sum.1.split(' ').next().unwrap();
    let message = "templates/review.yml needs the checksum of install.sh";
    assert_eq!(variables["GARDEN_GATE_INSTALLER"], sum, "{message}");
}

/// Returns the job of the component with these inputs, as GitLab fills it.
fn component(inputs: &[(&str, &str)]) -> Value {
    let text = include_str!("../../../templates/review.yml");
    let (head, job) = text.split_once("\n---\n").unwrap();
    let head: Value = serde_saphyr::from_str(head).unwrap();
    let mut job = job.to_owned();
    for (name, input) in head["spec"]["inputs"].as_object().unwrap() {
        let given = inputs.iter().find(|(it, _)| it == name).map(|it| it.1);
        let value = given
            .or(input["default"].as_str())
            .unwrap_or_else(|| unreachable!("{name} is required"));
        job = job.replace(&format!("$[[ inputs.{name} ]]"), value);
    }
    assert!(!job.contains("$[["), "{job}");
    let job: Value = serde_saphyr::from_str(&job).unwrap();
    job["garden-gate"].clone()
}

#[rstest]
#[case::as_released(false, Some(0))]
#[case::with_another_installer(true, Some(1))]
fn component_runs_only_the_installer_of_its_revision(
    #[case] is_changed: bool,
    #[case] expected: Option<i32>,
) {
    let release = Release::new();
    if is_changed {
        let changed = "touch pwned\n";
        fs::write(release.folder().join("install.sh"), changed).unwrap();
    }
    let url = format!("{}/{HOSTED}", release.serve()).replace(VERSION, "{version}");
    let job = component(&[("url", &url), ("garden", "dump"), ("paths", "shoots argocd")]);
    let variables = job["variables"].as_object().unwrap();
    let mut environment = vec![("CI_MERGE_REQUEST_DIFF_BASE_SHA", "origin/main"), ("BUILT", BUILT)];
    environment.extend(variables.iter().map(|(name, value)| {
        let value = value.as_str();
        (name.as_str(), value.unwrap())
    }));
    let lines = ["before_script", "script"].map(|it| job[it].as_array().unwrap().clone());
    let lines: Vec<String> =
        lines.concat().iter().map(|it| it.as_str().unwrap().to_owned()).collect();
    let landscape = Landscape::new();
    let (code, out, err) = landscape.run(&lines.join("\n"), &environment);
    assert_eq!(code, expected, "{out}{err}");
    let reviewed = out.contains("0 denied, 0 undetermined, 1 allowed");
    assert_eq!(reviewed, !is_changed, "{out}{err}");
    assert!(!landscape.repository.path().join("pwned").exists());
}
