// SPDX-License-Identifier: Apache-2.0
/// The metadata and content hash of a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FileState {
    /// The metadata before the file was read.
    pub stamp: FileMetadata,
    /// The hash of the content.
    pub hash: u64,
}

/// File metadata that shows, without reading the file, whether it changed.
///
/// Replacing a file changes its inode. Tools can reset the modification time (mtime), but not the change time (ctime).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FileMetadata {
    /// A digest of the metadata.
    pub outside: u64,
    /// Whether the file may have changed again: it changed recently, or its metadata is unreadable.
    pub is_doubtful: bool,
}

impl FileState {
    /// The state of a file that is read once.
    pub const UNWATCHED: Self =
        Self { stamp: FileMetadata { outside: 0, is_doubtful: false }, hash: 0 };
}

impl FileMetadata {
    /// Returns the same metadata, marked as doubtful.
    pub fn doubtful(self) -> Self {
        Self { is_doubtful: true, ..self }
    }

    /// Reports whether a file with this former metadata and the `other` current one may be unchanged.
    pub fn is_perhaps(self, other: Self) -> bool {
        self.outside == other.outside
    }

    /// Reports whether a file with this former metadata and the `other` current one is certainly unchanged.
    pub fn is_certainly(self, other: Self) -> bool {
        self.is_perhaps(other) && !self.is_doubtful
    }
}
