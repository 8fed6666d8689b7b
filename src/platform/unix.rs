// SPDX-License-Identifier: Apache-2.0
//! The functions for Linux and macOS.

use std::fs::{DirBuilder, File, Metadata, Permissions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, fchown};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{Mode, OFlags};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// `OPEN_MAX` of macOS, which refuses higher limits even if the hard limit is unlimited.
const OPEN_MAX: u64 = 10_240;

/// Handlers of SIGTERM and SIGINT.
#[derive(Debug)]
pub(crate) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// Installs the handlers.
    ///
    /// # Errors
    /// Fails if the operating system refuses.
    pub(crate) fn catch() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for one of the signals.
    pub(crate) async fn received(&mut self) {
        // Either arm may be dropped: a signal that was not consumed is kept.
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Opens a file for reading; returns at once if it is a pipe.
///
/// # Errors
/// Fails if the file cannot be opened.
pub(crate) fn open_without_blocking(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Opens an existing file for writing; fails if it is a symbolic link.
///
/// # Errors
/// Fails if the file cannot be opened.
pub(crate) fn open_to_write(path: &Path) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Returns the device and the inode of a file, which are the same for all of its names.
///
/// # Errors
/// Never fails on Unix.
pub(crate) fn file_identity(_: &Path, metadata: &Metadata) -> io::Result<(u64, u64)> {
    Ok((metadata.dev(), metadata.ino()))
}

/// Returns the number of hard links to a file.
///
/// # Errors
/// Never fails on Unix.
pub(crate) fn hard_links(_: &Path, metadata: &Metadata) -> io::Result<u64> {
    Ok(metadata.nlink())
}

/// Reports whether a standard stream is redirected to a file.
pub(crate) fn is_file(stream: &impl AsFd) -> bool {
    let metadata =
        stream.as_fd().try_clone_to_owned().map(File::from).and_then(|stream| stream.metadata());
    metadata.is_ok_and(|it| it.is_file())
}

/// Returns the time of the last change of the file or its metadata.
pub(crate) fn changed(metadata: &Metadata) -> SystemTime {
    let seconds = u64::try_from(metadata.ctime()).unwrap_or_default();
    let nanos = u32::try_from(metadata.ctime_nsec()).unwrap_or_default();
    UNIX_EPOCH + Duration::new(seconds, nanos)
}

/// Returns the permissions of new files, to which the umask applies.
pub(crate) fn new_file_permissions() -> Option<Permissions> {
    Some(Permissions::from_mode(0o666))
}

/// Returns the permissions of files that only their owner may read and write.
pub(crate) fn private_file_permissions() -> Option<Permissions> {
    Some(Permissions::from_mode(0o600))
}

/// Creates a directory that only its owner may use, with its missing parents.
///
/// # Errors
/// Fails if it cannot be created. An existing directory is unchanged.
pub(crate) fn create_private_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Gives a file the owner and the group of another one.
///
/// # Errors
/// Fails if they differ, and the user may not change them.
pub(crate) fn copy_owner(file: &File, from: &Metadata) -> io::Result<()> {
    let own = file.metadata()?;
    if (own.uid(), own.gid()) == (from.uid(), from.gid()) {
        Ok(())
    } else {
        fchown(file, Some(from.uid()), Some(from.gid()))
    }
}

/// Returns the maximum number of open files of the process; `None` without a limit.
pub(crate) fn open_file_limit() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Raises the limit of open files to the maximum, as Go programs do.
///
/// The usual soft limit of 1,024 exists for programs that use `select`. With so few connections, one client could lock
/// out others.
///
/// # Errors
/// Fails if the operating system refuses.
pub(crate) fn raise_open_file_limit() -> io::Result<()> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raise = |current| setrlimit(Resource::Nofile, Rlimit { current, maximum });
    if current != maximum {
        raise(maximum).or_else(|error| match current {
            Some(current) if current < OPEN_MAX => raise(Some(OPEN_MAX)),
            _ => Err(error),
        })?;
    }
    Ok(())
}

/// Returns the host name of the machine, if it is valid UTF-8.
pub(crate) fn host_name() -> Option<String> {
    let name = rustix::system::uname();
    name.nodename().to_str().ok().map(str::to_owned)
}
