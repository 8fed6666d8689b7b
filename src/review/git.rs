// SPDX-License-Identifier: Apache-2.0
//! Files before a change, read from Git objects without touching the work tree and the index.

mod process;

use std::collections::{BTreeSet, HashSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;

use anyhow::{Context, bail};

use self::process::{command, line, run, succeed};
use super::input::{self, Input, Unread, is_hidden};
use super::repository::{self, absolute, shown};
use crate::files::{self, MAX_FILE, has_manifest_name, too_large};

/// Returns the names of at most `count` branches, also remote ones, of the repository of a path.
///
/// # Errors
/// Fails without `git` or a repository.
pub(crate) fn branches(at: &Path, count: usize) -> anyhow::Result<Vec<String>> {
    let root = repository::root(at)?;
    process::check(&root)?;
    let count = format!("--count={count}");
    let arguments =
        ["for-each-ref", &count, "--format=%(refname:short)", "refs/heads", "refs/remotes"];
    let names = succeed(run(&root, &arguments)?)?;
    Ok(String::from_utf8_lossy(&names).lines().map(str::to_owned).collect())
}

/// Files at one commit.
pub(crate) struct Revision {
    /// The revision as the user named it.
    pub(crate) name: String,
    /// The root of the work tree.
    root: PathBuf,
    commit: String,
}

impl Revision {
    /// Returns the merge base of `wanted` and `HEAD`, as for a pull request.
    ///
    /// If `wanted` ends with `..`, it is the revision itself. `at` is any path of the work tree.
    ///
    /// # Errors
    /// Fails without `git`, repository, revision, or enough history; the message contains the fix.
    pub(crate) fn find(at: &Path, wanted: &str) -> anyhow::Result<Self> {
        let at = if at == Path::new("-") { Path::new(".") } else { at };
        let root = repository::root(at)?;
        process::check(&root)?;
        let commit = |revision: &str| {
            let revision = format!("{revision}^{{commit}}");
            line(&root, &["rev-parse", "--verify", "--end-of-options", &revision])
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
        let commit = if name == wanted { merge_base(&root, name, &named, &head)? } else { named };
        let name = name.to_owned();
        Ok(Self { name, root, commit })
    }

    /// Returns the manifests at or below `paths` in the commit.
    ///
    /// Files that exist in the work tree, but are not in `walked`, are left out, since the review ignores them.
    ///
    /// # Errors
    /// Fails if a path is outside of the work tree, or `git` fails.
    pub(crate) fn files(
        &self,
        paths: &[PathBuf],
        walked: &HashSet<PathBuf>,
    ) -> anyhow::Result<Vec<Input>> {
        let mut blobs = Vec::new();
        for path in paths {
            for blob in self.below(path)? {
                // If a directory is now a symbolic link, other files replace those of the commit.
                let place = self.root.join(&blob.path);
                let is_there = place.canonicalize().is_ok_and(|it| it == place);
                let is_left_out = is_there && !walked.contains(&place);
                if !is_left_out && (has_manifest_name(&blob.path) || walked.contains(&place)) {
                    blobs.push(blob);
                }
            }
        }
        blobs.sort();
        blobs.dedup();
        self.read(blobs)
    }

    /// Returns the root of the work tree.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the absolute paths of tracked manifests at or below `paths` whose content differs from the commit.
    ///
    /// # Errors
    /// Fails if a path is outside of the work tree, or `git` fails.
    pub(crate) fn changed_manifests(&self, paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
        let mut changed = BTreeSet::new();
        for path in paths.iter().filter(|it| *it != Path::new("-")) {
            let before: BTreeSet<(PathBuf, String)> =
                self.below(path)?.into_iter().map(|it| (it.path, it.id)).collect();
            let inside = self.inside(path)?;
            let mut arguments = vec!["ls-files", "--stage", "-z", "--"];
            arguments.extend(Some(&*inside).filter(|it| !it.is_empty()));
            let listed = succeed(run(&self.root, &arguments)?)?;
            let now = listed
                .split(|byte| *byte == 0)
                .filter_map(staged)
                .filter(|it| has_manifest_name(&it.0) && !before.contains(it));
            changed.extend(now.map(|(path, _)| self.root.join(path)));
        }
        Ok(changed.into_iter().collect())
    }

    /// Returns the id of the commit.
    pub(crate) fn commit(&self) -> &str {
        &self.commit
    }

    /// Reports whether the commit has a file or directory.
    pub(crate) fn has(&self, path: &Path) -> anyhow::Result<bool> {
        Ok(!self.below(path)?.is_empty())
    }

    /// Reports whether a file of the work tree is new or differs from the commit.
    ///
    /// A symbolic link counts as different, since the change may choose its target.
    pub(crate) fn has_other(&self, file: &Path) -> anyhow::Result<bool> {
        if file.is_symlink() {
            return Ok(true);
        }
        let place = absolute(file)?;
        if !place.starts_with(&self.root) {
            return Ok(false);
        }
        let before = self.read(self.below(&place)?)?.pop().and_then(|it| it.text.ok());
        let now = files::read(&place).ok().and_then(|it| String::from_utf8(it).ok());
        // A checkout may have changed line endings.
        let lines = |text: Option<String>| text.map(|it| it.replace("\r\n", "\n"));
        Ok(lines(before) != lines(now))
    }

    /// Returns the content of a file in the commit.
    ///
    /// # Errors
    /// Fails if it is a symbolic link or another entry there, or `git` fails.
    pub(crate) fn content(&self, file: &Path) -> anyhow::Result<Committed> {
        let is_inside = || anyhow::Ok(repository::absolute_entry(file)?.starts_with(&self.root));
        if files::is_passed_descriptor(file) || !is_inside()? {
            return Ok(Committed::Outside);
        }
        let listed = self.listed(file)?;
        let blobs: Vec<Blob> = listed.split(|byte| *byte == 0).filter_map(blob).collect();
        match blobs.len() {
            0 if listed.is_empty() => Ok(Committed::Absent),
            1 => Ok(match self.read(blobs)?.pop() {
                Some(input) => Committed::Text(input.text),
                None => Committed::Absent,
            }),
            _ => bail!("`{}` is not a regular file in {}", file.display(), self.name),
        }
    }

    fn below(&self, path: &Path) -> anyhow::Result<Vec<Blob>> {
        if path == Path::new("-") {
            return Ok(Vec::new());
        }
        let listed = self.listed(path)?;
        Ok(listed.split(|byte| *byte == 0).filter_map(blob).collect())
    }

    /// Lists the entries at or below a path in the commit, separated by NUL.
    fn listed(&self, path: &Path) -> anyhow::Result<Vec<u8>> {
        let root = repository::root(path)?;
        if root != self.root {
            bail!(
                "`{}` is in the Git repository `{}`, not in `{}`; review them one by one",
                path.display(),
                root.display(),
                self.root.display()
            );
        }
        let inside = self.inside(path)?;
        let mut arguments = vec!["ls-tree", "-r", "-l", "-z", "--full-tree", &self.commit, "--"];
        arguments.extend(Some(&*inside).filter(|it| !it.is_empty()));
        succeed(run(&self.root, &arguments)?)
    }

    /// Returns a path relative to the root.
    fn inside(&self, path: &Path) -> anyhow::Result<String> {
        let place = absolute(path)?;
        let inside = place.strip_prefix(&self.root)?.to_str();
        Ok(inside.context("a path is not UTF-8")?.to_owned())
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
                    // An exit of the program is detected when its output is read.
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
                    is_quiet: is_hidden(&blob.path) || !has_manifest_name(&blob.path),
                })
            });
            inputs.collect::<anyhow::Result<Vec<Input>>>()
        });
        child.wait().context("cannot wait for `git`")?;
        inputs
    }
}

