// SPDX-License-Identifier: Apache-2.0
//! Code blocks of pages: commands print the shown output, options exist, and configurations are valid.

use std::fs;

use clap::Parser as _;
use clap::error::ErrorKind;
use garden_gate::cli::Arguments;
use tempfile::TempDir;

use crate::docs::pages::pages;
use crate::docs::{gate, root};

/// Returns the blocks of all pages in one of these languages, with the page of each.
fn blocks(languages: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for page in pages() {
        let wanted =
            page.blocks.into_iter().filter(|block| languages.contains(&block.language.as_str()));
        let path = page.path.display().to_string();
        found.extend(wanted.map(|block| (path.clone(), block.text)));
    }
    found
}

/// Blocks with a command line and its output; a line of only `…` stands for omitted lines.
#[test]
fn pages_show_what_commands_print() {
    let blocks = blocks(&["console"]);
    assert!(blocks.len() > 5, "{} blocks were read", blocks.len());
    for (page, block) in blocks {
        let (command, expected) = block.split_once('\n').unwrap();
        let Some(arguments) = command.strip_prefix("$ garden-gate ") else {
            unreachable!(
                "{page}: nobody runs `{command}`; a block of `sh` or `text` shows what is not run"
            );
        };
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let (_, stdout, _) = gate(&arguments);
        let printed: Vec<&str> = stdout.trim_end().lines().collect();
        let expected: Vec<&str> = expected.lines().collect();
        let cut = expected.iter().position(|line| line.trim() == "…");
        if let Some(cut) = cut {
            let rest = expected.len() - cut - 1;
            assert_eq!(printed[..cut], expected[..cut], "{page}: {command}");
            let end = &printed[printed.len() - rest..];
            assert_eq!(end, &expected[cut + 1..], "{page}: {command}");
        } else {
            assert_eq!(printed, expected, "{page}: {command}");
        }
    }
}

/// Returns the `garden-gate` commands of a script with their arguments; `…` stands for omitted ones.
fn own_commands(script: &str) -> Vec<Vec<String>> {
    let words = script
        .lines()
        .map(|line| line.strip_suffix('\\').map_or(format!("{line} ; "), str::to_owned));
    let words = shlex::split(&words.collect::<String>()).unwrap_or_default();
    let commands = words.split(|word| ["|", "&&", "||", ";"].contains(&word.as_str()));
    let own = commands.filter_map(|command| {
        let command = command.iter().map(String::as_str).collect::<Vec<_>>();
        match command.as_slice() {
            ["garden-gate", rest @ ..] | ["cargo", "run", "--", rest @ ..] => Some(rest.to_vec()),
            _ => None,
        }
    });
    own.map(|command| {
        let words = command.into_iter().take_while(|word| !word.starts_with('>'));
        words.filter(|word| *word != "…").map(str::to_owned).collect()
    })
    .collect()
}

#[test]
fn commands_that_pages_show_are_understood() {
    let mut seen = 0;
    for (page, script) in blocks(&["sh", ""]) {
        for command in own_commands(&script) {
            let words = std::iter::once("garden-gate".to_owned()).chain(command.clone());
            let problem = Arguments::try_parse_from(words).err();
            let shown = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion];
            let is_help = |it: &clap::Error| shown.contains(&it.kind());
            let problem = problem.filter(|it| !is_help(it));
            assert!(problem.is_none(), "{page}: {command:?}: {problem:?}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} commands were read");
}

#[test]
fn configurations_that_pages_show_are_some() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("config.yaml");
    let mut seen = 0;
    for (page, text) in blocks(&["yaml"]) {
        let is_reference = page == "docs/reference/configuration.md";
        let is_named = text.starts_with("rules:") || text.contains("kind: GateConfiguration");
        if is_reference || is_named {
            fs::write(&file, &text).unwrap();
            let (code, out, err) = gate(&["config", "check", file.to_str().unwrap()]);
            assert_eq!(code, Some(0), "{page}: {text}{out}{err}");
            seen += 1;
        }
    }
    assert!(seen > 2, "{seen} configurations were read");
}

/// Reports whether `Cargo.toml` declares a test or benchmark of this name.
fn is_target(manifest: &toml::Table, kind: &str, name: &str) -> bool {
    let targets = manifest[kind].as_array().unwrap();
    targets.iter().any(|it| it["name"].as_str() == Some(name))
}

/// The folders of the suites of tests.
const SUITES: [&str; 6] = ["cli", "cluster", "core", "hostile", "meta", "server"];

/// Reports whether the tests have a module of this name.
fn is_module(name: &str) -> bool {
    SUITES.iter().any(|suite| {
        let folder = root().join("tests").join(suite);
        folder.join(format!("{name}.rs")).is_file() || folder.join(name).join("main.rs").is_file()
    })
}

#[test]
fn tests_and_benchmarks_that_pages_name_are_there() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let mut seen = 0;
    for page in pages() {
        let text = fs::read_to_string(root().join(&page.path)).unwrap();
        let here = page.path.display();
        for (option, kind) in [("--test ", "test"), ("--bench ", "bench")] {
            for rest in text.split(option).skip(1) {
                let word = |text: &str| {
                    let end = text.find(|it: char| !matches!(it, 'a'..='z' | '0'..='9' | '_'));
                    text[..end.unwrap_or(text.len())].to_owned()
                };
                let name = word(rest);
                // `NAME` is a placeholder.
                if name.is_empty() {
                    continue;
                }
                assert!(is_target(&manifest, kind, &name), "{here}: {option}{name}");
                let module = word(rest[name.len()..].trim_start());
                if rest[name.len()..].starts_with(&format!(" {module}::")) {
                    assert!(is_module(&module), "{here}: {option}{name} {module}::");
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 30, "{seen} names were read");
}
