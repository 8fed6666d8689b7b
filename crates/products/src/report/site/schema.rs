// SPDX-License-Identifier: Apache-2.0
//! The JSON Schema of the documents.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::{findings, overview, projects, rules, shoot, versions};

/// The Shoots of a document.
#[derive(JsonSchema)]
#[schemars(rename = "SiteShoots")]
#[expect(dead_code, reason = "documents are joined from texts")]
struct Shoots<'a> {
    /// The Shoots; one in the documents of a server.
    shoots: Vec<shoot::Document<'a>>,
}

/// A document, with the schema of its type.
type Described = (&'static str, &'static str, fn(&mut SchemaGenerator) -> Schema);

const DOCUMENTS: [Described; 9] = [
    ("overview", "The first page: `/api/v1/overview`.", of::<overview::Document<'_>>),
    ("projects", "All Projects: `/api/v1/projects`.", of::<projects::Projects<'_>>),
    ("clusters", "All Shoots: `/api/v1/clusters`.", of::<projects::Clusters<'_>>),
    ("versions", "The versions of profiles: `/api/v1/versions`.", of::<versions::Document>),
    ("findings", "All findings: `/api/v1/findings`.", of::<findings::Document<'_>>),
    ("rules", "All rules: `/api/v1/rules`.", of::<rules::Document>),
    ("rule", "A rule: `/api/v1/rules/ID`.", of::<rules::Page>),
    ("project", "A Project: `/api/v1/projects/NAMESPACE`.", of::<projects::Project<'_>>),
    ("shoots", "A Shoot: `/api/v1/shoots/NAMESPACE/NAME`.", of::<Shoots<'_>>),
];

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Returns a JSON Schema with a property for each kind of document.
pub(in crate::report) fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut properties = Map::new();
    for (name, description, schema) in DOCUMENTS {
        let mut schema = schema(&mut generator).to_value();
        schema["description"] = description.into();
        properties.insert(name.to_owned(), schema);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Site",
        "description": "The documents of a site, each with its own address.",
        "type": "object",
        "properties": properties,
        "required": [],
        "$defs": generator.take_definitions(true),
    })
}
