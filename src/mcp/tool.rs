// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use rmcp::handler::server::tool::schema_for_input;
use rmcp::model::{JsonObject, Tool as Described, ToolAnnotations};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::arguments::{Audit, Explain, Fix, Forecast, Review, Schema, ToolArguments};

/// A tool of the server.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Tool {
    Review,
    Explain,
    Fix,
    Forecast,
    Audit,
    Schema,
}

impl Tool {
    pub(super) const ALL: [Self; 6] =
        [Self::Review, Self::Explain, Self::Fix, Self::Forecast, Self::Audit, Self::Schema];

    /// Returns the tool with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Explain => "explain",
            Self::Fix => "fix",
            Self::Forecast => "forecast",
            Self::Audit => "audit",
            Self::Schema => "schema",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Review => {
                "Judge manifests of Gardener (Shoot, CloudProfile, Seed, Project and others) as its API server would: refusals, \
                 warnings and undetermined checks, with file, line, reason and help. JSON as `garden-gate review --format json`. \
                 Writes nothing, and applies nothing."
            }
            Self::Explain => {
                "Explain a rule or finding by its id, or list rules by prefix or kind. JSON as `garden-gate rules --format json`."
            }
            Self::Fix => {
                "Return a unified diff that fixes findings of manifests. Nothing is written: apply the diff yourself, then review \
                 again."
            }
            Self::Forecast => {
                "Predict the maintenance of Shoots in a garden: version updates, when and why, and what a person must do. JSON as \
                 `garden-gate forecast --format json`."
            }
            Self::Audit => {
                "Judge all stored objects of a garden: objects that would be refused if written again, expired versions, unused \
                 objects. JSON as `garden-gate audit --format json`."
            }
            Self::Schema => {
                "Return the JSON Schema of a kind of Gardener, or of the output of review, forecast, audit or rules."
            }
        }
    }

    /// Returns the arguments that make the result smaller.
    pub(super) fn narrowing(self) -> &'static str {
        match self {
            Self::Review => "fewer `paths`, or `rules`",
            Self::Fix => "fewer `paths`, or `rules`",
            Self::Explain => "an `id`, a longer prefix in `id`, or a `kind`",
            Self::Forecast => "`shoots`, `projects`, `owners`, or a shorter `for`",
            Self::Audit => "`projects`, `owners` or `rules`",
            Self::Schema => "nothing; ask for less of it in a shell: `garden-gate schema NAME`",
        }
    }

    /// Returns the description for clients.
    pub(super) fn described(self) -> Described {
        let annotations = ToolAnnotations::new()
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        Described::new(self.name(), self.description(), self.input_schema())
            .with_annotations(annotations)
    }

    fn input_schema(self) -> Arc<JsonObject> {
        let schema = match self {
            Self::Review => schema_for_input::<Review>(),
            Self::Explain => schema_for_input::<Explain>(),
            Self::Fix => schema_for_input::<Fix>(),
            Self::Forecast => schema_for_input::<Forecast>(),
            Self::Audit => schema_for_input::<Audit>(),
            Self::Schema => schema_for_input::<Schema>(),
        };
        // It fails for types that are no objects.
        schema.unwrap_or_default()
    }

    /// Parses the arguments of a client.
    ///
    /// # Errors
    /// Returns which argument is not valid, and why.
    pub(super) fn parse(self, arguments: JsonObject) -> Result<Box<dyn ToolArguments>, String> {
        match self {
            Self::Review => read::<Review>(arguments),
            Self::Explain => read::<Explain>(arguments),
            Self::Fix => read::<Fix>(arguments),
            Self::Forecast => read::<Forecast>(arguments),
            Self::Audit => read::<Audit>(arguments),
            Self::Schema => read::<Schema>(arguments),
        }
    }
}

fn read<T: DeserializeOwned + ToolArguments + 'static>(
    arguments: JsonObject,
) -> Result<Box<dyn ToolArguments>, String> {
    let read = serde_json::from_value::<T>(Value::Object(arguments))
        .map_err(|error| format!("the arguments are not valid: {error}"))?;
    Ok(Box::new(read))
}
