use std::sync::Arc;

use super::denial::Denial;
use crate::server::published::{NamespaceForecast, Published};
use garden_gate_products::report::{
    AuditSummary, ForecastReport, audit_html, audit_json, forecast_html, forecast_ics,
    forecast_json, projects_html, projects_json,
};

/// The content of a page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Topic {
    Forecast,
    Audit,
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
    pub(super) fn render(&self, topic: Topic, format: Format) -> Result<Vec<u8>, Denial> {
        let page = match (self, topic, format) {
            (Self::Projects(_), _, Format::Ics) => return Err(Denial::NoProject),
            (Self::Projects(published), _, Format::Html) => {
                Ok(projects_html(published.empty.at, &published.rows()))
            }
            (Self::Projects(published), _, Format::Json) => {
                projects_json(published.empty.at, &published.rows())
            }
            (Self::Namespace(it), Topic::Forecast, Format::Html) => {
                Ok(forecast_html(ForecastReport::of(&it.outlook)))
            }
            (Self::Namespace(it), Topic::Forecast, Format::Json) => {
                forecast_json(ForecastReport::of(&it.outlook))
            }
            (Self::Namespace(it), Topic::Forecast, Format::Ics) => Ok(forecast_ics(&it.outlook)),
            (Self::Namespace(it), Topic::Audit, Format::Json) => {
                let summary = AuditSummary::of_part(it.outlook.at, it.tally.clone());
                return audit_json(summary, it.outlook.judged, &it.audited)
                    .map_err(|_| Denial::Defect);
            }
            (Self::Namespace(it), Topic::Audit, _) => {
                let summary = AuditSummary::of_part(it.outlook.at, it.tally.clone());
                Ok(audit_html(summary, it.outlook.judged, &it.audited))
            }
        };
        page.map(String::into_bytes).map_err(|_| Denial::Defect)
    }
}
