//! Forecasts: text, JSON, Markdown, a page, a calendar.

mod difference;
mod html;
mod ics;
mod json;
mod ladder;
mod markdown;
mod row;
mod text;

pub use difference::{difference_json, difference_markdown, difference_text};
pub use html::forecast_html;
pub use ics::forecast_ics;
pub use json::forecast_json;
pub use ladder::{ladder_json, ladder_markdown, ladder_text};
pub use markdown::forecast_markdown;
pub(super) use text::Page;
pub use text::forecast_text;

use jiff::SignedDuration;
use schemars::JsonSchema;

use super::truncation::counted;
use crate::forecast::{Counts, Outlook};

/// The document of `forecast --format json`, for its schema.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(
    dead_code,
    reason = "each document is written by a function of its own"
)]
pub(super) enum ForecastDocument<'a> {
    /// Of one garden.
    Forecast(json::Document<'a>),
    /// With `--with`.
    Difference(difference::Document<'a>),
    /// With `--profile`.
    Ladder(ladder::Document),
}

/// `7 Shoots, 90 days from 2026-12-01T00:00:00Z`.
fn extent(outlook: &Outlook) -> String {
    let shoots = outlook.shoots.len() + outlook.unforeseen.len();
    let shoots = counted(shoots, "Shoot", "Shoots").unwrap_or_else(|| "no Shoots".to_owned());
    let time = outlook.until.duration_since(outlook.at);
    let time = length(time);
    format!("{shoots}, {time} from {:.0}", outlook.at)
}

fn length(time: SignedDuration) -> String {
    let days = time.as_hours() / 24;
    match (days, time.as_hours()) {
        (0, 1) => "1 hour".to_owned(),
        (0, hours) => format!("{hours} hours"),
        (1, _) => "1 day".to_owned(),
        (days, _) => format!("{days} days"),
    }
}

/// `2 regular, 1 forced, 1 blocked`; what there is none of is left out.
fn counts(outlook: &Outlook) -> String {
    let Counts {
        regular,
        forced,
        blocked,
        impossible,
        paused,
        unknown,
    } = outlook.counts();
    let counts = [
        counted(regular, "regular update", "regular updates"),
        counted(forced, "forced update", "forced updates"),
        counted(blocked, "blocked", "blocked"),
        counted(
            impossible,
            "without an update possible",
            "without an update possible",
        ),
        counted(paused, "stays behind", "stay behind"),
        counted(unknown, "window not certain", "windows not certain"),
        counted(
            outlook.unforeseen.len(),
            "Shoot not forecast",
            "Shoots not forecast",
        ),
    ];
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    match counts.is_empty() {
        true => "nothing happens".to_owned(),
        false => counts.join(", "),
    }
}
