// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use super::denial::Denial;
use crate::server::published::{Published, PublishedNamespace};
use garden_gate_products::report::{
    AuditSummary, ForecastReport, Naming, SITE_POLICY, Site, audit_html, audit_json, forecast_html,
    forecast_ics, forecast_json, page_policy, projects_html, projects_json,
};

/// A page, or a document for programs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Page {
    /// The page of the site.
    Site,
    /// A document of the site, by name.
    Document(String),
    Forecast(Format),
    Audit(Format),
}

/// The format of a page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Format {
    Html,
    Json,
    Ics,
}

/// The part of the landscape that a reader may read.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Whole(Arc<Published>),
    Namespace(Arc<PublishedNamespace>),
}

/// Multiple of the memory of a namespace that its page needs while it is rendered.
const COPIES: u64 = 6;
/// Memory of a row in the list of Projects while it is rendered, in bytes.
const ROW: u64 = 2 << 10;
/// Memory of the document of a Shoot while it is rendered, in bytes.
const SHOOT: u64 = 256 << 10;

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

impl Page {
    pub(super) fn content_type(&self) -> &'static str {
        match self {
            Self::Site | Self::Forecast(Format::Html) | Self::Audit(Format::Html) => HTML,
            Self::Document(_) | Self::Forecast(Format::Json) | Self::Audit(Format::Json) => JSON,
            Self::Forecast(Format::Ics) | Self::Audit(Format::Ics) => {
                "text/calendar; charset=utf-8"
            }
        }
    }

    /// Returns the content security policy.
    pub(super) fn policy(&self) -> &'static str {
        match self {
            Self::Site | Self::Document(_) => SITE_POLICY,
            Self::Forecast(_) | Self::Audit(_) => page_policy(),
        }
    }
}

impl Part {
    /// Returns the estimated memory for rendering a page in bytes.
    pub(super) fn bytes(&self, page: &Page) -> u64 {
        match (self, page) {
            (_, Page::Document(name)) if name.starts_with("shoots/") => SHOOT,
            (Self::Whole(published), Page::Document(name)) => {
                let project = name.strip_prefix("projects/");
                let namespace = project.and_then(|it| published.namespace_of_document(it));
                namespace.map_or(0, |it| it.bytes * COPIES)
            }
            (Self::Whole(_), Page::Site) => 0,
            (Self::Whole(published), _) => published.rows.len() as u64 * ROW,
            (Self::Namespace(namespace), _) => namespace.bytes * COPIES,
        }
    }

    /// Renders a page; blocks.
    pub(super) fn render(&self, page: &Page) -> Result<String, Denial> {
        match self {
            Self::Whole(published) => whole(published, page),
            Self::Namespace(namespace) => of_namespace(namespace, page),
        }
    }
}

fn whole(published: &Published, page: &Page) -> Result<String, Denial> {
    match page {
        Page::Site => Ok(published.page.clone()),
        Page::Document(name) => {
            if let Some(known) = published.documents.get(&**name) {
                return Ok(known.clone());
            }
            let (kind, rest) = name.split_once('/').unwrap_or_default();
            let part = rest.split('/').next().unwrap_or_default();
            let namespace = match kind {
                // Pages of rules are the same for all.
                "rules" => Some(published.namespace("")),
                "projects" | "shoots" => published.namespace_of_document(part),
                _ => None,
            }
            .ok_or_else(|| Denial::Document(name.clone()))?;
            of_namespace(&namespace, page)
        }
        Page::Forecast(Format::Ics) | Page::Audit(Format::Ics) => Err(Denial::NoProject),
        Page::Forecast(Format::Html) | Page::Audit(Format::Html) => {
            Ok(projects_html(published.empty.at(), &published.rows))
        }
        Page::Forecast(Format::Json) | Page::Audit(Format::Json) => {
            projects_json(published.empty.at(), &published.rows).map_err(|_| Denial::Defect)
        }
    }
}

fn of_namespace(namespace: &PublishedNamespace, page: &Page) -> Result<String, Denial> {
    let landscape = &namespace.landscape;
    match page {
        Page::Site => Ok(Site::of(landscape, Naming::Names).served()),
        Page::Document(name) => {
            let found = if name.starts_with("shoots/") {
                landscape.shoot_document(name)
            } else {
                let site = Site::of(landscape, Naming::Names);
                site.documents().get(name).map_err(|_| Denial::Defect)?
            };
            found.ok_or_else(|| Denial::Document(name.clone()))
        }
        Page::Forecast(Format::Html) => Ok(forecast_html(ForecastReport::of(&landscape.outlook()))),
        Page::Forecast(Format::Json) => {
            forecast_json(ForecastReport::of(&landscape.outlook())).map_err(|_| Denial::Defect)
        }
        Page::Forecast(Format::Ics) => Ok(forecast_ics(&landscape.outlook())),
        Page::Audit(format) => {
            let summary = AuditSummary::of_part(landscape.at(), namespace.tally().clone());
            let (judged, reviewed) = (landscape.judged(), namespace.reviewed());
            if *format == Format::Json {
                let json = audit_json(summary, judged, reviewed).map_err(|_| Denial::Defect)?;
                String::from_utf8(json).map_err(|_| Denial::Defect)
            } else {
                Ok(audit_html(summary, judged, reviewed))
            }
        }
    }
}
