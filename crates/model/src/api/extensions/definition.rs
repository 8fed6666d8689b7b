// SPDX-License-Identifier: Apache-2.0
//! Definitions of extensions as data, as `garden-gate.dev/v1alpha1`.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::declaration::{ConfigurationPlace, Header};
use crate::api::{MatchCondition, Object, ObjectMeta, PolicyVariable, object};

/// An extension that is known from data: the schemas of its configurations, and rules in CEL about objects that use it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ExtensionDefinition {
    /// API group and version of the object.
    pub api_version: String,
    /// Kind of the object.
    pub kind: String,
    /// The name of the extension.
    pub metadata: ObjectMeta,
    /// Its types, configurations and rules.
    pub spec: ExtensionDefinitionSpec,
}

/// Types, configurations and rules of an [`ExtensionDefinition`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ExtensionDefinitionSpec {
    /// The address of the source code.
    pub repository: String,
    /// The licence of the source code.
    pub license: String,
    /// The kinds and types of objects that it reconciles, as in its ControllerRegistration.
    pub resources: Vec<DefinedResource>,
    /// The versions whose fields and rules are known.
    pub versions: DefinedVersions,
    /// The component that refuses requests; absent if only the controller fails.
    pub admission: Option<DefinedAdmission>,
    /// The flags of the admission component that change verdicts: a schema with defaults, `variables.settings` in expressions.
    pub settings: Value,
    /// Conditions that must be true for objects that the extension judges.
    pub match_conditions: Vec<MatchCondition>,
    /// The configurations that it reads.
    pub configurations: Vec<DefinedConfiguration>,
    /// Named expressions for other expressions.
    pub variables: Vec<PolicyVariable>,
    /// Expressions that are true for valid objects.
    pub validations: Vec<DefinedValidation>,
}

impl ExtensionDefinitionSpec {
    /// Returns the effect of a violation. By default, it is refused if the extension has an admission component.
    pub fn effect(&self, effect: Option<DefinedEffect>) -> DefinedEffect {
        let is_refused = self.admission.is_some();
        effect.unwrap_or(if is_refused { DefinedEffect::Deny } else { DefinedEffect::Warn })
    }

    /// Returns the names of the settings with their defaults, `null` if a setting has no default.
    pub fn settings_with_defaults(&self) -> Map<String, Value> {
        let properties = self.settings.pointer("/properties").and_then(Value::as_object);
        let default = |it: &Value| it.get("default").cloned().unwrap_or_default();
        let properties = properties.into_iter().flatten();
        properties.map(|(name, it)| (name.clone(), default(it))).collect()
    }
}

/// A kind and type of objects that an extension reconciles.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct DefinedResource {
    /// The kind, such as `Extension`, `Infrastructure` or `ContainerRuntime`.
    pub kind: String,
    /// The type, as in `spec.extensions[].type` of a Shoot.
    #[serde(rename = "type")]
    pub class: String,
}

/// The minor versions of an extension whose fields and rules are known, such as `1.18`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct DefinedVersions {
    /// The oldest version; older ones are not judged.
    pub oldest: String,
    /// The newest version, which is assumed if the garden names none.
    pub newest: String,
}

/// The component of an extension that refuses requests.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct DefinedAdmission {
    /// The name of the component.
    pub name: String,
    /// The name of its webhook configuration.
    pub webhooks: String,
}

/// A configuration that an extension reads.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DefinedConfiguration {
    /// The field that contains it.
    pub field: ConfigurationPlace,
    /// The type next to it that chooses it.
    #[serde(rename = "type")]
    pub class: String,
    /// The kinds of objects that contain it; empty means Shoots.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// Whether the extension refuses objects without it.
    #[serde(default)]
    pub required: bool,
    /// Whether the extension refuses unknown and repeated fields; otherwise it ignores them.
    #[serde(default)]
    pub strict: bool,
    /// The necessary parts of the header.
    #[serde(default)]
    pub header: Header,
    /// The effect of a configuration that cannot be decoded or does not match the schema.
    pub effect: Option<DefinedEffect>,
    /// The API group in the header.
    #[serde(default)]
    pub group: String,
    /// The versions of the API group.
    #[serde(default)]
    pub versions: Vec<String>,
    /// The kind in the header.
    #[serde(default)]
    pub kind: String,
    /// The schema of the fields, as in a CustomResourceDefinition, with `x-garden-gate-since` and `x-garden-gate-until`.
    pub schema: Value,
    /// The aspects of the configuration that the definition does not judge; empty if it judges all.
    #[serde(default)]
    pub not_judged: String,
}

