// SPDX-License-Identifier: Apache-2.0
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::files::{Limit, Trees, read_text_in};
use garden_gate_products::report::EarlierForecast;

/// Reads the report of an earlier forecast for a comparison.
///
/// # Errors
/// Fails if the report cannot be read or parsed, or has only the changes since another one.
pub(super) fn read(file: &Path) -> anyhow::Result<EarlierForecast> {
    let shown = file.display();
    let text = read_text_in(&Trees::default(), file, Limit::FORECASTS)
        .with_context(|| format!("cannot read the earlier forecast `{shown}`"))?;
    let earlier = EarlierForecast::read(&text).with_context(|| {
        format!("`{shown}` is not a report of a forecast; --format json={shown} writes one")
    })?;
    if earlier.is_partial() {
        bail!(
            "`{shown}` was written with --changed-since and lacks known events; --format json={shown} without it writes all"
        );
    }
    Ok(earlier)
}
