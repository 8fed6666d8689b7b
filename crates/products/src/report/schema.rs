// SPDX-License-Identifier: Apache-2.0
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::baseline::File;
use super::forecast::ForecastDocument;
use super::json::{AuditDocument, ReviewDocument};
use super::notify::NotificationsDocument;
use super::plan::PlanDocument;
use super::replay::ReplayDocument;
use super::site;
use crate::coverage::landscape::LandscapeCoverage;

/// Names of the JSON documents with a schema.
pub const OUTPUTS: [&str; 10] = [
    "audit",
    "baseline",
    "coverage",
    "fleet-plan",
    "forecast",
    "notify",
    "plan",
    "replay",
    "review",
    "site",
];

/// Returns the JSON Schema of an output document.
///
/// This is the JSON format of `audit`, `coverage`, `forecast`, `notify`, `plan`, `replay` or `review`, a `baseline`, or the documents of a `site`.
pub fn output_schema(output: &str) -> Option<Value> {
    match output {
        "audit" => Some(schema::<AuditDocument<'_>>()),
        "baseline" => Some(schema::<File>()),
        "coverage" => Some(schema::<LandscapeCoverage>()),
        "forecast" => Some(schema::<ForecastDocument<'_>>()),
        "notify" => Some(schema::<NotificationsDocument<'_>>()),
        "plan" => Some(schema::<PlanDocument<'_>>()),
        "replay" => Some(schema::<ReplayDocument<'_>>()),
        "review" => Some(schema::<ReviewDocument<'_>>()),
        "site" => Some(site::schema()),
        _ => None,
    }
}

/// Returns the JSON Schema of the serialized form of `T`.
pub fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}
