// SPDX-License-Identifier: Apache-2.0
use std::fs::{self, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::trees::Trees;
use crate::platform::{
    copy_owner, create_private_directory as create_private, hard_links, new_file_permissions,
    open_to_write, private_file_permissions,
};

/// Formats an error for a file that cannot be written.
pub(crate) fn cannot_write(file: &Path) -> String {
    format!("cannot write `{}`", file.display())
}

/// An output path that is written atomically at the end.
///
/// Symbolic links and permissions are kept.
/// A link that leads out of its tree is an error.
/// Some files are written in place: pipes, devices, files with several hard links, and files that cannot be replaced in
/// their directory.
#[derive(Debug)]
pub(crate) struct Destination {
    path: PathBuf,
    trees: Trees,
    /// The path without symbolic links.
    target: PathBuf,
    state: State,
    /// Whether only the owner may read the file afterwards.
    is_private: bool,
}

#[derive(Debug)]
enum State {
    /// A pipe, a device or a descriptor of the process.
    /// Opened early, so that a pipe without a reader is detected.
    Stream(fs::File),
    /// A regular file; `None` if it does not exist.
    File(Option<Box<Metadata>>),
}

impl Destination {
    /// Checks that `path` can be written, without changes.
    ///
    /// # Errors
    /// Fails if it cannot be written, or leads out of one of the trees.
    pub(crate) fn open(path: &Path, trees: &Trees) -> io::Result<Self> {
        let mut target = trees.resolve(path)?;
        // `/dev/stdout` may be a file to which a shell continues to write.
        let is_descriptor =
            [path, &target].iter().any(|it| it.starts_with("/dev") || it.starts_with("/proc"));
        let opened = if is_descriptor {
            path.clone_into(&mut target);
            OpenOptions::new().write(true).open(path)
        } else {
            open_to_write(&target)
        };
        let state = match opened {
            Ok(file) => {
                let metadata = file.metadata()?;
                if metadata.is_file() && !is_descriptor {
                    State::File(Some(Box::new(metadata)))
                } else {
                    State::Stream(file)
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                drop(beside(&target, path, new_file_permissions())?);
                State::File(None)
            }
            Err(error) => return Err(error),
        };
        Ok(Self { path: path.to_owned(), trees: trees.clone(), target, state, is_private: false })
    }

    /// Returns a destination that only its owner may read, whatever the umask and the permissions of an existing file.
    pub(crate) fn private(self) -> Self {
        Self { is_private: true, ..self }
    }

    /// Writes all of `content`.
    ///
    /// # Errors
    /// Fails if it cannot be read or written. A replaced file then has its former content.
    pub(crate) fn write(&mut self, content: &mut (impl Read + Seek)) -> io::Result<()> {
        let Self { path, trees, target, state, is_private } = self;
        let private = is_private.then(private_file_permissions).flatten();
        let metadata = match state {
            State::Stream(file) => {
                content.rewind()?;
                if file.metadata()?.is_file() {
                    file.set_len(0)?;
                }
                return io::copy(content, file).map(drop);
            }
            State::File(metadata) => metadata,
        };
        if trees.resolve(path)? != *target {
            return Err(io::Error::other("a symbolic link on its path has changed"));
        }
        if let Some(metadata) = metadata
            && hard_links(target, metadata)? > 1
        {
            return in_place(target, private, content);
        }
        match replace_with(target, metadata.as_deref(), private.clone(), content) {
            Err(error) if is_of_directory(&error) && target.exists() => {
                in_place(target, private, content)
            }
            written => written,
        }
    }
}

/// Creates a directory and its parents.
///
/// # Errors
/// Fails if it cannot be created, or a symbolic link leads out of its tree.
pub(crate) fn create_directory(path: &Path) -> io::Result<()> {
    fs::create_dir_all(Trees::default().resolve(path)?)
}

/// Creates a directory that only its owner may use, like [`create_directory`].
///
/// # Errors
/// Fails like [`create_directory`]. An existing directory is unchanged.
pub(crate) fn create_private_directory(path: &Path) -> io::Result<()> {
    create_private(&Trees::default().resolve(path)?)
}

/// Replaces the content of an existing regular file; keeps its permissions and owner.
///
/// # Errors
/// Fails if it cannot be replaced. The file then has its former content.
pub(crate) fn replace(path: &Path, metadata: &Metadata, content: &[u8]) -> io::Result<()> {
    replace_with(path, Some(metadata), None, &mut io::Cursor::new(content))
}

/// Replaces a file; `permissions` take precedence over those of the file.
fn replace_with(
    target: &Path,
    metadata: Option<&Metadata>,
    permissions: Option<Permissions>,
    content: &mut (impl Read + Seek),
) -> io::Result<()> {
    content.rewind()?;
    let permissions = permissions.or_else(|| metadata.map(Metadata::permissions));
    let new_permissions = permissions.clone().or_else(new_file_permissions);
    let mut new = beside(target, target, new_permissions)?;
    io::copy(content, &mut new)?;
    new.flush()?;
    if let Some(metadata) = metadata {
        copy_owner(new.as_file(), metadata)?;
    }
    if let Some(permissions) = permissions {
        // Independent of the umask.
        new.as_file().set_permissions(permissions)?;
    }
    new.as_file().sync_all()?;
    new.persist(target).map_err(|error| error.error)?;
    Ok(())
}

/// Reports whether the file may still be writable in place.
/// Its directory is read-only, or it is a mount point.
fn is_of_directory(error: &io::Error) -> bool {
    let kinds = [
        ErrorKind::PermissionDenied,
        ErrorKind::ReadOnlyFilesystem,
        ErrorKind::ResourceBusy,
        ErrorKind::CrossesDevices,
    ];
    kinds.contains(&error.kind())
}

fn in_place(
    target: &Path,
    permissions: Option<Permissions>,
    content: &mut (impl Read + Seek),
) -> io::Result<()> {
    content.rewind()?;
    let mut file = open_to_write(target)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.set_len(0)?;
    io::copy(content, &mut file).map(drop)
}

/// Creates a temporary file in the directory of the file that it replaces; `shown` is its path in errors.
fn beside(
    file: &Path,
    shown: &Path,
    permissions: Option<Permissions>,
) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".garden-gate-");
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    let new = builder.tempfile_in(folder(file));
    new.map_err(|error| explain(&error, folder(shown)))
}

