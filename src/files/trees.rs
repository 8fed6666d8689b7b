// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

/// Maximum number of symbolic links on a path, as in Linux.
const MOST_LINKS: usize = 40;
/// The entry that makes a directory the root of a Git work tree.
/// Its content, which may hold credentials and hooks, is not part of the tree.
const GIT: &str = ".git";

/// The trees of files that symbolic links in them must not leave.
///
/// The author of a pull request chooses the links in a tree. A link in a Git work tree must end in it, and another link in
/// a named directory or else the working directory. Links elsewhere belong to the user, and may lead anywhere.
#[derive(Clone, Debug, Default)]
pub struct Trees {
    named: Vec<PathBuf>,
}

/// A symbolic link in a tree that leads out of it.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("the symbolic link `{}` leads out of `{}`; remove the link, or name its target", .link.display(), .tree.display())]
pub struct EscapingLink {
    /// The link.
    pub link: PathBuf,
    /// The root of the tree.
    pub tree: PathBuf,
}

impl From<EscapingLink> for io::Error {
    fn from(link: EscapingLink) -> Self {
        io::Error::other(link)
    }
}

impl Trees {
    /// Returns the trees of directories that the user names, such as the reviewed ones; other paths are ignored.
    pub fn new<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        let named = paths.into_iter().filter_map(|it| it.as_ref().canonicalize().ok());
        Self { named: named.filter(|it| it.is_dir()).collect() }
    }

    /// Returns the trees for outputs: the named directories, and the directory of each named file.
    ///
    /// The author of a named file may have added a symbolic link with the name of an output to its directory.
    pub fn of_outputs<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        let folders = paths.into_iter().filter_map(|it| {
            let path = it.as_ref();
            if path.is_dir() {
                Some(path.to_owned())
            } else {
                Some(match path.parent()? {
                    folder if folder.as_os_str().is_empty() => PathBuf::from("."),
                    folder => folder.to_owned(),
                })
            }
        });
        Self::new(folders)
    }

    /// Returns the absolute path, with symbolic links resolved also where it does not exist.
    ///
    /// # Errors
    /// Fails with the first link that leads out of its tree, as an [`io::Error`] that contains an [`EscapingLink`], and if
    /// there are too many links or no working directory.
    pub fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let directory = working_directory()?;
        let Resolved { place, links } = resolve_from(&directory, path)?;
        for (link, _) in links {
            if let Some(tree) = self.left_by(&link, &place, &directory) {
                let link = link.strip_prefix(&directory).map_or(link.clone(), Path::to_owned);
                return Err(EscapingLink { link, tree }.into());
            }
        }
        Ok(place)
    }

    /// Returns the tree of a link if `place` is outside of it.
    fn left_by(&self, link: &Path, place: &Path, directory: &Path) -> Option<PathBuf> {
        let folder = link.parent()?;
        if let Some(root) = git_root(folder) {
            return (!contains(root, place)).then(|| root.to_owned());
        }
        let named = self.named.iter().map(PathBuf::as_path);
        let mut around: Vec<&Path> = named.filter(|it| folder.starts_with(it)).collect();
        if around.is_empty() && folder.starts_with(directory) {
            around.push(directory);
        }
        let is_inside = around.iter().any(|tree| contains(tree, place));
        let outermost = around.into_iter().min_by_key(|it| it.components().count());
        outermost.filter(|_| !is_inside).map(Path::to_owned)
    }
}

/// Returns the root of the Git work tree of an absolute directory without symbolic links.
fn git_root(directory: &Path) -> Option<&Path> {
    let mut above = directory.ancestors();
    above.find(|it| fs::symlink_metadata(it.join(GIT)).is_ok())
}

/// Reports whether a path without symbolic links is a file of a tree.
fn contains(tree: &Path, place: &Path) -> bool {
    let is_git = |it: &OsStr| it.eq_ignore_ascii_case(GIT);
    let inside = place.strip_prefix(tree);
    inside.is_ok_and(|inside| !inside.iter().any(is_git))
}

/// Reports whether a file in a Git work tree names a file outside of it.
///
/// # Errors
/// Fails without a working directory, or with too many symbolic links.
pub(crate) fn leaves_work_tree(file: &Path, named: &Path) -> io::Result<bool> {
    let (file, named) = (resolve(file)?.place, resolve(named)?.place);
    Ok(git_root(&file).is_some_and(|root| !contains(root, &named)))
}

/// An absolute path without symbolic links, with the links on the path and their targets.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) place: PathBuf,
    /// Each link with the path that it leads to.
    pub(crate) links: Vec<(PathBuf, PathBuf)>,
}

/// Resolves the symbolic links of a path, also of links whose target does not exist.
///
/// # Errors
/// Fails if there are too many links, or no working directory.
pub(crate) fn resolve(path: &Path) -> io::Result<Resolved> {
    resolve_from(&working_directory()?, path)
}

fn working_directory() -> io::Result<PathBuf> {
    env::current_dir()?.canonicalize()
}

