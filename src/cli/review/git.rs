//! What files were before a change, as Git knows them. The program `git` is asked, and only for what does not touch the work tree.

use std::collections::HashSet;
use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use anyhow::{Context, anyhow, bail};

use super::input::{Input, Unread};
use crate::files::{MAX_FILE, has_manifest_name, too_large};

/// Files as they were at one commit.
pub(super) struct Revision {
    /// What the user calls it.
    pub(super) name: String,
    /// The root of the work tree.
    root: PathBuf,
    commit: String,
}

impl Revision {
    /// Where the history of `wanted` and of `HEAD` part, which is what a pull request is compared with; with `..` at its end,
    /// `wanted` itself. `at` is any path of the work tree.
    ///
    /// # Errors
    /// When there is no `git`, no repository, no such revision, or too little history; says what to do.
    pub(super) fn find(at: &Path, wanted: &str) -> anyhow::Result<Self> {
        let directory = if at.is_dir() {
            at
        } else {
            at.parent().unwrap_or(at)
        };
        let directory = match directory.as_os_str().is_empty() {
            true => Path::new("."),
            false => directory,
        };
        let root = git(directory, &["rev-parse", "--show-toplevel"])?;
        let Some(root) = root else {
            if git(directory, &["rev-parse", "--is-bare-repository"])?.as_deref() == Some("true") {
                bail!(
                    "`{}` is a bare Git repository, which has no files to review; make a work tree with `git worktree add`, or clone it",
                    directory.display()
                );
            }
            bail!(
                "`{}` is in no Git repository; --git needs one, --old takes a directory or file instead",
                directory.display()
            );
        };
        let root = PathBuf::from(root);
        let commit = |revision: &str| {
            let revision = format!("{revision}^{{commit}}");
            git(
                &root,
                &[
                    "rev-parse",
                    "--verify",
                    "--quiet",
                    "--end-of-options",
                    &revision,
                ],
            )
        };
        let Some(head) = commit("HEAD")? else {
            bail!("the Git repository `{}` has no commits yet", root.display());
        };
        let name = wanted.strip_suffix("..").unwrap_or(wanted);
        let Some(named) = commit(name)? else {
            bail!(
                "Git knows no revision `{name}`; fetch it first, as in `git fetch origin {}`",
                branch(name)
            );
        };
        let commit = match name == wanted {
            true => merge_base(&root, name, &named, &head)?,
            false => named,
        };
        let name = name.to_owned();
        Ok(Self { name, root, commit })
    }

    /// The manifests that were at or below one of `paths`. What is in the work tree but not `walked`, the files that are
    /// reviewed now, is left out there on purpose, and so it is here; so are hidden files.
    ///
    /// # Errors
    /// When a path is outside of the work tree, or `git` fails.
    pub(super) fn files(
        &self,
        paths: &[PathBuf],
        walked: &HashSet<PathBuf>,
    ) -> anyhow::Result<Vec<Input>> {
        let mut blobs = Vec::new();
        for path in paths {
            for blob in self.below(path)? {
                let absolute = self.root.join(&blob.path);
                let is_left_out = absolute.exists() && !walked.contains(&absolute);
                if !is_left_out && !is_hidden(&blob.path) && has_manifest_name(&blob.path) {
                    blobs.push(blob);
                }
            }
        }
        blobs.sort();
        blobs.dedup();
        self.read(blobs)
    }

    fn below(&self, path: &Path) -> anyhow::Result<Vec<Blob>> {
        let absolute = absolute(path)?;
        let Ok(inside) = absolute.strip_prefix(&self.root) else {
            bail!(
                "`{}` is not in the Git repository `{}`",
                path.display(),
                self.root.display()
            );
        };
        let mut arguments = vec![
            "ls-tree",
            "-r",
            "-l",
            "-z",
            "--full-tree",
            &self.commit,
            "--",
        ];
        let inside = inside.to_str().context("a path is not UTF-8")?;
        if !inside.is_empty() {
            arguments.push(inside);
        }
        let listed = succeed(run(&self.root, &arguments)?)?;
        let entries = listed.split(|byte| *byte == 0);
        Ok(entries.filter_map(blob).collect())
    }

