// SPDX-License-Identifier: Apache-2.0
use anyhow::bail;
use clap::ValueEnum;

use crate::cli::output::{self, Output};
use garden_gate_products::forecast::{Difference, Ladder, Outlook};
use garden_gate_products::report::{
    ForecastReport, Look, difference_json, difference_markdown, difference_text, forecast_html,
    forecast_ics, forecast_json, forecast_markdown, forecast_text, ladder_json, ladder_markdown,
    ladder_text,
};

/// The format of a forecast.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(super) enum Format {
    /// Text, by urgency.
    Text,
    /// JSON: `{"shoots": [...]}`.
    Json,
    /// Markdown tables, for a comment or a wiki.
    Markdown,
    /// A self-contained page with charts and tables.
    Html,
    /// A calendar with an event for each maintenance window.
    Ics,
}

/// The kind of output.
pub(super) enum ForecastView<'a> {
    Report(ForecastReport<'a>),
    Difference(&'a Difference<'a>),
    Ladder(&'a Ladder, &'a Outlook),
}

/// Checks the outputs.
///
/// # Errors
/// Fails if an output has more than one format. With `is_short`, fails for formats that support full forecasts only.
/// With `is_compared`, fails for a calendar, from which its readers would lose all known events.
pub(super) fn check(
    outputs: &[Output<Format>],
    is_short: bool,
    is_compared: bool,
) -> anyhow::Result<()> {
    let is_for_all = |it: &Output<Format>| !matches!(it.format, Format::Html | Format::Ics);
    if is_short && !outputs.iter().all(is_for_all) {
        bail!("--with and --cloud-profile support only the formats `text`, `json` and `markdown`");
    }
    if is_compared && outputs.iter().any(|it| it.format == Format::Ics) {
        bail!("--changed-since does not support the format `ics`, since a calendar has all events");
    }
    output::check(outputs)
}

impl Format {
    pub(super) fn text(self, shown: &ForecastView<'_>, look: Look) -> anyhow::Result<String> {
        let report = match shown {
            ForecastView::Report(report) => *report,
            ForecastView::Difference(difference) => return self.difference(difference, look),
            ForecastView::Ladder(ladder, outlook) => return self.ladder(ladder, outlook, look),
        };
        Ok(match self {
            Format::Text => forecast_text(report, look),
            Format::Json => forecast_json(report)?,
            Format::Markdown => forecast_markdown(report),
            Format::Html => forecast_html(report),
            Format::Ics => forecast_ics(report.outlook),
        })
    }

    fn difference(self, difference: &Difference<'_>, look: Look) -> anyhow::Result<String> {
        Ok(match self {
            Format::Json => difference_json(difference)?,
            Format::Markdown => difference_markdown(difference),
            _ => difference_text(difference, look),
        })
    }

    fn ladder(self, ladder: &Ladder, outlook: &Outlook, look: Look) -> anyhow::Result<String> {
        Ok(match self {
            Format::Json => ladder_json(ladder, outlook)?,
            Format::Markdown => ladder_markdown(ladder, outlook),
            _ => ladder_text(ladder, outlook, look),
        })
    }
}