/// The content of a file in a commit.
pub(crate) enum Committed {
    /// The file is not in the work tree, so that the commit does not have it.
    Outside,
    /// The commit does not have the file.
    Absent,
    /// The content, or the reason why it is unknown.
    Text(Result<String, Unread>),
}

/// A file in a commit.
#[derive(Eq, Ord, PartialEq, PartialOrd)]
struct Blob {
    path: PathBuf,
    id: String,
    /// The size in bytes.
    size: u64,
}

/// Parses `100644 blob <id> <size>\t<path>`; returns `None` for entries other than files.
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

/// Parses `100644 <id> 0\t<path>` of the index; returns `None` for entries other than files.
fn staged(entry: &[u8]) -> Option<(PathBuf, String)> {
    let entry = std::str::from_utf8(entry).ok()?;
    let (about, path) = entry.split_once('\t')?;
    let mut words = about.split_ascii_whitespace();
    let (mode, id) = (words.next()?, words.next()?);
    mode.starts_with("100").then(|| (path.into(), id.to_owned()))
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
    Ok(input::text(&blob.path, bytes))
}

fn merge_base(root: &Path, name: &str, named: &str, head: &str) -> anyhow::Result<String> {
    if let Some(base) = line(root, &["merge-base", named, head])? {
        return Ok(base);
    }
    let is_shallow = line(root, &["rev-parse", "--is-shallow-repository"])?;
    if is_shallow.as_deref() == Some("true") {
        bail!(
            "the clone is shallow and does not reach back to where `{name}` and HEAD part; run `git fetch --unshallow`, or compare with `{name}` itself by `--git {name}..`"
        );
    }
    bail!(
        "`{name}` and HEAD have no common history; compare with `{name}` itself by `--git {name}..`"
    )
}

/// Returns the branch to fetch for a revision: `main` for `origin/main`.
fn branch(name: &str) -> &str {
    name.strip_prefix("origin/").unwrap_or(name)
}
