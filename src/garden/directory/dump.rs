// SPDX-License-Identifier: Apache-2.0
use std::io::{self, ErrorKind};
use std::path::Path;

use super::DumpRecord;
use crate::files::{self, Limit, Trees};
use garden_gate_text::yaml::SourceError;

/// Reads the record of a directory, or returns an empty one if the file does not exist.
///
/// # Errors
/// Fails if the file cannot be read or is not a valid record.
pub fn dump_record(directory: &Path) -> io::Result<DumpRecord> {
    let path = directory.join(DumpRecord::FILE);
    let text = match files::read_text_in(&Trees::new([directory]), &path, Limit::CONFIGURATIONS) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(DumpRecord::default()),
        text => text?,
    };
    DumpRecord::parse(&text).map_err(|error: SourceError| {
        io::Error::new(ErrorKind::InvalidData, format!("{}:{error}", path.display()))
    })
}
