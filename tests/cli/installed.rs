//! Files installed with the program: completions, man pages, and its name as a plugin of `kubectl`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use crate::command::{garden_gate, printed};
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

#[rstest]
#[case::a_command("garden-gate for", "forecast")]
#[case::a_command_below_a_command("garden-gate config ch", "check")]
#[case::a_flag("garden-gate review --bas", "--baseline")]
#[case::a_value("garden-gate webhooks --failure-policy Ig", "Ignore")]
#[case::a_shell("garden-gate completions fi", "fish")]
fn bash_completes(#[case] typed: &str, #[case] completed: &str) {
    let words: Vec<&str> = typed.split(' ').collect();
    let (last, before) = words.split_last().unwrap();
    let script = format!(
        "{}\nCOMP_WORDS=({typed})\nCOMP_CWORD={}\n_garden__gate garden-gate {last} {}\necho \"${{COMPREPLY[@]}}\"",
        completions("bash"),
        before.len(),
        before.last().unwrap(),
    );
    let expected = (Some(0), format!("{completed}\n"), String::new());
    assert_eq!(run("bash", &script), expected);
}

#[rstest]
#[case("bash")]
#[case("elvish")]
#[case("fish")]
#[case("powershell")]
#[case("zsh")]
fn every_shell_gets_every_command_and_what_it_is_for(#[case] shell: &str) {
    let script = completions(shell);
    for command in Arguments::command().get_subcommands() {
        assert!(script.contains(command.get_name()), "{shell}: {script}");
    }
    let described = script.contains("Predict the maintenance of Shoots");
    // Bash shows no descriptions.
    assert_eq!(described, shell != "bash", "{script}");
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
