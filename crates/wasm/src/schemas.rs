// SPDX-License-Identifier: Apache-2.0
//! JSON Schemas of all inputs and results, from which the TypeScript types are generated.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::input::{CursorInput, ForecastInput, ReviewInput, SessionInput};
use super::markers::Details;
use super::session::{CompletionList, HoverText, RulePage, Versions};
use garden_gate_products::report::output_schema;

fn input<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

fn result<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Returns the schemas by the names of the types.
pub fn schemas() -> BTreeMap<&'static str, Value> {
    let own = [
        ("SessionInput", input::<SessionInput>()),
        ("ReviewInput", input::<ReviewInput>()),
        ("ForecastInput", input::<ForecastInput>()),
        ("CursorInput", input::<CursorInput>()),
        ("Details", result::<Details>()),
        ("HoverText", result::<HoverText>()),
        ("CompletionList", result::<CompletionList>()),
        ("RulePage", result::<RulePage>()),
        ("Versions", result::<Versions>()),
    ];
    let documents = [("ReviewDocument", "review"), ("ForecastDocument", "forecast")]
        .into_iter()
        .filter_map(|(name, output)| Some((name, output_schema(output)?)));
    own.into_iter().chain(documents).collect()
}
