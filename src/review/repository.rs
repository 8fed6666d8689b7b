// SPDX-License-Identifier: Apache-2.0
//! The Git repository of a path, found without running Git.
//!
//! Git also accepts a directory that merely looks like a repository. A change under review can contain such a directory,
//! so only `.git` entries count here, and the one of the working directory takes precedence.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::files::{Resolved, resolve};

/// Returns the root of the work tree to compare `path` with.
///
/// It is the repository of the working directory if the path is below that. Otherwise it is the only repository above
/// the path.
///
/// # Errors
/// Fails without such a repository, with several candidates, or for a path through a symbolic link in a repository.
pub(crate) fn root(path: &Path) -> anyhow::Result<PathBuf> {
    let Resolved { place, links } = resolve(path)?;
    let shown = path.display();
    if let Some((link, target)) = links.iter().find(|(link, _)| nearest(link).is_some()) {
        bail!(
            "`{shown}` leads through the symbolic link `{}`, which Git does not follow; name `{}` instead",
            link.display(),
            target.display()
        );
    }
    let candidates: Vec<&Path> = roots(&place).collect();
    let inner = candidates.first().copied();
    let own = own_root(&place)?;
    match (own, &candidates[..]) {
        (Some(own), _) if inner == Some(&own) => Ok(own),
        (Some(own), _) => bail!(
            "`{shown}` is in the Git repository `{}` inside `{}`; run the command in the repository to compare with",
            inner.unwrap_or(&place).display(),
            own.display()
        ),
        (None, []) if is_bare(&place) => bail!(
            "`{}` is a bare Git repository, which has no files to review; make a work tree with `git worktree add`, or clone it",
            place.display()
        ),
        (None, []) => bail!(
            "`{shown}` is in no Git repository; --git needs one, --old takes a directory or file instead"
        ),
        (None, [only]) => Ok(only.to_path_buf()),
        (None, [inner, outer, ..]) => bail!(
            "`{shown}` is in the Git repositories `{}` and `{}`; run the command in the one to compare with",
            inner.display(),
            outer.display()
        ),
    }
}

/// Returns the root of the repository of a path, for the search of a configuration.
///
/// A repository inside of that of the working directory, such as a submodule, does not count.
pub(crate) fn boundary(path: &Path) -> anyhow::Result<Option<PathBuf>> {
    let place = absolute(path)?;
    if let Some(own) = own_root(&place)? {
        return Ok(Some(own));
    }
    let directory = working_directory()?;
    let outermost = roots(&place).filter(|it| it.starts_with(&directory)).last();
    Ok(outermost.or_else(|| nearest(&place)).map(Path::to_owned))
}

/// Returns the absolute path, with symbolic links resolved as far as it exists.
pub(crate) fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    match path.canonicalize() {
        Ok(place) => Ok(place),
        Err(_) => Ok(resolve(path)?.place),
    }
}

/// Returns the absolute path of an entry that may itself be a symbolic link.
pub(crate) fn absolute_entry(path: &Path) -> anyhow::Result<PathBuf> {
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if folder.as_os_str().is_empty() => {
            Ok(working_directory()?.join(name))
        }
        (Some(folder), Some(name)) => Ok(absolute(folder)?.join(name)),
        _ => absolute(path),
    }
}

fn working_directory() -> anyhow::Result<PathBuf> {
    Ok(env::current_dir()?.canonicalize()?)
}

/// Formats a path relative to the working directory if it is below that.
pub(crate) fn shown(path: &Path) -> String {
    let directory = env::current_dir().and_then(|it| it.canonicalize());
    let relative = directory.ok().and_then(|it| path.strip_prefix(it).ok().map(Path::to_owned));
    relative.unwrap_or_else(|| path.to_owned()).display().to_string()
}

/// Returns the repository of the working directory, if `place` is in its work tree.
fn own_root(place: &Path) -> anyhow::Result<Option<PathBuf>> {
    let directory = working_directory()?;
    let own = nearest(&directory).filter(|own| place.starts_with(own));
    Ok(own.map(Path::to_owned))
}

/// Returns the repositories at and above a path, the innermost first.
fn roots(place: &Path) -> impl Iterator<Item = &Path> {
    place.ancestors().filter(|it| fs::symlink_metadata(it.join(".git")).is_ok())
}

fn nearest(place: &Path) -> Option<&Path> {
    roots(place).next()
}

fn is_bare(place: &Path) -> bool {
    let has = |name: &str| place.join(name).exists();
    has("HEAD") && has("objects") && has("refs")
}
