// SPDX-License-Identifier: Apache-2.0
//! Definitions of extensions with compiled expressions and checked schemas.

use std::fmt::Display;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::super::compiled::CompiledPolicy;
use super::super::names::kept;
use super::values::VARIABLES;
use crate::admission::ErrorType;
use garden_gate_cel::{Environment, Expression, OldSelf, ResultType};
use garden_gate_model::api::extensions::{
    ConfigurationPlace, DefinedConfiguration, DefinedEffect, DefinedValidation, EXTENSIONS,
    Extension, ExtensionDefinition, ExtensionDefinitionSpec, ExtensionVersion, Header,
    VersionedSchema,
};
use garden_gate_model::api::{
    AdmissionPolicy, AdmissionPolicySpec, Kind, ObjectMeta, PolicyVariable, Schema, Validation,
};

/// The kinds of objects that name extensions.
pub(in crate::policies) const KINDS: [Kind; 4] =
    [Kind::Shoot, Kind::Seed, Kind::CloudProfile, Kind::NamespacedCloudProfile];
/// The kinds of extensions, as in `spec.resources[].kind` of a ControllerRegistration, whose types objects name.
const RESOURCES: [&str; 9] = [
    "BackupBucket",
    "BackupEntry",
    "ContainerRuntime",
    "ControlPlane",
    "Extension",
    "Infrastructure",
    "Network",
    "OperatingSystemConfig",
    "Worker",
];
/// The types of errors, as in a CustomResourceDefinition and three more.
const REASONS: [(&str, ErrorType); 7] = [
    ("FieldValueInvalid", ErrorType::Invalid),
    ("FieldValueRequired", ErrorType::Required),
    ("FieldValueForbidden", ErrorType::Forbidden),
    ("FieldValueDuplicate", ErrorType::Duplicate),
    ("FieldValueNotSupported", ErrorType::NotSupported),
    ("FieldValueNotFound", ErrorType::NotFound),
    ("FieldValueTooMany", ErrorType::TooMany),
];
/// Maximum number of configurations.
const MOST_CONFIGURATIONS: usize = 50;

/// A compiled definition of an extension.
#[derive(Debug)]
pub(in crate::policies) struct CompiledExtension {
    /// Its name, versions and admission component.
    pub(in crate::policies) extension: Extension,
    /// The kinds and types of objects that it reconciles.
    resources: Vec<(String, String)>,
    /// The values of `variables.settings`.
    pub(in crate::policies) settings: Map<String, Value>,
    pub(super) configurations: Vec<CompiledConfiguration>,
    /// The conditions and validations for each kind of object.
    pub(super) rules: Vec<(Kind, KindRules)>,
}

/// A configuration with a checked schema.
#[derive(Debug)]
pub(super) struct CompiledConfiguration {
    pub(super) place: ConfigurationPlace,
    pub(super) class: String,
    kinds: Vec<Kind>,
    pub(super) is_required: bool,
    pub(super) is_strict: bool,
    pub(super) header: Header,
    pub(super) effect: DefinedEffect,
    pub(super) group: String,
    pub(super) versions: Vec<String>,
    pub(super) kind: String,
    pub(super) schema: VersionedSchema,
    /// The aspects that are not judged.
    pub(super) not_judged: String,
}

/// The conditions and validations for a kind of object.
pub(super) struct KindRules {
    pub(super) policy: CompiledPolicy,
    /// The effects of the validations, by index.
    pub(super) checks: Vec<Check>,
}

impl std::fmt::Debug for KindRules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KindRules").field("checks", &self.checks).finish_non_exhaustive()
    }
}

/// The effect of a validation.
#[derive(Debug)]
pub(super) struct Check {
    since: Option<ExtensionVersion>,
    until: Option<ExtensionVersion>,
    pub(super) effect: DefinedEffect,
    pub(super) error: ErrorType,
    /// The field; empty for the one that the expression names.
    pub(super) field: String,
}

impl Check {
    /// Reports whether a version of the extension has the validation.
    pub(super) fn is_of(&self, version: ExtensionVersion) -> bool {
        self.since.is_none_or(|it| it <= version) && self.until.is_none_or(|it| it >= version)
    }
}

impl CompiledConfiguration {
    /// Reports whether objects of a kind contain it.
    pub(super) fn is_in(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }
}

