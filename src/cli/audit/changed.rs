use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, ensure};

use crate::report::{Baseline, Comparing};

/// More than the report of a landscape in which every object has something said about it. Bytes.
const MOST_BYTES: u64 = 2 << 30;

/// What an earlier audit found.
///
/// # Errors
/// When that cannot be read.
pub(super) fn read(file: &Path) -> anyhow::Result<Comparing> {
    let shown = file.display();
    let read = || -> anyhow::Result<String> {
        let mut text = String::new();
        File::open(file)?
            .take(MOST_BYTES + 1)
            .read_to_string(&mut text)?;
        ensure!(text.len() as u64 <= MOST_BYTES, "it is larger than 2 GiB");
        Ok(text)
    };
    let text = read().with_context(|| format!("cannot read the earlier report `{shown}`"))?;
    let earlier = Baseline::of_report(&text);
    let earlier = earlier.with_context(|| {
        format!("`{shown}` is no report of an audit; --format json={shown} writes one")
    })?;
    Ok(earlier.comparing())
}
