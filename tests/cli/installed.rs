// SPDX-License-Identifier: Apache-2.0
//! Files installed with the program: completions, man pages, and its name as a plugin of `kubectl`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::{garden_gate, printed};
use crate::repository::Repository;
use clap::CommandFactory as _;
use garden_gate::cli::Arguments;
use rstest::rstest;
use tempfile::tempdir;

fn gate(arguments: &[&str]) -> (Option<i32>, String, String) {
    printed(garden_gate(arguments).output().unwrap())
}

fn completions(shell: &str) -> String {
    let (code, script, stderr) = gate(&["completions", shell]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{shell}");
    script
}

/// Returns the output of a script in this shell.
fn run(shell: &str, script: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(shell)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(script.as_bytes()).unwrap();
    drop(stdin);
    printed(child.wait_with_output().unwrap())
}

/// Returns a shell command that finds this program first.
fn with_program(script: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_garden-gate"));
    format!("export PATH=\"{}:$PATH\"\n{script}", program.parent().unwrap().display())
}

#[rstest]
#[case::a_command("garden-gate for", "forecast")]
#[case::a_command_below_a_command("garden-gate config ch", "check")]
#[case::a_flag("garden-gate review --bas", "--baseline")]
#[case::a_value("garden-gate webhooks --failure-policy Ig", "Ignore")]
#[case::a_shell("garden-gate completions fi", "fish")]
#[case::an_id("garden-gate rules shoot/toleration-not-w", "shoot/toleration-not-whitelisted")]
#[case::an_id_of_a_flag("garden-gate review --ignore shoot/zone-unk", "shoot/zone-unknown")]
#[case::a_kind("garden-gate rules --kind Exp", "ExposureClass")]
#[case::a_schema("garden-gate schema cov", "coverage")]
#[case::a_format("garden-gate review --format ju", "junit")]
#[case::a_format_behind_a_break("garden-gate audit --format = openr", "openreports")]
#[case::a_profile("garden-gate audit --profile har", "hardened")]
#[case::a_version("garden-gate review --gardener-version 1.14 --gardener-version 1.150", "1.150")]
#[case::an_extension("garden-gate forecast --extension aw", "aws=")]
#[case::a_file("garden-gate review READ", "")]
fn bash_completes(#[case] typed: &str, #[case] completed: &str) {
    let count = typed.split(' ').count();
    let script = with_program(&format!(
        "{}\nCOMP_WORDS=({typed})\nCOMP_CWORD={}\n_garden_gate\necho \"${{COMPREPLY[@]}}\"",
        completions("bash"),
        count - 1,
    ));
    let expected = (Some(0), format!("{completed}\n"), String::new());
    assert_eq!(run("bash", &script), expected);
}

/// Reports whether a shell is installed; `bash` always is.
fn has_shell(shell: &str) -> bool {
    shell == "bash" || Command::new(shell).arg("--version").output().is_ok()
}

#[rstest]
#[case("bash")]
#[case("fish")]
#[case("zsh")]
fn shell_parses_its_script(#[case] shell: &str) {
    if !has_shell(shell) {
        return;
    }
    let folder = tempdir().unwrap();
    let file = folder.path().join("script");
    fs::write(&file, completions(shell)).unwrap();
    let parsed = Command::new(shell).arg("-n").arg(&file).output().unwrap();
    assert_eq!(printed(parsed), (Some(0), String::new(), String::new()));
}

#[test]
fn fish_completes_commands_values_and_files() {
    if !has_shell("fish") {
        return;
    }
    let completed = |typed: &str| {
        let ask = format!("complete --do-complete '{typed}'");
        run("fish", &with_program(&format!("{}\n{ask}", completions("fish")))).1
    };
    let forecast = completed("garden-gate for");
    assert!(forecast.starts_with("forecast\tPredict the maintenance of Shoots"), "{forecast}");
    assert!(completed("garden-gate rules shoot/toleration-n").starts_with("shoot/toleration-not"));
    assert!(completed("garden-gate review Cargo.to").starts_with("Cargo.toml"));
}

/// Returns the candidates of a command line in the notation of fish.
fn candidates(typed: &[&str], environment: &[(&str, &str)], folder: &Path) -> Vec<String> {
    let mut command = garden_gate(&["completions", "fish", "--", "garden-gate"]);
    command.args(typed).current_dir(folder).envs(environment.iter().copied());
    let (code, out, stderr) = printed(command.output().unwrap());
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{typed:?}");
    let values = out.lines().map(|line| line.split_once('\t').unwrap().0.to_owned());
    values.collect()
}

#[test]
fn commands_are_candidates_without_aliases_and_flags() {
    let commands: BTreeSet<String> =
        candidates(&[""], &[], Path::new(".")).into_iter().filter(|it| it != "help").collect();
    let command = Arguments::command();
    let expected = command.get_subcommands().map(|it| it.get_name().to_owned());
    assert_eq!(commands, expected.collect());
    let flags = candidates(&["review", "--"], &[], Path::new("."));
    assert!(flags.iter().any(|it| it == "--garden") && flags.len() > 30, "{flags:?}");
}

#[test]
fn contexts_of_kubeconfig_are_candidates_unless_a_shell_interprets_them() {
    let folder = tempdir().unwrap();
    let kubeconfig = |names: &[&str]| {
        let contexts =
            names.iter().map(|it| format!("- name: '{it}'\n  context: {{cluster: c, user: u}}\n"));
        format!(
            "apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts:\n{}",
            contexts.collect::<String>()
        )
    };
    fs::write(folder.path().join("a"), kubeconfig(&["dev", "arn:aws:eks:x", "$(id)", "a b"]))
        .unwrap();
    fs::write(folder.path().join("b"), kubeconfig(&["prod"])).unwrap();
    let context = |typed: &[&str], variable: &str| {
        let typed = [typed, &["--live", "--context", ""]].concat();
        candidates(&typed, &[("KUBECONFIG", variable), ("HOME", "/nonexistent")], folder.path())
    };
    assert_eq!(context(&["review"], "a"), ["dev", "arn:aws:eks:x"]);
    assert_eq!(context(&["audit", "--kubeconfig", "b"], "a"), ["prod"]);
    assert_eq!(context(&["audit", "--kubeconfig=b"], "a"), ["prod"]);
    assert_eq!(context(&["review"], "missing"), [""; 0]);
    assert_eq!(context(&["review"], ""), [""; 0]);
}

#[test]
fn branches_are_candidates_unless_a_shell_interprets_them() {
    let repository = Repository::new(&[("a.yaml", "")]);
    repository.git(&["init", "-q"]);
    repository.commit();
    for branch in ["feature/x", "$(touch${IFS}made)", "a;b"] {
        repository.git(&["branch", branch]);
    }
    let branches = |folder: &Path| candidates(&["review", "--git", ""], &[], folder);
    assert_eq!(branches(repository.path()), ["feature/x", "main"]);
    assert!(!repository.path().join("made").exists());
    assert_eq!(branches(tempdir().unwrap().path()), [""; 0]);
}

#[rstest]
#[case("elvish")]
#[case("powershell")]
fn static_script_has_every_command_with_its_description(#[case] shell: &str) {
    let script = completions(shell);
    for command in Arguments::command().get_subcommands() {
        assert!(script.contains(command.get_name()), "{shell}: {script}");
    }
    assert!(script.contains("Predict the maintenance of Shoots"), "{script}");
}

#[test]
fn a_shell_that_is_not_known_is_answered_with_those_that_are() {
    let (code, stdout, stderr) = gate(&["completions", "tcsh"]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("bash, elvish, fish, powershell, zsh"), "{stderr}");
}

/// Returns the names of all commands, in the notation of man pages.
fn pages(command: &clap::Command, name: &str) -> BTreeSet<String> {
    let below = command.get_subcommands();
    let below = below.flat_map(|below| pages(below, &format!("{name}-{}", below.get_name())));
    below.chain([format!("{name}.1")]).collect()
}

#[test]
fn every_command_has_a_page_and_nothing_else_has() {
    let folder = tempdir().unwrap();
    // A folder that does not exist yet.
    let folder = folder.path().join("share/man1");
    let told = gate(&["man", folder.to_str().unwrap()]);
    assert_eq!(told, (Some(0), String::new(), String::new()));
    let written = fs::read_dir(&folder).unwrap();
    let written: BTreeSet<String> =
        written.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(written, pages(&Arguments::command(), "garden-gate"));
    for name in written {
        let page = fs::read_to_string(folder.join(&name)).unwrap();
        for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES"] {
            assert!(page.contains(&format!(".SH {heading}\n")), "{name}: {page}");
        }
    }
}