impl CompiledExtension {
    /// Compiles a definition, whose findings have an id, and whose validations may use the names of an environment.
    ///
    /// # Errors
    /// Fails with all reasons, which may begin with a field in backticks.
    pub(in crate::policies) fn of(
        definition: &ExtensionDefinition,
        id: &'static str,
        environment: &Environment,
    ) -> Result<Self, Vec<String>> {
        let mut compiler = Compiler { errors: Vec::new(), spec: &definition.spec, environment };
        let extension = compiler.extension(&definition.metadata.name);
        let configurations = compiler.configurations();
        let rules = compiler.rules(id, &configurations);
        let settings = compiler.settings();
        match extension {
            Some(extension) if compiler.errors.is_empty() => Ok(Self {
                extension,
                resources: compiler.resources(),
                settings,
                configurations,
                rules,
            }),
            _ => Err(compiler.errors),
        }
    }

    /// Returns the name of the extension.
    pub(in crate::policies) fn name(&self) -> &'static str {
        self.extension.name
    }

    /// Reports whether another definition has one of its kinds and types.
    pub(in crate::policies) fn shares_type(&self, other: &Self) -> bool {
        self.resources.iter().any(|it| other.resources.contains(it))
    }

    /// Reports whether it has one of these kinds and types.
    pub(in crate::policies) fn is_one_of<'t>(
        &self,
        mut types: impl Iterator<Item = (&'static str, &'t str)>,
    ) -> bool {
        types.any(|(kind, class)| {
            self.resources.iter().any(|(own_kind, own)| own_kind == kind && own == class)
        })
    }

    /// Returns the aspects of configurations that are not judged.
    pub(in crate::policies) fn not_judged(&self) -> impl Iterator<Item = &str> {
        self.configurations.iter().map(|it| it.not_judged.as_str()).filter(|it| !it.is_empty())
    }

    /// Returns the compiled conditions and validations.
    pub(in crate::policies) fn policies(&self) -> impl Iterator<Item = &CompiledPolicy> {
        self.rules.iter().map(|(_, it)| &it.policy)
    }
}

struct Compiler<'d> {
    errors: Vec<String>,
    spec: &'d ExtensionDefinitionSpec,
    /// The names that validations may use.
    environment: &'d Environment,
}