/// The effect of a violation.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
pub enum DefinedEffect {
    /// The admission component refuses the object.
    Deny,
    /// The object is accepted: the component warns, the controller fails later, or ignores the value.
    Warn,
}

/// An expression that is true for valid objects.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DefinedValidation {
    /// The kinds of objects; empty means Shoots.
    pub kinds: Vec<String>,
    /// The first version with the rule.
    pub since: Option<String>,
    /// The last version with the rule.
    pub until: Option<String>,
    /// CEL that evaluates to a boolean.
    pub expression: String,
    /// The message of a violation.
    pub message: String,
    /// The type of the error, as in a CustomResourceDefinition; empty for `FieldValueInvalid`.
    pub reason: String,
    /// The field of the error, such as `spec.extensions[].providerConfig.rule`; empty for the field that the expression names.
    pub field: String,
    /// The effect of a violation.
    pub effect: Option<DefinedEffect>,
}

/// Fields of an [`ExtensionDefinition`], for strict decoding.
pub const EXTENSION_DEFINITION_FIELDS: &Object = &ExtensionDefinitionFields;

object! {
    /// An extension that is known from data.
    ExtensionDefinitionFields {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Types, configurations and rules.
        "spec": ExtensionDefinitionSpecFields;
    }
}

object! {
    /// Types, configurations and rules of an extension.
    ExtensionDefinitionSpecFields {
        /// Address of the source code.
        "repository": String;
        /// Licence of the source code.
        "license": String;
        /// Kinds and types of objects that the extension reconciles.
        "resources": [DefinedResourceFields];
        /// Versions whose fields and rules are known.
        "versions": DefinedVersionsFields;
        /// Component that refuses requests.
        "admission": DefinedAdmissionFields;
        /// Schema of the flags that change verdicts.
        "settings": Any;
        /// Conditions of the extension.
        "matchConditions": [DefinedExpressionFields; by name];
        /// Configurations that the extension reads.
        "configurations": [DefinedConfigurationFields];
        /// Named expressions for other expressions.
        "variables": [DefinedExpressionFields; by name];
        /// Expressions that must be true for objects.
        "validations": [DefinedValidationFields];
    }
}

object! {
    /// Kind and type of objects.
    DefinedResourceFields {
        /// Kind.
        "kind": String;
        /// Type.
        "type": String;
    }
}

object! {
    /// Minor versions.
    DefinedVersionsFields {
        /// Oldest known version.
        "oldest": String;
        /// Newest known version.
        "newest": String;
    }
}

object! {
    /// Component that refuses requests.
    DefinedAdmissionFields {
        /// Name of the component.
        "name": String;
        /// Name of its webhook configuration.
        "webhooks": String;
    }
}

object! {
    /// Expression with a name.
    DefinedExpressionFields {
        /// Name.
        "name": String;
        /// Expression in CEL.
        "expression": String;
    }
}

object! {
    /// Configuration of an extension.
    DefinedConfigurationFields {
        /// Field that contains it.
        "field": String;
        /// Type next to it that chooses it.
        "type": String;
        /// Kinds of objects.
        "kinds": [String];
        /// Whether objects without it are refused.
        "required": Boolean;
        /// Whether unknown and repeated fields are refused.
        "strict": Boolean;
        /// Necessary parts of the header.
        "header": String;
        /// Effect of a violation: `Deny` or `Warn`.
        "effect": String;
        /// API group.
        "group": String;
        /// Versions of the API group.
        "versions": [String];
        /// Kind.
        "kind": String;
        /// Schema of the fields.
        "schema": Any;
        /// Aspects that the definition does not judge.
        "notJudged": String;
    }
}

object! {
    /// Expression that must be true for objects.
    DefinedValidationFields {
        /// Kinds of objects.
        "kinds": [String];
        /// First version with the rule.
        "since": String;
        /// Last version with the rule.
        "until": String;
        /// Expression in CEL.
        "expression": String;
        /// Message of a violation.
        "message": String;
        /// Type of the error.
        "reason": String;
        /// Field of the error.
        "field": String;
        /// Effect of a violation: `Deny` or `Warn`.
        "effect": String;
    }
}

impl ExtensionDefinition {
    /// The kind of manifests.
    pub const KIND: &'static str = "ExtensionDefinition";
}