/// Compares the output of `man`; without groff, the source.
#[test]
fn a_page_reads_as_the_help_does() {
    let folder = tempdir().unwrap();
    gate(&["man", folder.path().to_str().unwrap()]);
    let page = fs::read_to_string(folder.path().join("garden-gate-schema.1"))
        .unwrap()
        .replace(env!("CARGO_PKG_VERSION"), "VERSION");
    insta::assert_snapshot!("page", page);
    let shown = Command::new("groff")
        .args(["-man", "-Tascii", "-Kutf8", "-ww", "-P-c", "-rLL=90n"])
        .arg(folder.path().join("garden-gate-schema.1"))
        .output();
    if let Ok(shown) = shown {
        let (code, text, complaints) = printed(shown);
        assert_eq!((code, complaints.as_str()), (Some(0), ""));
        let example = "\n         garden-gate schema Shoot > shoot.schema.json\n";
        assert!(text.contains(example), "{text}");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let (code, _, stderr) = gate(&["man", file.join("man1").to_str().unwrap()]);
    assert_eq!(code, Some(2));
    assert!(stderr.starts_with("error: cannot write `"), "{stderr}");
}

fn plugin(arguments: &[&str]) -> String {
    let mut command = garden_gate(arguments);
    command.arg0("/home/dev/.krew/bin/kubectl-garden_gate");
    let (code, stdout, stderr) = printed(command.output().unwrap());
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    stdout
}

#[rstest]
#[case(&["--help"], "Usage: kubectl garden-gate <COMMAND>")]
#[case(&["config", "check", "-h"], "Usage: kubectl garden-gate config check [OPTIONS] [FILE]")]
#[case(&["config", "--help"], "  kubectl garden-gate config check")]
#[case(&["review", "--help"], "  kubectl garden-gate review --garden dump/ shoots/")]
#[case(&["review", "--help"], "  kustomize build . | kubectl garden-gate review --garden dump/ -")]
fn as_a_plugin_of_kubectl_it_says_so(#[case] arguments: &[&str], #[case] line: &str) {
    let help = plugin(arguments);
    assert!(help.lines().any(|it| it == line), "{help}");
    // Under its original name, the program does not print this.
    let (_, own, _) = gate(arguments);
    let own_line = line.replace("kubectl garden-gate", "garden-gate");
    assert!(own.lines().any(|it| it == own_line), "{own}");
}

#[test]
fn a_plugin_does_what_the_program_does() {
    assert_eq!(plugin(&["rules"]), gate(&["rules"]).1);
    assert_eq!(plugin(&["completions", "bash"]), completions("bash"));
}
