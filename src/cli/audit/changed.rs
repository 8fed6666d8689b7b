// SPDX-License-Identifier: Apache-2.0
use std::path::Path;

use anyhow::Context as _;

use crate::files::{Limit, Trees, read_text_in};
use garden_gate_products::report::{Baseline, Comparing};

/// Reads the report of an earlier audit for a comparison.
///
/// # Errors
/// Fails if the report cannot be read or parsed.
pub(super) fn read(file: &Path) -> anyhow::Result<Comparing> {
    let shown = file.display();
    let text = read_text_in(&Trees::default(), file, Limit::REPORTS)
        .with_context(|| format!("cannot read the earlier report `{shown}`"))?;
    let earlier = Baseline::of_report(&text).with_context(|| {
        format!("`{shown}` is not a report of an audit; --format json={shown} writes one")
    })?;
    Ok(earlier.comparing())
}
