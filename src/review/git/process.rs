// SPDX-License-Identifier: Apache-2.0
//! Git processes that never run other programs, with any configuration of the repository.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, anyhow, bail};

/// The first version with `safe.bareRepository`.
const OLDEST: (u32, u32) = (2, 38);

/// Settings that take precedence over those of the repository: no other programs, no network, no replaced objects.
const SETTINGS: &[&str] = &[
    "advice.graftFileDeprecated=false",
    "core.alternateRefsCommand=",
    "core.askPass=",
    "core.attributesFile=/dev/null",
    "core.editor=false",
    "core.fsmonitor=false",
    "core.gitProxy=",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.quotePath=off",
    "core.sshCommand=false",
    "core.useReplaceRefs=false",
    "core.warnAmbiguousRefs=true",
    "credential.helper=",
    "diff.external=",
    "gpg.program=false",
    "protocol.allow=never",
    "protocol.ext.allow=never",
    "safe.bareRepository=explicit",
    "uploadpack.packObjectsHook=",
];

/// Environment variables that locate the user's own configuration or make Git stricter.
///
/// The configuration may contain `safe.directory`.
const KEPT: &[&str] = &[
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_TEST_ASSUME_DIFFERENT_OWNER",
];

/// Checks that Git accepts `root` as the root of a work tree, with the existing `.git`.
///
/// # Errors
/// Fails without Git, with an old version, or if Git uses another repository.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let version = succeed(run(root, &["version"])?)?;
    let version = String::from_utf8_lossy(&version);
    if version_of(&version).is_none_or(|it| it < OLDEST) {
        bail!(
            "`{}` is too old; --git needs Git {}.{} or later, --old takes a directory or file instead",
            version.trim(),
            OLDEST.0,
            OLDEST.1
        );
    }
    let output = run(root, &["rev-parse", "--show-toplevel", "--absolute-git-dir"])?;
    if !output.status.success() {
        bail!("{}", why_not(root, &String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8(output.stdout)
        .context("`git` answered with something that is not UTF-8")?;
    let mut lines = text.lines().map(PathBuf::from);
    let (Some(top), Some(folder)) = (lines.next(), lines.next()) else {
        bail!("`git rev-parse` printed no path");
    };
    let entry = root.join(".git");
    let is_folder = fs::symlink_metadata(&entry).is_ok_and(|it| it.is_dir());
    let is_expected = if is_folder { folder == entry } else { folder != root };
    if top != root || !is_expected {
        bail!(
            "Git takes `{}` for the work tree of `{}` and `{}` for its repository; --git compares only with a repository whose work tree is above its files",
            top.display(),
            entry.display(),
            folder.display()
        );
    }
    Ok(())
}

fn why_not(root: &Path, why: &str) -> String {
    if why.contains("dubious ownership") {
        let mut remedies = why.lines().map(str::trim);
        let remedy = remedies.find(|line| line.starts_with("git config"));
        return format!(
            "Git does not trust the repository, since it belongs to another user; run `{}`",
            remedy.unwrap_or("git status")
        );
    }
    let why = why.lines().next().unwrap_or("no reason given");
    format!("`git` cannot use the repository `{}`: {why}", root.join(".git").display())
}

/// Parses a version, such as `git version 2.39.5 (Apple Git-154)`.
fn version_of(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.strip_prefix("git version ")?.split(['.', ' ']);
    let mut number = || numbers.next()?.trim().parse().ok();
    Some((number()?, number()?))
}

/// Returns the first line that `git` prints; `None` when it fails.
pub(crate) fn line(root: &Path, arguments: &[&str]) -> anyhow::Result<Option<String>> {
    let output = run(root, arguments)?;
    if !output.status.success() {
        return Ok(None);
    }
    let why = String::from_utf8_lossy(&output.stderr);
    if let Some(name) = why.lines().find_map(ambiguous) {
        bail!(
            "`{name}` is ambiguous, as in `git show-ref {name}`; write `refs/remotes/{name}`, `refs/heads/{name}` or `refs/tags/{name}`"
        );
    }
    let text = String::from_utf8(output.stdout)
        .context("`git` answered with something that is not UTF-8")?;
    Ok(text.lines().next().map(str::to_owned))
}

/// Returns the name in a warning such as `warning: refname 'origin/main' is ambiguous.`
fn ambiguous(line: &str) -> Option<&str> {
    let name = line.strip_prefix("warning: refname '")?;
    name.strip_suffix("' is ambiguous.")
}

/// Returns the output of `git`.
///
/// # Errors
/// Fails with the reason if `git` fails.
pub(crate) fn succeed(output: Output) -> anyhow::Result<Vec<u8>> {
    if output.status.success() {
        return Ok(output.stdout);
    }
    let why = String::from_utf8_lossy(&output.stderr);
    if why.contains("lazy fetching disabled") || why.contains("transport '") {
        bail!(
            "the clone is partial and lacks files of the revision; run `git fetch --refetch --no-filter`"
        );
    }
    Err(anyhow!("`git` failed: {}", why.lines().next().unwrap_or("it did not say why")))
}

/// Runs a Git command and waits for it.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> anyhow::Result<Output> {
    let output = command(root, arguments).stdin(Stdio::null()).output();
    output.context("cannot run `git`; --git needs it, --old takes a directory or file instead")
}

/// Returns a Git command in the work tree `root`.
///
/// It runs without locks, lazy fetching, prompts and other programs.
pub(crate) fn command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    for (name, _) in env::vars_os() {
        if is_removed(&name) {
            command.env_remove(name);
        }
    }
    command
        .arg("-C")
        .arg(root)
        .args(["--no-optional-locks", "--no-pager", "--no-replace-objects"])
        .arg("--literal-pathspecs");
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command
        .args(arguments)
        // Git does not search for a repository above the root.
        .env("GIT_CEILING_DIRECTORIES", root.parent().unwrap_or(root))
        .env("GIT_ALLOW_PROTOCOL", "")
        .env("GIT_ASKPASS", "false")
        .env("GIT_GRAFT_FILE", "/dev/null")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_SSH_COMMAND", "false")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C");
    command
}

/// Reports whether a variable of the environment is removed.
///
/// These are Git's own, except those that locate the user's configuration.
fn is_removed(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let is_setting =
        ["GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"].iter().any(|prefix| name.starts_with(prefix));
    name.starts_with("GIT_") && !is_setting && !KEPT.contains(&&*name)
}