    fn read(&self, blobs: Vec<Blob>) -> anyhow::Result<Vec<Input>> {
        let mut child = command(&self.root, &["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot run `git`")?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else {
            bail!("cannot talk to `git`");
        };
        let wanted: Vec<Blob> = blobs;
        let inputs = thread::scope(|scope| {
            scope.spawn(|| {
                for blob in wanted.iter().filter(|blob| blob.size <= MAX_FILE) {
                    // A program that is gone is noticed where its answers are read.
                    if writeln!(stdin, "{}", blob.id).is_err() {
                        break;
                    }
                }
                drop(stdin);
            });
            let mut answers = BufReader::new(stdout);
            let inputs = wanted.iter().map(|blob| {
                Ok(Input {
                    name: shown(&self.root.join(&blob.path)),
                    text: text(blob, &mut answers)?,
                    is_named: false,
                })
            });
            inputs.collect::<anyhow::Result<Vec<Input>>>()
        });
        child.wait().context("cannot wait for `git`")?;
        inputs
    }
}

/// A file in a commit.
#[derive(Eq, Ord, PartialEq, PartialOrd)]
struct Blob {
    path: PathBuf,
    id: String,
    /// In bytes.
    size: u64,
}

/// `100644 blob <id> <size>\t<path>`; anything that is no file is none of ours.
fn blob(entry: &[u8]) -> Option<Blob> {
    let entry = std::str::from_utf8(entry).ok()?;
    let (about, path) = entry.split_once('\t')?;
    let mut words = about.split_ascii_whitespace();
    let (mode, kind, id, size) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let is_file = kind == "blob" && mode != "120000";
    is_file.then(|| Blob {
        path: path.into(),
        id: id.to_owned(),
        size: size.parse().unwrap_or(u64::MAX),
    })
}

fn text(blob: &Blob, answers: &mut impl BufRead) -> anyhow::Result<Result<String, Unread>> {
    if blob.size > MAX_FILE {
        return Ok(Err(Unread::Closed(too_large())));
    }
    let mut head = String::new();
    answers.take(4096).read_line(&mut head)?;
    if !head.trim_end().ends_with(&format!(" {}", blob.size)) {
        bail!(
            "`git` has no `{}`: {}; fetch more of the history",
            blob.path.display(),
            head.trim_end()
        );
    }
    let mut bytes = vec![0; usize::try_from(blob.size)?];
    answers.read_exact(&mut bytes)?;
    answers.read_exact(&mut [0])?;
    Ok(String::from_utf8(bytes).map_err(|_| Unread::NoText("not UTF-8 text".to_owned())))
}

fn merge_base(root: &Path, name: &str, named: &str, head: &str) -> anyhow::Result<String> {
    if let Some(base) = git(root, &["merge-base", named, head])? {
        return Ok(base);
    }
    let is_shallow = git(root, &["rev-parse", "--is-shallow-repository"])?;
    if is_shallow.as_deref() == Some("true") {
        bail!(
            "the clone is shallow and does not reach back to where `{name}` and HEAD part; run `git fetch --unshallow`, or compare with `{name}` itself by `--git {name}..`"
        );
    }
    bail!(
        "`{name}` and HEAD have no common history; compare with `{name}` itself by `--git {name}..`"
    )
}

/// What to fetch to get a revision: `origin/main` is the branch `main`.
fn branch(name: &str) -> &str {
    name.strip_prefix("origin/").unwrap_or(name)
}

/// As `.gitignore`'s walk leaves them out.
fn is_hidden(path: &Path) -> bool {
    path.iter()
        .any(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// The absolute path, with links in it followed as far as it exists.
pub(super) fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    Ok(absolute.canonicalize().unwrap_or(absolute))
}

/// As seen from the working directory, if it is below.
pub(super) fn shown(path: &Path) -> String {
    let directory = std::env::current_dir().and_then(|it| it.canonicalize());
    let relative = directory
        .ok()
        .and_then(|it| path.strip_prefix(it).ok().map(Path::to_owned));
    relative
        .unwrap_or_else(|| path.to_owned())
        .display()
        .to_string()
}

/// One line that `git` prints; `None` where it says no.
fn git(directory: &Path, arguments: &[&str]) -> anyhow::Result<Option<String>> {
    let output = run(directory, arguments)?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        if why.contains("dubious ownership") {
            let way_out = why.lines().map(str::trim);
            let mut way_out = way_out.filter(|line| line.starts_with("git config"));
            bail!(
                "Git does not trust the repository, since it belongs to another user; run `{}`",
                way_out.next().unwrap_or("git status")
            );
        }
        return Ok(None);
    }
    let text = String::from_utf8(output.stdout)
        .context("`git` answered with something that is not UTF-8")?;
    Ok(text.lines().next().map(str::to_owned))
}

fn succeed(output: Output) -> anyhow::Result<Vec<u8>> {
    if output.status.success() {
        return Ok(output.stdout);
    }
    let why = String::from_utf8_lossy(&output.stderr);
    if why.contains("lazy fetching disabled") {
        bail!(
            "the clone is partial and lacks files of the revision; run `git fetch --refetch --no-filter`"
        );
    }
    Err(anyhow!(
        "`git` failed: {}",
        why.lines().next().unwrap_or("it did not say why")
    ))
}

fn run(directory: &Path, arguments: &[&str]) -> anyhow::Result<Output> {
    let output = command(directory, arguments).stdin(Stdio::null()).output();
    output.context("cannot run `git`; --git needs it, --old takes a directory or file instead")
}

/// Without locks, without fetching what a partial clone lacks, without asking anybody. To hooks Git names its own folder without the work
/// tree, which would then be taken to begin wherever a command runs.
fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(directory)
        .args(["--no-optional-locks", "-c", "core.quotePath=off"])
        .args(arguments)
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C");
    if env::var_os("GIT_WORK_TREE").is_none() {
        command.env_remove("GIT_DIR");
    }
    command
}
