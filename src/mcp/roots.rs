// SPDX-License-Identifier: Apache-2.0
//! The directories that tools may read, and the paths in them that a client names.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::files::{Found, Ignoring, MAX_FILE, below, contained};

const MIB: u64 = 1 << 20;
/// Maximum size of all manifests of a call.
const MOST_MANIFESTS: u64 = 256 * MIB;
/// Maximum size of a garden directory.
const MOST_GARDEN: u64 = 2048 * MIB;
/// Maximum length of a path in bytes, as in Linux.
const LONGEST: usize = 4096;

/// The directories that tools may read.
#[derive(Clone, Debug)]
pub(crate) struct Roots(Vec<PathBuf>);

/// The use of a path, which defines the files that are read below it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum PathUse {
    /// A file or directory with manifests.
    Manifests,
    /// A garden directory.
    Garden,
}

impl Roots {
    /// Returns existing directories; the first is the one of relative paths.
    ///
    /// # Errors
    /// Fails if there is none, or one is not a directory.
    pub(crate) fn open(directories: &[PathBuf]) -> anyhow::Result<Self> {
        let roots: Vec<PathBuf> = directories
            .iter()
            .map(|directory| {
                let shown = directory.display();
                let place = directory
                    .canonicalize()
                    .with_context(|| format!("cannot read the root `{shown}`"))?;
                if !place.is_dir() {
                    bail!("the root `{shown}` is not a directory");
                }
                Ok(place)
            })
            .collect::<anyhow::Result<_>>()?;
        if roots.is_empty() {
            bail!("there is no root; use --root DIR")
        }
        Ok(Self(roots))
    }

    /// Returns the roots.
    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.0
    }

    /// Returns the directory of relative paths, in which commands run.
    pub(super) fn first(&self) -> &Path {
        self.0.first().map_or(Path::new("."), PathBuf::as_path)
    }

    /// Returns the path that a client names, for a command in the first root.
    ///
    /// # Errors
    /// Returns why the path may not be read: it is elsewhere, missing, too large, or neither a file nor a directory.
    pub(super) fn path(&self, given: &str, path_use: PathUse) -> Result<PathBuf, String> {
        let (place, metadata) = self.place(given)?;
        if metadata.is_file() && path_use == PathUse::Garden {
            return Err(format!("`{given}` is a file; name the directory of the garden"));
        }
        check_size(given, &place, &metadata, path_use)?;
        Ok(self.shown(place))
    }

    /// Returns the canonical path of an existing file or directory in a root.
    fn place(&self, given: &str) -> Result<(PathBuf, Metadata), String> {
        if given.is_empty() || given.contains('\0') || given.len() > LONGEST {
            return Err(
                "a path is empty, has a NUL character or is longer than 4096 bytes".to_owned()
            );
        }
        let named = self.first().join(given);
        let outside = || {
            let roots: Vec<String> = self.0.iter().map(|it| it.display().to_string()).collect();
            format!(
                "`{given}` is outside of the directories that may be read: {}",
                roots.join(", ")
            )
        };
        // Paths elsewhere get the same message whether they exist or not.
        let is_inside = |place: &Path| self.0.iter().any(|root| place.starts_with(root));
        let place = match named.canonicalize() {
            Ok(place) if is_inside(&place) => place,
            Ok(_) => return Err(outside()),
            Err(_) if !self.0.iter().any(|root| contained(&named, root)) => return Err(outside()),
            Err(error) => return Err(format!("`{given}` cannot be read: {error}")),
        };
        let metadata =
            fs::metadata(&place).map_err(|error| format!("`{given}` cannot be read: {error}"))?;
        if metadata.is_file() || metadata.is_dir() {
            Ok((place, metadata))
        } else {
            Err(format!("`{given}` is a pipe, a socket or a device, not a file"))
        }
    }

    /// Returns a path relative to the first root if it is in it, as users write it.
    fn shown(&self, place: PathBuf) -> PathBuf {
        match place.strip_prefix(self.first()) {
            Ok(relative) if relative.as_os_str().is_empty() => PathBuf::from("."),
            // `-` is standard input for commands.
            Ok(relative) if relative != Path::new("-") => relative.to_owned(),
            _ => place,
        }
    }

    /// Reports whether a file with this name is in the folder of a path or above it, within its root.
    pub(super) fn has_above(&self, path: &Path, name: &str) -> bool {
        let Ok(place) = self.first().join(path).canonicalize() else { return false };
        let folders = place.ancestors().filter(|it| it.is_dir());
        let mut inside =
            folders.take_while(|folder| self.0.iter().any(|root| folder.starts_with(root)));
        inside.any(|folder| fs::symlink_metadata(folder.join(name)).is_ok())
    }
}