fn folder(file: &Path) -> &Path {
    let folder = file.parent();
    folder.filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the reason without the name of the temporary file.
fn explain(error: &io::Error, folder: &Path) -> io::Error {
    let shown = folder.display();
    let message = match error.kind() {
        ErrorKind::NotFound => format!("there is no directory `{shown}`"),
        ErrorKind::NotADirectory => format!("`{shown}` is not a directory"),
        ErrorKind::PermissionDenied => {
            format!("permission denied: this user cannot create files in `{shown}`")
        }
        kind => kind.to_string(),
    };
    io::Error::new(error.kind(), message)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Cursor;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::path::Path;

    use tempfile::TempDir;

    use super::{Destination, Trees, replace};

    fn write(path: &Path, text: &str) {
        let mut destination = Destination::open(path, &Trees::default()).unwrap();
        destination.write(&mut Cursor::new(text)).unwrap();
    }

    /// Returns the number of files, to detect leftovers.
    fn files(dir: &Path) -> usize {
        fs::read_dir(dir).unwrap().count()
    }

    #[test]
    fn destination_replaces_file_and_keeps_link_and_permissions() {
        let dir = TempDir::new().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        fs::write(&file, "a longer text").unwrap();
        fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
        symlink("file", &link).unwrap();
        let before = fs::metadata(&file).unwrap();
        write(&link, "text");
        let after = fs::metadata(&file).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "text");
        assert_eq!(after.mode(), before.mode());
        assert_ne!(after.ino(), before.ino(), "replaced, not written in place");
        assert!(link.is_symlink());
        assert_eq!(files(dir.path()), 2);
    }

    #[test]
    fn private_destination_is_readable_by_its_owner_only() {
        let dir = TempDir::new().unwrap();
        let [new, wide, linked] = ["new", "wide", "linked"].map(|it| dir.path().join(it));
        for file in [&wide, &linked] {
            fs::write(file, "before").unwrap();
            fs::set_permissions(file, PermissionsExt::from_mode(0o666)).unwrap();
        }
        fs::hard_link(&linked, dir.path().join("other")).unwrap();
        for file in [new, wide, linked] {
            let mut destination = Destination::open(&file, &Trees::default()).unwrap().private();
            destination.write(&mut Cursor::new("text")).unwrap();
            assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600, "{file:?}");
        }
    }

    #[test]
    fn destination_keeps_hard_links() {
        let dir = TempDir::new().unwrap();
        let (one, other) = (dir.path().join("one"), dir.path().join("other"));
        fs::write(&one, "a longer text").unwrap();
        fs::hard_link(&one, &other).unwrap();
        write(&one, "text");
        assert_eq!(fs::read_to_string(&other).unwrap(), "text");
    }

    #[test]
    fn destination_is_not_written_through_a_link_that_is_new() {
        let dir = TempDir::new().unwrap();
        let (file, other) = (dir.path().join("file"), dir.path().join("other"));
        fs::write(&file, "before").unwrap();
        fs::write(&other, "before").unwrap();
        let mut destination = Destination::open(&file, &Trees::default()).unwrap();
        fs::remove_file(&file).unwrap();
        symlink("other", &file).unwrap();
        let error = destination.write(&mut Cursor::new("text")).unwrap_err();
        assert_eq!(error.to_string(), "a symbolic link on its path has changed");
        assert_eq!(fs::read_to_string(&other).unwrap(), "before");
    }

    #[test]
    fn destination_that_is_not_written_leaves_nothing() {
        let dir = TempDir::new().unwrap();
        drop(Destination::open(&dir.path().join("new"), &Trees::default()).unwrap());
        assert_eq!(files(dir.path()), 0);
        let error = Destination::open(&dir.path().join("no/new"), &Trees::default()).unwrap_err();
        let expected = format!("there is no directory `{}`", dir.path().join("no").display());
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn replace_that_fails_leaves_the_file() {
        struct Failing;
        impl std::io::Read for Failing {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                buffer[0] = b'x';
                Err(std::io::ErrorKind::StorageFull.into())
            }
        }
        impl std::io::Seek for Failing {
            fn seek(&mut self, _: std::io::SeekFrom) -> std::io::Result<u64> {
                Ok(0)
            }
        }
        let dir = TempDir::new().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "before").unwrap();
        let mut destination = Destination::open(&file, &Trees::default()).unwrap();
        destination.write(&mut Failing).unwrap_err();
        assert_eq!(fs::read_to_string(&file).unwrap(), "before");
        assert_eq!(files(dir.path()), 1);
        let metadata = fs::metadata(&file).unwrap();
        replace(&file, &metadata, b"after").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "after");
    }
}
