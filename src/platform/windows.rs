// SPDX-License-Identifier: Apache-2.0
//! The functions for Windows.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown,
};
use winapi_util::file::{Information, information, typ};
use winapi_util::{AsHandleRef, Handle};

/// `FILE_FLAG_OPEN_REPARSE_POINT`: opens a symbolic link itself.
const OPEN_REPARSE_POINT: u32 = 0x0020_0000;

/// Handlers of the events that end a console program.
#[derive(Debug)]
pub(crate) struct StopSignals {
    interrupt: CtrlC,
    terminate: CtrlBreak,
    close: CtrlClose,
    shutdown: CtrlShutdown,
}

impl StopSignals {
    /// Installs the handlers.
    ///
    /// # Errors
    /// Fails if the operating system refuses.
    pub(crate) fn catch() -> io::Result<Self> {
        Ok(Self {
            interrupt: ctrl_c()?,
            terminate: ctrl_break()?,
            close: ctrl_close()?,
            shutdown: ctrl_shutdown()?,
        })
    }

    /// Waits for one of the events.
    pub(crate) async fn received(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.close.recv() => {}
            _ = self.shutdown.recv() => {}
        }
    }
}

/// Opens a file for reading.
///
/// # Errors
/// Fails if the file cannot be opened.
pub(crate) fn open_without_blocking(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

/// Opens an existing file for writing; fails if it is a symbolic link.
///
/// # Errors
/// Fails if the file cannot be opened.
pub(crate) fn open_to_write(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).custom_flags(OPEN_REPARSE_POINT).open(path)?;
    if file.metadata()?.is_symlink() {
        Err(io::Error::other("a symbolic link, not a file"))
    } else {
        Ok(file)
    }
}

/// Returns the volume and the index of a file, which are the same for all of its names.
///
/// # Errors
/// Fails if the file cannot be opened.
pub(crate) fn file_identity(path: &Path, _: &Metadata) -> io::Result<(u64, u64)> {
    let information = opened(path)?;
    Ok((information.volume_serial_number(), information.file_index()))
}

/// Returns the number of hard links to a file.
///
/// # Errors
/// Fails if the file cannot be opened.
pub(crate) fn hard_links(path: &Path, _: &Metadata) -> io::Result<u64> {
    Ok(opened(path)?.number_of_links())
}

fn opened(path: &Path) -> io::Result<Information> {
    information(Handle::from_path_any(path)?)
}

/// Reports whether a standard stream is redirected to a file.
pub(crate) fn is_file(stream: &impl AsHandleRef) -> bool {
    typ(stream).is_ok_and(|it| it.is_disk())
}

/// Returns the time of the last change of the file.
pub(crate) fn changed(metadata: &Metadata) -> SystemTime {
    metadata.modified().unwrap_or(UNIX_EPOCH)
}

/// Returns `None`: new files have the permissions of their directory.
pub(crate) fn new_file_permissions() -> Option<Permissions> {
    None
}

/// Returns `None`: new files have the permissions of their directory.
pub(crate) fn private_file_permissions() -> Option<Permissions> {
    None
}

/// Creates a directory with the permissions of its parent, with its missing parents.
///
/// # Errors
/// Fails if it cannot be created.
pub(crate) fn create_private_directory(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Does nothing: new files have the owner that their directory gives.
///
/// # Errors
/// Never fails on Windows.
pub(crate) fn copy_owner(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Returns `None`: sockets and files have no common limit.
pub(crate) fn open_file_limit() -> Option<u64> {
    None
}

/// Does nothing, without a limit.
///
/// # Errors
/// Never fails on Windows.
pub(crate) fn raise_open_file_limit() -> io::Result<()> {
    Ok(())
}

/// Returns the host name of the machine, if it is valid UTF-8.
#[expect(clippy::disallowed_methods, reason = "only `serve` needs the host name")]
pub(crate) fn host_name() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}