/// Checks the size of what a command would read, before it is read.
fn check_size(
    given: &str,
    place: &Path,
    metadata: &Metadata,
    path_use: PathUse,
) -> Result<(), String> {
    if metadata.is_file() {
        return if metadata.len() > MAX_FILE {
            Err(format!("`{given}` is larger than {} MiB; split it", MAX_FILE / MIB))
        } else {
            Ok(())
        };
    }
    let (ignoring, most) = match path_use {
        PathUse::Manifests => (Ignoring::Above, MOST_MANIFESTS),
        PathUse::Garden => (Ignoring::Within, MOST_GARDEN),
    };
    let mut bytes = 0;
    for found in below(place, ignoring) {
        if let Found::File(file) = found {
            bytes += fs::metadata(file).map_or(0, |it| it.len());
        }
        if bytes > most {
            return Err(format!(
                "`{given}` has more than {} MiB of manifests; name fewer files",
                most / MIB
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use rstest::rstest;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use tempfile::TempDir;

    use super::{MAX_FILE, PathUse, Roots};

    /// A root with links and special files, next to a file outside.
    fn world() -> (TempDir, Roots) {
        let dir = TempDir::new().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let root = base.join("root");
        fs::create_dir_all(root.join("sub/deep")).unwrap();
        fs::create_dir_all(base.join("root-not")).unwrap();
        fs::create_dir_all(base.join("second")).unwrap();
        for file in ["root/a.yaml", "root/-", "root/sub/b.yaml", "second/c.yaml", "secret"] {
            fs::write(base.join(file), "").unwrap();
        }
        fs::write(base.join("root-not/d.yaml"), "").unwrap();
        for (target, link) in [
            ("../secret", "out.yaml"),
            ("..", "up"),
            ("sub", "inner"),
            ("../second/c.yaml", "across.yaml"),
            ("/nowhere/at/all", "dangling"),
            ("loop", "loop"),
            ("/dev/zero", "zero.yaml"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        let fifo = root.join("fifo.yaml");
        mknodat(CWD, &fifo, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        let roots = Roots::open(&[root, base.join("second")]).unwrap();
        (dir, roots)
    }

    #[rstest]
    #[case::file("a.yaml", Ok("a.yaml"))]
    #[case::root(".", Ok("."))]
    #[case::back("sub/../a.yaml", Ok("a.yaml"))]
    #[case::inner_link("inner/b.yaml", Ok("sub/b.yaml"))]
    #[case::second_root("../second/c.yaml", Ok("/second/c.yaml"))]
    #[case::link_to_second_root("across.yaml", Ok("/second/c.yaml"))]
    #[case::dash("-", Ok("/root/-"))]
    #[case::above("..", Err("outside"))]
    #[case::above_existing("../secret", Err("outside"))]
    #[case::above_missing("../missing", Err("outside"))]
    #[case::prefix_of_name("../root-not/d.yaml", Err("outside"))]
    #[case::absolute("/etc/passwd", Err("outside"))]
    #[case::absolute_missing("/etc/missing", Err("outside"))]
    #[case::proc("/proc/self/environ", Err("outside"))]
    #[case::descriptor("/dev/fd/0", Err("outside"))]
    #[case::link_out("out.yaml", Err("outside"))]
    #[case::below_link_out("up/secret", Err("outside"))]
    #[case::dangling("dangling", Err("outside"))]
    #[case::link_to_itself("loop", Err("outside"))]
    #[case::device("zero.yaml", Err("outside"))]
    #[case::fifo("fifo.yaml", Err("a pipe, a socket or a device"))]
    #[case::missing("missing.yaml", Err("cannot be read"))]
    #[case::below_file("a.yaml/b", Err("cannot be read"))]
    #[case::empty("", Err("a path is empty"))]
    #[case::nul("a\0b", Err("a path is empty"))]
    fn path_is_read_only_in_a_root(#[case] given: &str, #[case] expected: Result<&str, &str>) {
        let (dir, roots) = world();
        let path = roots.path(given, PathUse::Manifests);
        match expected {
            // The folder of the test comes before absolute paths.
            Ok(path_end) => {
                let path = path.unwrap();
                let base = dir.path().canonicalize().unwrap();
                let shown =
                    path.strip_prefix(base).map_or(path.clone(), |it| PathBuf::from("/").join(it));
                assert_eq!(shown, PathBuf::from(path_end));
            }
            Err(why) => {
                let error = path.unwrap_err();
                assert!(error.contains(why), "{error}");
            }
        }
    }

    #[test]
    fn long_path_is_refused() {
        let (_dir, roots) = world();
        assert!(roots.path(&"x/".repeat(3000), PathUse::Manifests).is_err());
    }

    #[test]
    fn garden_is_a_directory() {
        let (_dir, roots) = world();
        assert_eq!(roots.path("sub", PathUse::Garden).unwrap(), PathBuf::from("sub"));
        assert!(roots.path("a.yaml", PathUse::Garden).unwrap_err().contains("is a file"));
    }

    #[test]
    fn size_is_checked_before_reading() {
        let (dir, roots) = world();
        let root = dir.path().join("root");
        let file = |name: &str, size| {
            let file = fs::File::create(root.join("sub").join(name)).unwrap();
            file.set_len(size).unwrap();
        };
        file("large.yaml", MAX_FILE + 1);
        let error = roots.path("sub/large.yaml", PathUse::Manifests).unwrap_err();
        assert!(error.contains("larger than 64 MiB"), "{error}");
        (0..5).for_each(|it| file(&format!("{it}.yaml"), MAX_FILE));
        let error = roots.path("sub", PathUse::Manifests).unwrap_err();
        assert!(error.contains("more than 256 MiB"), "{error}");
        assert!(roots.path("sub", PathUse::Garden).is_ok());
    }

    #[test]
    fn configurations_above_the_roots_are_not_found() {
        let (dir, roots) = world();
        let path = PathBuf::from("sub/deep");
        fs::write(dir.path().join(".garden-gate.yaml"), "").unwrap();
        assert!(!roots.has_above(&path, ".garden-gate.yaml"));
        fs::write(dir.path().join("root/.garden-gate.yaml"), "").unwrap();
        assert!(roots.has_above(&path, ".garden-gate.yaml"));
        assert!(roots.has_above(&PathBuf::from("sub/b.yaml"), ".garden-gate.yaml"));
    }

    #[test]
    fn root_is_an_existing_directory() {
        let (dir, _) = world();
        for path in ["missing", "root/a.yaml"] {
            assert!(Roots::open(&[dir.path().join(path)]).is_err(), "{path}");
        }
        assert!(Roots::open(&[]).is_err());
    }
}
