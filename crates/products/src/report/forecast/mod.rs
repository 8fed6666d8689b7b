// SPDX-License-Identifier: Apache-2.0
//! Forecasts as text, JSON, Markdown, HTML page and calendar.

mod changed;
mod difference;
mod group;
mod html;
mod ics;
pub(super) mod json;
mod ladder;
mod markdown;
mod report;
mod row;
mod text;
mod totals;

pub use changed::{EarlierForecast, ForecastChanges};
pub use difference::{difference_json, difference_markdown, difference_text};
pub(super) use group::{CORRECT, Equal, days, equal};
pub use html::forecast_html;
pub use ics::forecast_ics;
pub use json::forecast_json;
pub use ladder::{ladder_json, ladder_markdown, ladder_text};
pub use markdown::forecast_markdown;
pub use report::ForecastReport;
pub(super) use row::{Section, entries, relative, rows};
pub use text::forecast_text;
pub(super) use text::{Page, RED};
pub(super) use totals::counted;

use schemars::JsonSchema;

/// The document of `forecast --format json`.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "each document is written by a function of its own")]
pub(super) enum ForecastDocument<'a> {
    /// Forecast of a garden.
    Forecast(json::Document<'a>),
    /// Difference between two forecasts, with `--with`.
    Difference(difference::Document<'a>),
    /// Versions of a profile, with `--cloud-profile`.
    Ladder(ladder::Document),
}
