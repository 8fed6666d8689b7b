// SPDX-License-Identifier: Apache-2.0
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::confinement;
use super::trees::Trees;
use crate::platform::open_without_blocking;

const MIB: u64 = 1024 * 1024;

/// The size limit for files of one type.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    bytes: u64,
    /// The type in the plural, for messages.
    of: &'static str,
    /// Whether a confinement of the process applies; it does not to credentials, which no client of a server names.
    is_confined: bool,
}

impl Limit {
    /// Configurations of garden-gate and Gardener.
    pub const CONFIGURATIONS: Self = Self::new(4 * MIB, "configurations");
    /// Component vectors of gardener-landscape-kit.
    pub const COMPONENTS: Self = Self::new(4 * MIB, "component vectors");
    /// Certificates and keys.
    pub const PEM: Self = Self::new(4 * MIB, "certificates and keys").unconfined();
    /// Kubeconfigs.
    pub const KUBECONFIGS: Self = Self::new(4 * MIB, "kubeconfigs").unconfined();
    /// Baselines; the limit is many times the findings of a whole landscape.
    pub const BASELINES: Self = Self::new(256 * MIB, "baselines");
    /// Reports of an audit with findings about all objects of a landscape.
    pub const REPORTS: Self = Self::new(2048 * MIB, "reports");
    /// Reports of a forecast; the limit is many times the events of a whole landscape.
    pub const FORECASTS: Self = Self::new(256 * MIB, "forecasts");
    /// Files with recorded requests; a server writes smaller ones.
    pub const RECORDS: Self = Self::new(256 * MIB, "records");
    /// Lists of the files of a playground.
    pub(crate) const PLAYGROUND_LISTS: Self = Self::new(MIB, "lists of a playground");
    /// Files of a playground; the largest one is the module.
    pub(crate) const PLAYGROUNDS: Self = Self::new(32 * MIB, "files of a playground");
    /// Files such as `.gitignore`.
    pub(super) const IGNORE_FILES: Self = Self::new(MIB, "ignore files");

    const fn new(bytes: u64, of: &'static str) -> Self {
        Self { bytes, of, is_confined: true }
    }

    const fn unconfined(self) -> Self {
        Self { is_confined: false, ..self }
    }

    /// Checks the size of content that is already read.
    ///
    /// # Errors
    /// Fails if it exceeds the limit.
    pub(crate) fn check(self, length: usize) -> io::Result<()> {
        if length as u64 > self.bytes { Err(self.exceeded()) } else { Ok(()) }
    }

    fn exceeded(self) -> io::Error {
        let Self { bytes, of, .. } = self;
        let message = format!("larger than {} MiB, the limit for {of}", bytes / MIB);
        io::Error::new(ErrorKind::FileTooLarge, message)
    }
}

/// Returns the content of a regular file, or of a descriptor that the caller passed as a path.
///
/// An example of the latter is `/dev/fd/63`.
///
/// # Errors
/// Fails if the file is of another type, cannot be read, or exceeds the limit.
pub fn read_within(path: &Path, limit: Limit) -> io::Result<Vec<u8>> {
    let (file, length) =
        if is_passed_descriptor(path) { (File::open(path)?, 0) } else { open_regular(path)? };
    if limit.is_confined {
        confinement::check(path, &file)?;
    }
    if length > limit.bytes {
        return Err(limit.exceeded());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    file.take(limit.bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit.bytes { Err(limit.exceeded()) } else { Ok(bytes) }
}

/// Returns the content of a file like [`read_within`], as a string.
///
/// # Errors
/// Fails like [`read_within`], and if the content is not UTF-8.
pub fn read_text_within(path: &Path, limit: Limit) -> io::Result<String> {
    let text = String::from_utf8(read_within(path, limit)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "not UTF-8 text"))
}

/// Returns the content of a file like [`read_text_within`], unless symbolic links lead out of one of the trees.
///
/// # Errors
/// Fails like [`read_text_within`], and with such a link.
pub fn read_text_in(trees: &Trees, path: &Path, limit: Limit) -> io::Result<String> {
    check_in(trees, path, limit)?;
    read_text_within(path, limit)
}

/// Returns the content of a file like [`read_within`], unless symbolic links lead out of one of the trees.
///
/// # Errors
/// Fails like [`read_within`], and with such a link.
pub(crate) fn read_in(trees: &Trees, path: &Path, limit: Limit) -> io::Result<Vec<u8>> {
    check_in(trees, path, limit)?;
    read_within(path, limit)
}

fn check_in(trees: &Trees, path: &Path, limit: Limit) -> io::Result<()> {
    if !is_passed_descriptor(path) {
        check_within(path, limit)?;
        trees.resolve(path)?;
    }
    Ok(())
}

/// Checks that another library can read a file: it is regular and within the limit.
///
/// # Errors
/// Fails if [`read_within`] would not read it.
pub fn check_within(path: &Path, limit: Limit) -> io::Result<()> {
    if is_passed_descriptor(path) {
        return Ok(());
    }
    if open_regular(path)?.1 > limit.bytes { Err(limit.exceeded()) } else { Ok(()) }
}

/// Reports whether a path is a descriptor opened by the caller, as in `<(kustomize build)`.
pub fn is_passed_descriptor(path: &Path) -> bool {
    ["/dev/fd", "/proc/self/fd", "/dev/stdin"]
        .iter()
        .any(|descriptors| path.starts_with(descriptors))
}

/// Opens a regular file, and returns its length.
///
/// Never blocks.
///
/// A pipe is opened without blocking if it replaces the file after the check.
pub(crate) fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    refuse_others(&fs::metadata(path)?)?;
    let file = open_without_blocking(path)?;
    let metadata = file.metadata()?;
    refuse_others(&metadata)?;
    Ok((file, metadata.len()))
}

fn refuse_others(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let message = if metadata.is_dir() {
        "a directory, not a file"
    } else {
        "a pipe, a socket or a device, not a file"
    };
    Err(io::Error::new(ErrorKind::InvalidInput, message))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use tempfile::TempDir;

    use super::{Limit, check_within, read_text_within, read_within};

    const SMALL: Limit = Limit::new(4, "tests");

    fn why(path: &Path) -> String {
        let read = read_within(path, SMALL).unwrap_err().to_string();
        assert_eq!(check_within(path, SMALL).unwrap_err().to_string(), read);
        read
    }

    #[test]
    fn file_within_limit_is_read() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "1234").unwrap();
        assert_eq!(read_within(&path, SMALL).unwrap(), b"1234");
        check_within(&path, SMALL).unwrap();
        fs::write(&path, "12345").unwrap();
        assert_eq!(why(&path), "larger than 0 MiB, the limit for tests");
        fs::write(&path, [0xff]).unwrap();
        let text = read_text_within(&path, SMALL).unwrap_err();
        assert_eq!(text.to_string(), "not UTF-8 text");
    }

    #[test]
    fn pipe_device_and_directory_are_refused_without_waiting() {
        let dir = TempDir::new().unwrap();
        let fifo = dir.path().join("fifo");
        mknodat(CWD, &fifo, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        let link = dir.path().join("link");
        symlink("/dev/zero", &link).unwrap();
        for path in [&fifo, &link, Path::new("/dev/zero")] {
            assert_eq!(why(path), "a pipe, a socket or a device, not a file");
        }
        assert_eq!(why(dir.path()), "a directory, not a file");
    }
}