fn resolve_from(directory: &Path, path: &Path) -> io::Result<Resolved> {
    let mut place = directory.to_owned();
    let mut links = Vec::new();
    let mut left: VecDeque<OsString> = components(path).collect();
    while let Some(next) = left.pop_front() {
        let mut component = Path::new(&next).components();
        match component.next() {
            Some(Component::Prefix(_) | Component::RootDir) => place = PathBuf::from(&next),
            Some(Component::ParentDir) => {
                place.pop();
            }
            Some(Component::Normal(name)) => {
                place.push(name);
                if let Ok(target) = fs::read_link(&place) {
                    if links.len() == MOST_LINKS {
                        let message = format!("`{}` has too many symbolic links", path.display());
                        return Err(io::Error::other(message));
                    }
                    for component in components(&target).rev() {
                        left.push_front(component);
                    }
                    links.push(place.clone());
                    place.pop();
                }
            }
            Some(Component::CurDir) | None => {}
        }
    }
    let place = canonical(&place);
    let links = links
        .into_iter()
        .map(|link| {
            let target = link.canonicalize().unwrap_or_else(|_| place.clone());
            (link, target)
        })
        .collect();
    Ok(Resolved { place, links })
}

/// Returns a path as the operating system writes it, as far as it exists: it may treat names as equal.
fn canonical(place: &Path) -> PathBuf {
    let above = place.ancestors().find_map(|it| Some((it, it.canonicalize().ok()?)));
    let known = above.and_then(|(above, known)| Some(known.join(place.strip_prefix(above).ok()?)));
    // Joining an empty path adds a separator, which makes no difference here.
    known.map_or_else(|| place.to_owned(), |it| it.components().collect())
}

/// Returns the components of a path; a prefix and its root directory are one.
fn components(path: &Path) -> impl DoubleEndedIterator<Item = OsString> {
    let mut parts: Vec<OsString> = Vec::new();
    for component in path.components() {
        match (component, parts.last_mut()) {
            (Component::RootDir, Some(prefix)) => prefix.push(component.as_os_str()),
            _ => parts.push(component.as_os_str().to_owned()),
        }
    }
    parts.into_iter()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use rstest::rstest;
    use tempfile::TempDir;

    use super::Trees;

    /// Creates `checkout/` with a Git repository, `plain/` without one, and `other/`.
    fn world() -> TempDir {
        let world = TempDir::new().unwrap();
        for directory in ["checkout/.git", "checkout/sub", "plain/sub", "other"] {
            fs::create_dir_all(world.path().join(directory)).unwrap();
        }
        for file in ["checkout/file", "checkout/.git/config", "plain/file", "other/file"] {
            fs::write(world.path().join(file), "").unwrap();
        }
        world
    }

    fn resolves(world: &TempDir, named: &[&str], path: &str) -> bool {
        Trees::new(named.iter().map(|it| world.path().join(it)))
            .resolve(&world.path().join(path))
            .is_ok()
    }

    #[rstest]
    #[case::file_of_the_tree("../file", true)]
    #[case::new_file_of_the_tree("../new", true)]
    #[case::out_and_back("../../checkout/file", true)]
    #[case::other_tree("../../other/file", false)]
    #[case::new_file_elsewhere("../../other/new", false)]
    #[case::new_directory_elsewhere("../../new/new", false)]
    #[case::git("../.git/config", false)]
    #[case::new_in_git("../.git/new", false)]
    #[case::git_in_other_case("../.GIT/new", false)]
    #[case::absolute("/etc/passwd", false)]
    #[case::device("/dev/stdout", false)]
    #[case::process("/proc/self/environ", false)]
    fn link_must_end_in_its_tree(#[case] target: &str, #[case] is_inside: bool) {
        let world = world();
        for tree in ["checkout", "plain"] {
            if tree == "plain" && target.to_ascii_lowercase().contains("git") {
                continue;
            }
            let link = format!("{tree}/sub/link");
            symlink(target.replace("checkout", tree), world.path().join(&link)).unwrap();
            assert_eq!(resolves(&world, &["plain"], &link), is_inside, "{link}");
        }
    }

    #[test]
    fn every_component_and_every_link_of_a_chain_counts() {
        let world = world();
        let link = |target: &str, name: &str| symlink(target, world.path().join(name)).unwrap();
        link("../../other", "checkout/sub/directory");
        link("directory", "checkout/sub/chain");
        link("sub/chain/file", "checkout/file-of-chain");
        link("../checkout/sub", "other/into");
        link("loop", "checkout/loop");
        for path in [
            "checkout/sub/directory/file",
            "checkout/sub/chain/new",
            "checkout/file-of-chain",
            "other/into/directory/file",
            "checkout/loop",
        ] {
            assert!(!resolves(&world, &[], path), "{path}");
        }
        assert!(resolves(&world, &[], "other/into/../file"));
    }

    #[test]
    fn link_of_the_user_leads_anywhere() {
        let world = world();
        symlink("/etc/passwd", world.path().join("other/link")).unwrap();
        assert!(resolves(&world, &["checkout", "plain"], "other/link"));
        assert!(!resolves(&world, &["other"], "other/link"));
        assert!(Trees::default().resolve(Path::new("/dev/stdout")).is_ok());
    }
}
