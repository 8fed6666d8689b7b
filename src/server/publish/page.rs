use std::sync::Arc;

use super::denial::Denial;
use crate::report::{forecast_html, forecast_ics, forecast_json, projects_html, projects_json};
use crate::server::forecast::{NamespaceForecast, Published};

/// The content of a page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Topic {
    Forecast,
}

/// The format of a page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Format {
    Html,
    Json,
    Ics,
}

/// The part of the forecast that a caller may read.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Projects(Arc<Published>),
    Namespace(Arc<NamespaceForecast>),
}

/// Multiple of the memory of a forecast that its page needs while it is rendered.
const COPIES: u64 = 6;
/// Memory of a row in the list of Projects while it is rendered, in bytes.
const ROW: u64 = 2 << 10;

impl Format {
    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Json => "application/json",
            Self::Ics => "text/calendar; charset=utf-8",
        }
    }
}

impl Part {
    /// Returns the estimated memory for rendering in bytes.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Projects(published) => published.count() as u64 * ROW,
            Self::Namespace(namespace) => namespace.bytes * COPIES,
        }
    }

    /// Renders a page; blocks.
    pub(super) fn render(&self, topic: Topic, format: Format) -> Result<String, Denial> {
        let page = match (self, topic, format) {
            (Self::Projects(_), _, Format::Ics) => return Err(Denial::NoProject),
            (Self::Projects(published), _, Format::Html) => {
                Ok(projects_html(published.at, &published.rows()))
            }
            (Self::Projects(published), _, Format::Json) => {
                projects_json(published.at, &published.rows())
            }
            (Self::Namespace(it), Topic::Forecast, Format::Html) => Ok(forecast_html(&it.outlook)),
            (Self::Namespace(it), Topic::Forecast, Format::Json) => forecast_json(&it.outlook),
            (Self::Namespace(it), Topic::Forecast, Format::Ics) => Ok(forecast_ics(&it.outlook)),
        };
        page.map_err(|_| Denial::Defect)
    }
}
