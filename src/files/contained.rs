// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf, absolute};

/// Maximum number of symbolic links on a path, as in Linux.
const MOST_LINKS: usize = 40;

/// Reports whether a path is in a directory tree, with all symbolic links on it resolved.
///
/// Nothing outside of the tree is accessed, so that a path such as `//host/share` contacts no host.
pub fn contained(path: &Path, tree: &Path) -> bool {
    resolve(path, tree).is_some()
}

fn resolve(path: &Path, tree: &Path) -> Option<PathBuf> {
    let tree = without_verbatim_prefix(&tree.canonicalize().ok()?);
    let path = without_verbatim_prefix(&absolute(path).ok()?);
    let mut left: VecDeque<OsString> = names(path.strip_prefix(&tree).ok()?).collect();
    let (mut place, mut links) = (tree.clone(), 0);
    while let Some(name) = left.pop_front() {
        if name == ".." {
            place.pop();
            if !place.starts_with(&tree) {
                return None;
            }
            continue;
        }
        let Ok(target) = fs::read_link(place.join(&name)) else {
            place.push(name);
            continue;
        };
        links += 1;
        if links > MOST_LINKS {
            return None;
        }
        let target = without_verbatim_prefix(&target);
        let target = if target.has_root() {
            place.clone_from(&tree);
            target.strip_prefix(&tree).ok()?
        } else {
            &target
        };
        names(target).rev().for_each(|it| left.push_front(it));
    }
    Some(place)
}

/// Returns the names in a path, with `..`.
fn names(path: &Path) -> impl DoubleEndedIterator<Item = OsString> {
    let parts = path.components().filter(|it| *it != Component::CurDir);
    parts.map(|it| it.as_os_str().to_owned())
}

/// Removes the prefix that `canonicalize` adds on Windows.
fn without_verbatim_prefix(path: &Path) -> PathBuf {
    let text = path.to_str().unwrap_or_default();
    let rest = text.strip_prefix(r"\\?\").filter(|_| cfg!(windows));
    let disk = rest.filter(|it| it.as_bytes().get(1) == Some(&b':'));
    disk.map_or_else(|| path.to_owned(), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use rstest::rstest;
    use tempfile::TempDir;

    use super::contained;

    #[rstest]
    #[case::itself(".", true)]
    #[case::inside("sub/file", true)]
    #[case::missing("missing/file", true)]
    #[case::back("sub/../sub", true)]
    #[case::link("inner/file", true)]
    #[case::absolute_link("absolute/file", true)]
    #[case::above("..", false)]
    #[case::above_missing("missing/../../x", false)]
    #[case::out_and_back("../tree/sub", false)]
    #[case::root("/", false)]
    #[case::host("//host/share", false)]
    #[case::device("/dev/zero", false)]
    #[case::link_out("out", false)]
    #[case::below_link_out("out/file", false)]
    #[case::link_to_link_out("chain/file", false)]
    #[case::above_link("inner/../..", false)]
    #[case::link_to_host("host", false)]
    #[case::link_to_itself("loop", false)]
    fn contained_path_stays_in_the_tree(#[case] path: &str, #[case] expected: bool) {
        let dir = TempDir::new().unwrap();
        let tree = dir.path().canonicalize().unwrap().join("tree");
        fs::create_dir_all(tree.join("sub")).unwrap();
        let absolute = tree.join("sub");
        let links = [
            ("sub", "inner"),
            (absolute.to_str().unwrap(), "absolute"),
            ("..", "out"),
            ("inner/../out", "chain"),
            ("//host/share", "host"),
            ("loop", "loop"),
        ];
        for (target, link) in links {
            symlink(target, tree.join(link)).unwrap();
        }
        assert_eq!(contained(&tree.join(path), &tree), expected);
    }
}
