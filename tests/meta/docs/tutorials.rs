// SPDX-License-Identifier: Apache-2.0
//! Tutorials are followed: their commands run in order in one directory, and print the shown output.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::command::garden_gate;
use crate::docs::pages::{Block, parse};
use crate::docs::root;

/// Runs scripts in one shell, and returns the output of each, with that on standard error.
fn outputs(scripts: &[&Block], directory: &Path) -> Vec<String> {
    let out = TempDir::new().unwrap();
    let file = |number: usize| out.path().join(number.to_string());
    let scripts = scripts.iter().enumerate().map(|(number, script)| {
        format!("{{\n{}}} >'{}' 2>&1\n", script.text, file(number).display())
    });
    let scripts: Vec<String> = scripts.collect();
    let program = Path::new(env!("CARGO_BIN_EXE_garden-gate")).parent().unwrap();
    let others = env::var("PATH").unwrap();
    // The last script may fail, as a review with a refusal does.
    Command::new("bash")
        .args(["-c", &scripts.concat()])
        .current_dir(directory)
        .env("PATH", format!("{}:{others}", program.display()))
        .env("HOME", out.path())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .envs(["AUTHOR", "COMMITTER"].map(|it| (format!("GIT_{it}_NAME"), "dev")))
        .envs(["AUTHOR", "COMMITTER"].map(|it| (format!("GIT_{it}_EMAIL"), "dev@example.com")))
        .status()
        .unwrap();
    let read = |number| fs::read_to_string(file(number)).unwrap();
    (0..scripts.len()).map(read).collect()
}

/// Reports whether JSON is as on a page, where `…` stands for any text.
fn is_shown(shown: &Value, actual: &Value) -> bool {
    match (shown, actual) {
        (Value::String(text), Value::String(_)) if text == "…" => true,
        (Value::Array(shown), Value::Array(actual)) => {
            shown.len() == actual.len() && shown.iter().zip(actual).all(|(a, b)| is_shown(a, b))
        }
        (Value::Object(shown), Value::Object(actual)) => {
            let is_there = |(key, it)| actual.get(key).is_some_and(|actual| is_shown(it, actual));
            shown.len() == actual.len() && shown.iter().all(is_there)
        }
        (shown, actual) => shown == actual,
    }
}

/// Runs the scripts of a text, and compares their output with the blocks of text or JSON below them.
fn follow(text: &str, directory: &Path) {
    let blocks = parse("".into(), text).blocks;
    let is_script = |block: &Block| block.language == "sh";
    let scripts: Vec<&Block> = blocks.iter().filter(|it| is_script(it)).collect();
    let mut outputs = outputs(&scripts, directory).into_iter();
    let mut seen = 0;
    for (number, block) in blocks.iter().enumerate().filter(|(_, it)| is_script(it)) {
        let (script, output) = (&block.text, outputs.next().unwrap());
        let Some(shown) = blocks.get(number + 1) else {
            continue;
        };
        match shown.language.as_str() {
            "text" => assert_eq!(output.trim_end(), shown.text.trim_end(), "{script}"),
            "json" => {
                let shown = serde_json::from_str(&shown.text).unwrap();
                let actual = serde_json::from_str(&output).unwrap_or_default();
                assert!(is_shown(&shown, &actual), "{script}{output}");
            }
            _ => continue,
        }
        seen += 1;
    }
    assert!(seen > 0, "no output was compared");
}

/// Reads a page, with the path of this checkout.
fn read(page: &str) -> String {
    let text = fs::read_to_string(root().join(page)).unwrap();
    text.replace("CHECKOUT", root().to_str().unwrap())
}

#[test]
fn tutorial_of_a_pull_request_is_followed() {
    let directory = TempDir::new().unwrap();
    follow(&read("docs/tutorials/check-a-pull-request.md"), directory.path());
}

#[test]
fn quick_start_is_followed() {
    let directory = TempDir::new().unwrap();
    let page = read("README.md");
    let (_, text) = page.split_once("\n## Quick start\n").unwrap();
    let (text, _) = text.split_once("\n## ").unwrap();
    follow(&format!("```sh\ngit init --quiet\n```\n{text}"), directory.path());
}

/// A running server, which ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only if the process has already ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Copies a directory: `serve` follows no link out of its working directory.
fn copy(from: &Path, to: &Path) {
    for entry in WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target).unwrap();
        } else {
            fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// The second part needs an API server; the tests of the suite `cluster` have one.
#[test]
fn webhook_tutorial_is_followed_without_a_cluster() {
    let directory = TempDir::new().unwrap();
    copy(&root().join("examples"), &directory.path().join("examples"));
    let page = read("docs/tutorials/run-the-webhook.md");
    let (text, _) = page.split_once("\n## Part 2").unwrap();
    let (start, text) = text.split_once("In another terminal").unwrap();
    let blocks = parse("".into(), start).blocks;
    let [serve, ready] = &blocks[..] else {
        unreachable!("{start}");
    };
    let arguments = serve.text.trim_end().strip_prefix("cargo run -- ").unwrap();
    let mut arguments: Vec<&str> = arguments.split(' ').collect();
    arguments.extend(["--listen", "127.0.0.1:0"]);
    let mut command = garden_gate(&arguments);
    let command = command.current_dir(directory.path()).stdout(Stdio::piped());
    let mut server = Server(command.stderr(Stdio::null()).spawn().unwrap());
    let mut line = String::new();
    let mut stdout = BufReader::new(server.0.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    let port = line.trim_end().rsplit(':').next().unwrap();
    assert_eq!(line, ready.text.replace("9443", port));
    let text = text.replace("9443", port).replace("curl ", "curl --silent --show-error ");
    follow(&text, directory.path());
}
