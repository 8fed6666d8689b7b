// SPDX-License-Identifier: Apache-2.0
//! The command line before the cursor, as shells pass it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap_complete::Shell;

use garden_gate_text::escape;

/// The characters other than spaces at which bash splits words.
const BREAKS: [char; 2] = ['=', ':'];

/// The words before the cursor, of which the last one is completed.
pub(super) struct TypedWords {
    shell: Shell,
    words: Vec<String>,
}

impl TypedWords {
    /// Returns the words of a shell that passes any; words that are not UTF-8 have no candidates.
    pub(super) fn new(shell: Shell, words: Vec<OsString>) -> Option<Self> {
        if words.is_empty() {
            return None;
        }
        let texts = words.into_iter().map(|word| word.to_string_lossy().into_owned());
        let words = match shell {
            Shell::Bash => rejoined(texts),
            _ => texts.collect(),
        };
        Some(Self { shell, words })
    }

    /// Returns the words for the parser of the command line.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        self.words.iter().map(OsString::from).collect()
    }

    /// Returns the word that is completed.
    pub(super) fn current(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }

    /// Returns the value of a flag before the current word.
    pub(super) fn path(&self, flag: &str) -> Option<PathBuf> {
        let mut words = self.words.iter().rev().skip(1).rev();
        let mut found = None;
        while let Some(word) = words.next() {
            match word.strip_prefix(flag) {
                Some("") => found = words.next().map(String::as_str),
                Some(value) => found = value.strip_prefix('=').or(found),
                None => {}
            }
        }
        found.map(|path| Path::new(path).to_owned())
    }

    /// Returns the line by which the shell learns about a candidate.
    pub(super) fn line(&self, value: &str, help: &str) -> String {
        let help = escape::value(help.lines().next().unwrap_or_default());
        match self.shell {
            Shell::Bash => {
                // Bash replaces only the part after the last break.
                let kept = self.current().rfind(BREAKS).map_or(0, |index| index + 1);
                value.get(kept..).unwrap_or_default().to_owned()
            }
            Shell::Zsh => format!("{}:{help}", value.replace(':', "\\:")),
            _ => format!("{value}\t{help}"),
        }
    }
}

/// Joins the parts of words that bash splits at `=` and `:`.
fn rejoined(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in words {
        let is_break = !word.is_empty() && word.chars().all(|it| BREAKS.contains(&it));
        match joined.last_mut() {
            Some(last) if is_break || is_open => last.push_str(&word),
            _ => joined.push(word),
        }
        is_open = is_break;
    }
    joined
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::Path;

    use clap_complete::Shell;

    use super::TypedWords;

    fn typed(shell: Shell, words: &[&str]) -> TypedWords {
        TypedWords::new(shell, words.iter().map(OsString::from).collect()).unwrap()
    }

    #[test]
    fn words_of_bash_rejoined() {
        let words = typed(Shell::Bash, &["g", "review", "--format", "=", "json", "=", "out"]);
        assert_eq!(words.words, ["g", "review", "--format=json=out"]);
        let words = typed(Shell::Bash, &["g", "--context", "arn", ":", "aws", ":"]);
        assert_eq!(words.current(), "arn:aws:");
        assert_eq!(words.line("arn:aws:eks", ""), "eks");
        assert_eq!(typed(Shell::Bash, &["g", "review", ""]).current(), "");
        assert!(TypedWords::new(Shell::Bash, Vec::new()).is_none());
    }

    #[test]
    fn lines_of_shells() {
        assert_eq!(typed(Shell::Zsh, &["g", ""]).line("a:b", "first\nsecond"), "a\\:b:first");
        assert_eq!(typed(Shell::Fish, &["g", ""]).line("a:b", "a\x1btab"), "a:b\ta\\u{1b}tab");
    }

    #[test]
    fn path_of_flag_before_cursor() {
        let path = |words: &[&str]| typed(Shell::Fish, words).path("--kubeconfig");
        assert_eq!(
            path(&["g", "--kubeconfig", "a", "--context", ""]).as_deref(),
            Some(Path::new("a"))
        );
        assert_eq!(
            path(&["g", "--kubeconfig=a", "--context", ""]).as_deref(),
            Some(Path::new("a"))
        );
        assert_eq!(path(&["g", "--context", ""]), None);
        assert_eq!(path(&["g", "--kubeconfig", ""]), None);
    }
}