impl Compiler<'_> {
    fn error(&mut self, field: impl Display, why: impl Display) {
        let error = format!("`{field}` {why}");
        // An error may be found once for each kind of objects.
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    fn resources(&self) -> Vec<(String, String)> {
        self.spec.resources.iter().map(|it| (it.kind.clone(), it.class.clone())).collect()
    }

    fn extension(&mut self, name: &str) -> Option<Extension> {
        let spec = self.spec;
        if name.is_empty() {
            self.error("metadata.name", "is required; write the name of the extension");
        }
        if spec.resources.is_empty() {
            let why = "is required; list the kinds and types of the extension, as in its ControllerRegistration";
            self.error("spec.resources", why);
        }
        for (index, it) in spec.resources.iter().enumerate() {
            if !RESOURCES.contains(&&*it.kind) {
                let why = format!("is not one of {}", RESOURCES.join(", "));
                self.error(format!("spec.resources[{index}].kind"), why);
            }
            if it.class.is_empty() {
                let why =
                    "is required; write the type that objects name, as in `spec.extensions[].type`";
                self.error(format!("spec.resources[{index}].type"), why);
            }
            let own = EXTENSIONS.iter().find(|own| own.resource == (&*it.kind, &*it.class));
            if let Some(own) = own {
                let why = format!(
                    "is the type of `{}`, whose rules are part of garden-gate; remove it",
                    own.name
                );
                self.error(format!("spec.resources[{index}].type"), why);
            }
            if spec
                .resources
                .iter()
                .take(index)
                .any(|other| other.kind == it.kind && other.class == it.class)
            {
                self.error(format!("spec.resources[{index}]"), "is a duplicate; remove it");
            }
        }
        let oldest = self.version("spec.versions.oldest", &spec.versions.oldest);
        let newest = self.version("spec.versions.newest", &spec.versions.newest);
        let (oldest, newest) = (oldest?, newest?);
        if oldest > newest {
            self.error("spec.versions.oldest", "is newer than `newest`; exchange them");
        }
        if spec.admission.as_ref().is_some_and(|it| it.name.is_empty()) {
            let why = "is required; write the name of the component, or remove `admission` if nothing refuses requests";
            self.error("spec.admission.name", why);
        }
        let resource = spec.resources.first()?;
        let admission = spec.admission.as_ref();
        let names = [
            name,
            spec.repository.trim_start_matches("https://"),
            &resource.kind,
            &resource.class,
            admission.map_or("", |it| &it.name),
            admission.map_or("", |it| &it.webhooks),
        ];
        let [Some(name), Some(component), Some(kind), Some(class), Some(admitting), Some(webhooks)] =
            names.map(kept)
        else {
            self.error("spec", "has a name that is too long");
            return None;
        };
        Some(Extension {
            name,
            component,
            resource: (kind, class),
            admission: admission.map(|_| admitting),
            webhooks,
            versions: [oldest, newest],
            configurations: &[],
        })
    }

    fn version(&mut self, field: &str, text: &str) -> Option<ExtensionVersion> {
        let version = ExtensionVersion::parse(text);
        if let Err(why) = &version {
            self.error(
                field,
                format!("is not valid: {why}; write a minor version such as \"1.18\""),
            );
        }
        version.ok()
    }

    /// Returns the kinds of objects; Shoots by default.
    fn kinds(&mut self, field: &str, names: &[String]) -> Vec<Kind> {
        let mut kinds = Vec::new();
        for (index, name) in names.iter().enumerate() {
            match KINDS.into_iter().find(|it| it.as_str() == name) {
                Some(kind) => kinds.push(kind),
                None => {
                    let known = KINDS.map(Kind::as_str).join(", ");
                    self.error(format!("{field}[{index}]"), format!("is not one of {known}"));
                }
            }
        }
        if names.is_empty() { vec![Kind::Shoot] } else { kinds }
    }

    fn settings(&mut self) -> Map<String, Value> {
        if self.spec.settings.is_null() {
            return Map::default();
        }
        match VersionedSchema::of(&self.spec.settings) {
            Ok(_) => self.spec.settings_with_defaults(),
            Err((place, why)) => {
                self.error(format!("spec.settings{place}"), why);
                Map::default()
            }
        }
    }

    fn configurations(&mut self) -> Vec<CompiledConfiguration> {
        if self.spec.configurations.len() > MOST_CONFIGURATIONS {
            let why = format!("has more than {MOST_CONFIGURATIONS} entries; divide the definition");
            self.error("spec.configurations", why);
            return Vec::new();
        }
        let all = self.spec.configurations.iter().enumerate();
        all.filter_map(|(index, it)| self.configuration(index, it)).collect()
    }

    fn configuration(
        &mut self,
        index: usize,
        it: &DefinedConfiguration,
    ) -> Option<CompiledConfiguration> {
        let place = format!("spec.configurations[{index}]");
        let kinds = self.kinds(&format!("{place}.kinds"), &it.kinds);
        if it.header != Header::Ignored {
            let missing = [
                ("group", it.group.is_empty()),
                ("versions", it.versions.is_empty()),
                ("kind", it.kind.is_empty()),
            ];
            for (field, _) in missing.into_iter().filter(|(_, is_missing)| *is_missing) {
                let why = "is required; write what the header of the configuration has, or `header: Ignored`";
                self.error(format!("{place}.{field}"), why);
            }
        }
        if !self.spec.resources.iter().any(|resource| resource.class == it.class) {
            self.error(
                format!("{place}.type"),
                "is not a type of `spec.resources`; write one of them",
            );
        }
        let schema = match VersionedSchema::of(&it.schema) {
            Ok(schema) => schema,
            Err((field, why)) => {
                self.error(format!("{place}.schema{field}"), why);
                return None;
            }
        };
        self.expressions(&schema.whole(), &format!("{place}.schema"));
        Some(CompiledConfiguration {
            place: it.field,
            class: it.class.clone(),
            kinds,
            is_required: it.required,
            is_strict: it.strict,
            header: it.header,
            effect: self.spec.effect(it.effect),
            group: it.group.clone(),
            versions: it.versions.clone(),
            kind: it.kind.clone(),
            schema,
            not_judged: it.not_judged.clone(),
        })
    }

    /// Checks the rules in CEL of a schema.
    fn expressions(&mut self, schema: &Schema, place: &str) {
        for (index, it) in schema.rules.iter().enumerate() {
            let old_self = if it.optional_old_self { OldSelf::Optional } else { OldSelf::Value };
            let environment = Environment::custom_resource(old_self);
            let expressions = [("rule", &it.rule), ("messageExpression", &it.message_expression)];
            for (field, text) in
                expressions.into_iter().filter(|(field, text)| *field == "rule" || !text.is_empty())
            {
                if let Err(why) = Expression::compile_as(text, &[ResultType::Any], &environment) {
                    let field = format!("{place}.x-kubernetes-validations[{index}].{field}");
                    self.error(field, format!("does not compile: {why}"));
                }
            }
        }
        for (name, inner) in &schema.properties {
            self.expressions(inner, &format!("{place}.properties.{name}"));
        }
        for (keyword, inner) in
            [("items", schema.items.as_deref()), ("additionalProperties", schema.values_of_map())]
        {
            if let Some(inner) = inner {
                self.expressions(inner, &format!("{place}.{keyword}"));
            }
        }
    }

    /// Compiles the conditions and validations for the kinds of objects that the extension judges.
    ///
    /// The conditions of a definition that judges nothing are compiled for Shoots, so that their errors are found.
    fn rules(
        &mut self,
        id: &'static str,
        configurations: &[CompiledConfiguration],
    ) -> Vec<(Kind, KindRules)> {
        let mut of_kinds: Vec<(Vec<Kind>, usize, &DefinedValidation)> = Vec::new();
        for (index, it) in self.spec.validations.iter().enumerate() {
            let kinds = self.kinds(&format!("spec.validations[{index}].kinds"), &it.kinds);
            of_kinds.push((kinds, index, it));
        }
        let mut rules = Vec::new();
        for kind in KINDS {
            let own = of_kinds.iter().filter(|(kinds, ..)| kinds.contains(&kind));
            let own: Vec<_> = own.map(|(_, index, it)| (*index, *it)).collect();
            if !own.is_empty() || configurations.iter().any(|it| it.is_in(kind)) {
                rules.extend(self.rules_of(id, &own).map(|it| (kind, it)));
            }
        }
        if rules.is_empty() {
            rules.extend(self.rules_of(id, &[]).map(|it| (Kind::Shoot, it)));
        }
        rules
    }

    fn rules_of(
        &mut self,
        id: &'static str,
        own: &[(usize, &DefinedValidation)],
    ) -> Option<KindRules> {
        let checks: Vec<Check> = own.iter().map(|(index, it)| self.check(*index, it)).collect();
        let given = VARIABLES.iter().map(|name| PolicyVariable {
            name: (*name).to_owned(),
            expression: format!("params.{name}"),
        });
        let source = AdmissionPolicy {
            metadata: ObjectMeta::default(),
            spec: AdmissionPolicySpec {
                match_conditions: self.spec.match_conditions.clone(),
                variables: given.chain(self.spec.variables.iter().cloned()).collect(),
                validations: own
                    .iter()
                    .map(|(_, it)| Validation {
                        expression: it.expression.clone(),
                        message: it.message.clone(),
                        ..Validation::default()
                    })
                    .collect(),
                ..AdmissionPolicySpec::default()
            },
            unknown_field: None,
        };
        let environment = self.environment.clone().with_params();
        match CompiledPolicy::with(&Arc::new(source), id, environment) {
            Ok(policy) => Some(KindRules { policy, checks }),
            Err(flaws) => {
                for flaw in flaws {
                    let error = with_own_index(flaw.plain(), own);
                    if !self.errors.contains(&error) {
                        self.errors.push(error);
                    }
                }
                None
            }
        }
    }

    fn check(&mut self, index: usize, it: &DefinedValidation) -> Check {
        let place = format!("spec.validations[{index}]");
        let mut version = |field: &str, text: &Option<String>| {
            let text = text.as_deref()?;
            self.version(&format!("{place}.{field}"), text)
        };
        let [since, until] = [version("since", &it.since), version("until", &it.until)];
        if it.message.trim().is_empty() {
            self.error(format!("{place}.message"), "is required; say what is wrong");
        }
        let reason = REASONS.iter().find(|(name, _)| *name == it.reason);
        if reason.is_none() && !it.reason.is_empty() {
            let names: Vec<&str> = REASONS.iter().map(|(name, _)| *name).collect();
            self.error(format!("{place}.reason"), format!("is not one of {}", names.join(", ")));
        }
        Check {
            since,
            until,
            effect: self.spec.effect(it.effect),
            error: reason.map_or(ErrorType::Invalid, |(_, error)| *error),
            field: it.field.clone(),
        }
    }
}

/// Replaces the index of a validation or variable in an error by that in the definition.
fn with_own_index(error: String, own: &[(usize, &DefinedValidation)]) -> String {
    let parts = |start: &str| {
        let (number, rest) = error.strip_prefix(start)?.split_once(']')?;
        Some((number.parse::<usize>().ok()?, rest.to_owned()))
    };
    let (validations, variables) = ("`spec.validations[", "`spec.variables[");
    if let Some((number, rest)) = parts(validations)
        && let Some((index, _)) = own.get(number)
    {
        return format!("{validations}{index}]{rest}");
    }
    if let Some((number, rest)) = parts(variables)
        && let Some(index) = number.checked_sub(VARIABLES.len())
    {
        return format!("{variables}{index}]{rest}");
    }
    error
}
