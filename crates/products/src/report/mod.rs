// SPDX-License-Identifier: Apache-2.0
//! Renderers of verdicts: AdmissionReview responses, text, JSON and other formats.
//!
//! There is one renderer per format. Renderers never filter or judge. A [`Writer`] writes a review object by object; a
//! forecast is written as a whole.

mod admission;
mod affected_shoots;
mod annotation;
mod audit;
mod baseline;
mod drift;
mod findings;
mod fingerprint;
mod fix;
mod forecast;
mod github;
mod impact;
mod json;
mod junit;
mod lines;
mod log_summary;
mod markdown;
mod markup;
mod notify;
mod page;
mod placeholder;
mod plan;
mod pretty;
mod projects;
mod replay;
mod reviewed;
mod sarif;
mod schema;
mod server;
mod site;
mod status;
mod summary;
mod text;
mod truncation;
mod webhooks;
mod writer;

pub use admission::{AdmissionResponse, AdmissionReview, Cause, Details, Status, admission_review};
pub use affected_shoots::ShootEffect;
pub use annotation::{Annotation, AnnotationGroup};
pub use audit::{AuditHtmlWriter, AuditTextWriter, OpenReportsWriter, audit_html};
pub use baseline::{Baseline, Compared, Comparing};
pub use fix::{FixedWriter, yaml_diff, yaml_document};
pub use forecast::{
    EarlierForecast, ForecastChanges, ForecastReport, difference_json, difference_markdown,
    difference_text, forecast_html, forecast_ics, forecast_json, forecast_markdown, forecast_text,
    ladder_json, ladder_markdown, ladder_text,
};
pub use github::GithubWriter;
pub use json::{JsonWriter, audit_json};
pub use junit::JunitWriter;
pub use lines::Lines;
pub use log_summary::{findings_in_short, listed, undetermined_in_short};
pub use markdown::MarkdownWriter;
pub use notify::{
    LandscapeFacts, Message, MessageFormat, MessageItem, MessageTemplate, Notice,
    NotificationState, ProjectFacts, ProjectNews, StateError, TemplateError, document_json,
    messages_json, slack_json, teams_json,
};
pub use page::{IndexEntry, index_html, page_policy};
pub use placeholder::Placeholder;
pub use plan::{
    FleetReport, fleet_json, fleet_markdown, fleet_text, plan_json, plan_markdown, plan_text,
};
pub use pretty::json_document;
pub use projects::{PublishedProject, projects_html, projects_json};
pub use replay::{replay_json, replay_markdown, replay_text};
pub use reviewed::{
    Drifted, Edit, Fix, Outcome, Reviewed, ServerAnswer, ServerVerdict, TextFix, Weight,
};
pub use sarif::SarifWriter;
pub use schema::{OUTPUTS, output_schema, schema};
pub use site::{
    Collecting, Documents, Landscape, LandscapeBuilder, Lookups, Naming, PLAYGROUND_POLICY,
    Playground, SITE_POLICY, SITE_STYLE, Site, SiteFile, SitePart, site_script,
};
pub use status::StatusWriter;
pub use summary::{
    AuditSummary, By, ChangedSince, ChangedVersion, ChangedVersions, ComparedVersions, ConfigFile,
    JudgedExtension, JudgedGarden, LeftOutFile, SkippedInput, Summary,
};
pub use text::{ConciseWriter, Look, StatisticsWriter, TextWriter, Verbosity};
pub use truncation::{clip, number_of};
pub use webhooks::{Cluster, Endpoint, FailurePolicy, WebhookOptions, webhook_configurations};
pub use writer::Writer;
