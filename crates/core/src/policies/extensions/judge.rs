// SPDX-License-Identifier: Apache-2.0
//! The judgement of an object that uses an extension.

use std::sync::Arc;

use super::super::evaluation::{Inputs, Refusal, evaluate, meets_conditions};
use super::super::matching::Matching;
use super::super::objects::AdmittedObjects;
use super::super::position::Search;
use super::compiled::{Check, CompiledConfiguration, CompiledExtension, KindRules};
use super::findings::{ExtensionFindings, JudgedConfiguration, Violated};
use super::values::Values;
use crate::admission::{ErrorType, ExtensionUse, FieldPath, Request, World};
use crate::config::Config;
use crate::custom_resources::{Decoded, UnknownField, validate_part};
use crate::rules::{ExpectedHeader, short, violation_help, violation_message, wrong_header};
use garden_gate_cel::Value;
use garden_gate_model::api::extensions::{ConfigurationPlace, DefinedEffect, Extension, Header};
use garden_gate_model::api::{Kind, Schema};
use garden_gate_model::gardener::extensions::{Document, Documents};
use garden_gate_text::nearest::did_you_mean;

/// The objects of a request, with the configurations in them.
#[derive(Clone, Copy)]
pub(in crate::policies) struct JudgedObjects<'a> {
    pub(in crate::policies) request: &'a Request<'a>,
    pub(in crate::policies) world: &'a World<'a>,
    pub(in crate::policies) objects: &'a AdmittedObjects,
    /// The configurations of the new and the stored object.
    pub(in crate::policies) documents: &'a [Documents<'a>; 2],
}

/// A configuration that is decoded with the schema of a version.
struct DecodedConfiguration<'a> {
    declared: &'a CompiledConfiguration,
    document: &'a Document<'a>,
    schema: Arc<Schema>,
    decoded: Decoded,
}

/// Judges the new object of a request as an extension does; `None` if the extension does not judge its kind.
pub(in crate::policies) fn judge<'a>(
    (defined, id): (&CompiledExtension, &'static str),
    seen: JudgedObjects<'a>,
    inputs: &mut Inputs<'_>,
) -> Option<ExtensionFindings<'a>> {
    let kind = seen.request.kind()?;
    let run = ExtensionUse::of(&defined.extension, seen.world.config, seen.world.garden);
    let (_, rules) = defined.rules.iter().find(|(it, _)| *it == kind)?;
    let mut findings = ExtensionFindings::new(id, seen.world.config, run.not_registered.clone());
    let configurations = configurations(defined, kind, seen.documents, &run);
    findings.configurations =
        configurations.iter().map(|it| noted(it, (&defined.extension, &run))).collect();
    if run.is_older_than_known {
        return Some(findings);
    }
    let entry = entry(defined, seen.objects);
    let settings = settings(defined, seen.world.config);
    let mut values = Values::new(run.version, settings, entry.map(|(_, it)| it));
    for it in &configurations {
        values.set_configurations(it.declared.place, it.decoded.values(&it.schema));
    }
    inputs.params = values.to_params();
    match meets_conditions(&rules.policy, inputs) {
        Matching::Yes => {}
        Matching::No => return Some(findings),
        Matching::Unknown(why) | Matching::Failed(why) => {
            let name = defined.extension.name;
            let why = format!("cannot tell whether `{name}` judges the object: {why}");
            findings.undetermined(DefinedEffect::Deny, String::new(), why);
            findings.is_judged = true;
            return Some(findings);
        }
    }
    findings.is_judged = true;
    let mut is_refused = false;
    for declared in defined.configurations.iter().filter(|it| it.is_in(kind)) {
        let mut own =
            configurations.iter().filter(|it| std::ptr::eq(it.declared, declared)).peekable();
        if own.peek().is_none() && declared.is_required && kind != Kind::NamespacedCloudProfile {
            findings.add(declared.effect, missing(declared, defined));
            is_refused |= declared.effect == DefinedEffect::Deny;
        }
        for it in own {
            if inputs.account.exceeded().is_some() {
                let why =
                    "the configuration is not judged: the limit on the evaluation is exceeded";
                findings.undetermined(
                    declared.effect,
                    path(it.document).to_string(),
                    why.to_owned(),
                );
                continue;
            }
            let (is_decoded, cost) = check(it, (defined.extension.name, &run), &mut findings);
            inputs.account.spend(cost);
            if !is_decoded && declared.effect == DefinedEffect::Warn {
                values.ignore(declared.place);
            }
            is_refused |= !is_decoded && declared.effect == DefinedEffect::Deny;
        }
    }
    // The component does not see more than it can decode.
    if !is_refused {
        inputs.params = values.to_params();
        let index = entry.map(|(index, _)| index);
        validate((rules, &run), (&seen, index), inputs, &mut findings);
    }
    Some(findings)
}

/// Notes that a configuration is judged, and what of it is not.
fn noted(
    it: &DecodedConfiguration<'_>,
    (extension, run): (&Extension, &ExtensionUse),
) -> JudgedConfiguration {
    let not_judged = if run.is_older_than_known {
        extension.why_older_are_not_judged()
    } else {
        it.declared.not_judged.clone()
    };
    JudgedConfiguration { pointer: it.document.pointer(), not_judged }
}

/// Evaluates the validations.
fn validate(
    (rules, run): (&KindRules, &ExtensionUse),
    (seen, index): (&JudgedObjects<'_>, Option<usize>),
    inputs: &Inputs<'_>,
    findings: &mut ExtensionFindings<'_>,
) {
    let evaluated = evaluate(&rules.policy, inputs);
    let check = |validation: Option<usize>| rules.checks.get(validation?);
    let is_of = |check: Option<&Check>| check.is_none_or(|it| it.is_of(run.version));
    // An expression about a value that the schema refuses may fail.
    let is_invalid = !findings.findings.is_empty();
    for refusal in evaluated.refusals {
        let check = check(refusal.validation);
        if is_of(check) && !(is_invalid && refusal.is_error) {
            let effect = check.map_or(DefinedEffect::Deny, |it| it.effect);
            findings.add(effect, violated(&refusal, check, (rules, seen, index), inputs));
        }
    }
    for (validation, why) in evaluated.undetermined {
        let check = check(validation);
        if is_of(check) {
            let effect = check.map_or(DefinedEffect::Deny, |it| it.effect);
            let field = check.map(|it| field(&it.field, index).to_string()).unwrap_or_default();
            findings.undetermined(effect, field, format!("a rule is not decided: {why}"));
        }
    }
}

fn violated(
    refusal: &Refusal,
    check: Option<&Check>,
    (rules, seen, index): (&KindRules, &JudgedObjects<'_>, Option<usize>),
    inputs: &Inputs<'_>,
) -> Violated {
    let error = check.map_or(ErrorType::Invalid, |it| it.error);
    let message = refusal.message.as_str();
    let validation = refusal.validation.and_then(|it| rules.policy.validations.get(it));
    let named = check.filter(|it| !it.field.is_empty());
    let field = match (named, validation) {
        (Some(check), _) => field(&check.field, index),
        (None, Some(validation)) => {
            let (policy, expression) = (&rules.policy, &validation.expression);
            Search { policy, expression, objects: seen.objects, inputs }.field().0
        }
        (None, None) => FieldPath::root(),
    };
    Violated::new(error, &field, message)
}

/// Returns the path of a field whose `[]` is the entry of `spec.extensions`.
fn field(dotted: &str, index: Option<usize>) -> FieldPath {
    dotted.split('.').fold(FieldPath::root(), |path, step| match step.strip_suffix("[]") {
        Some(name) => {
            let list = path.child_called(name);
            index.map_or_else(|| list.any_index(), |index| list.index(index))
        }
        None => path.child_called(step),
    })
}

/// Returns the violation of a required configuration that is absent.
fn missing(declared: &CompiledConfiguration, defined: &CompiledExtension) -> Violated {
    let place = match declared.place {
        ConfigurationPlace::Infrastructure => "spec.provider.infrastructureConfig",
        ConfigurationPlace::ControlPlane => "spec.provider.controlPlaneConfig",
        ConfigurationPlace::Network => "spec.networking.providerConfig",
        ConfigurationPlace::Extension => "spec.extensions[].providerConfig",
        ConfigurationPlace::CloudProfile => "spec.providerConfig",
        ConfigurationPlace::SeedProvider => "spec.provider.providerConfig",
        ConfigurationPlace::Backup => "spec.backup.providerConfig",
        ConfigurationPlace::Worker
        | ConfigurationPlace::MachineImage
        | ConfigurationPlace::ContainerRuntime => "spec.provider.workers",
    };
    let message =
        format!("`{}` requires the configuration `{}`", defined.extension.name, declared.kind);
    let version = declared.versions.last().map_or("", String::as_str);
    let (group, kind) = (&declared.group, &declared.kind);
    let help = format!("add it, with `apiVersion: {group}/{version}` and `kind: {kind}`");
    Violated::new(ErrorType::Required, &field(place, None), message).help(help)
}

/// Returns the settings of the landscape; those that the configuration omits have their defaults.
fn settings(defined: &CompiledExtension, config: &Config) -> Value {
    let mut settings = defined.settings.clone();
    let set = config.extensions.get(defined.extension.name).map(|it| &it.settings);
    for (name, value) in set.into_iter().flatten() {
        settings.insert(name.clone(), value.clone());
    }
    Value::from_json(&settings.into())
}

/// Returns the first entry of `spec.extensions` for the extension, with its index.
fn entry<'a>(
    defined: &CompiledExtension,
    objects: &'a AdmittedObjects,
) -> Option<(usize, &'a Value)> {
    let entries = objects.new_object()?.at(&["spec", "extensions"])?.elements();
    let is_own = |it: &Value| {
        let class = it.field("type").and_then(Value::as_str).unwrap_or_default();
        defined.is_one_of(std::iter::once(("Extension", class)))
    };
    entries.iter().enumerate().find(|(_, it)| is_own(it))
}

/// Decodes the configurations of an extension.
fn configurations<'a>(
    defined: &'a CompiledExtension,
    kind: Kind,
    [new, old]: &'a [Documents<'a>; 2],
    run: &ExtensionUse,
) -> Vec<DecodedConfiguration<'a>> {
    let mut found = Vec::new();
    for declared in defined.configurations.iter().filter(|it| it.is_in(kind)) {
        let is_own = |it: &&Document<'_>| it.place == declared.place && it.class == declared.class;
        let is_single = !matches!(
            declared.place,
            ConfigurationPlace::Worker
                | ConfigurationPlace::MachineImage
                | ConfigurationPlace::ContainerRuntime
        );
        let most = if is_single { 1 } else { usize::MAX };
        let stored = old.all.iter().find(is_own).filter(|_| is_single);
        for document in new.all.iter().filter(is_own).take(most) {
            let schema = declared.schema.at(run.version);
            let old = stored.map(|it| &*it.text);
            let decoded = Decoded::of_part(&schema, &document.text, old);
            found.push(DecodedConfiguration { declared, document, schema, decoded });
        }
    }
    found
}

/// Reports the violations of a configuration; returns whether it can be decoded, and the cost.
fn check(
    it: &DecodedConfiguration<'_>,
    (name, run): (&str, &ExtensionUse),
    findings: &mut ExtensionFindings<'_>,
) -> (bool, u64) {
    let (place, effect) = (path(it.document), it.declared.effect);
    if !it.document.text.starts_with('{') {
        let message = "an object with fields is expected";
        findings.add(effect, Violated::new(ErrorType::Decode, &place, message));
        return (false, 0);
    }
    match check_header(it, &place, findings) {
        HeaderCheck::Right => {}
        HeaderCheck::NothingIsDecoded => return (true, 0),
        HeaderCheck::Wrong => return (false, 0),
    }
    let mut is_decoded = true;
    if it.declared.is_strict {
        for field in &it.decoded.unknown {
            let violated = unknown_field(field, it, (name, run)).below(&place);
            if run.is_newer_than_known {
                let why =
                    format!("{}, unless a newer version of `{name}` has it", violated.message);
                findings.undetermined(effect, violated.field.0, why);
            } else {
                findings.add(effect, violated);
                is_decoded = false;
            }
        }
        for (field, _, count) in &it.decoded.repeated {
            let message = format!("the field is set {count} times");
            let violated = Violated::new(ErrorType::Decode, field, message);
            findings.add(effect, violated.help("keep one of them").below(&place));
            is_decoded = false;
        }
    }
    let (validated, cost) = validate_part(&it.decoded, &it.schema);
    for violation in validated.form.first.iter().chain(&validated.rules.first) {
        let message = violation_message(violation);
        let violated = Violated::new(violation.error, &violation.path, message);
        let violated = violated.help(violation_help(violation)).below(&place);
        findings.add(effect, Violated { value: violation.value.clone(), ..violated });
    }
    for (field, why) in validated.undetermined {
        let field = Violated::new(ErrorType::Invalid, &field, "").below(&place).field.0;
        findings.undetermined(effect, field, why);
        is_decoded = false;
    }
    (is_decoded && validated.form.first.is_empty(), cost)
}

/// The result of the check of a header.
enum HeaderCheck {
    /// The fields are decoded.
    Right,
    /// The extension decodes nothing, and accepts that.
    NothingIsDecoded,
    /// A finding reports it.
    Wrong,
}

fn check_header(
    it: &DecodedConfiguration<'_>,
    place: &FieldPath,
    findings: &mut ExtensionFindings<'_>,
) -> HeaderCheck {
    let declared = it.declared;
    // A header with other values than strings is invalid for the schema, too.
    let Ok(header) = it.document.header() else { return HeaderCheck::Right };
    let names = it.document.field_names().unwrap_or_default();
    if declared.header == Header::ApiVersion && header.api_version.is_empty() && !declared.is_strict
    {
        // All fields are unknown, and ignored.
        return HeaderCheck::NothingIsDecoded;
    }
    let versions: Vec<&str> = declared.versions.iter().map(String::as_str).collect();
    let expected = ExpectedHeader {
        kind: &declared.kind,
        group: &declared.group,
        versions: &versions,
        header: declared.header,
    };
    match wrong_header(expected, &header, !names.is_empty()) {
        None => HeaderCheck::Right,
        Some((field, message, help)) => {
            let violated = Violated::new(ErrorType::Decode, &place.child(field), message);
            findings.add(declared.effect, violated.help(help));
            HeaderCheck::Wrong
        }
    }
}

/// Returns the violation of an unknown field.
fn unknown_field(
    field: &UnknownField,
    it: &DecodedConfiguration<'_>,
    (name, run): (&str, &ExtensionUse),
) -> Violated {
    let owner = inside(&it.schema, &field.names);
    let is_of_other_version = inside(&it.declared.schema.whole(), &field.names)
        .is_some_and(|it| it.properties.contains_key(&field.name));
    let shown = short(&field.name);
    let (message, help) = if is_of_other_version {
        let message = format!("`{name}` of version {} has no `{shown}`", run.version);
        (message, "remove it, or use another version of the extension".to_owned())
    } else {
        let names: Vec<&str> =
            owner.map(|it| it.properties.keys().map(String::as_str).collect()).unwrap_or_default();
        let help = did_you_mean(&field.name, &names);
        let of = field.names.last().map_or(it.declared.kind.as_str(), String::as_str);
        let message = format!("`{shown}` is no field of `{}`", short(of));
        (message, help.unwrap_or_else(|| format!("the fields are {}", names.join(", "))))
    };
    Violated::new(ErrorType::Decode, &field.path, message).help(help)
}

/// Returns the schema of the object to which names of fields lead.
fn inside<'s>(schema: &'s Schema, names: &[String]) -> Option<&'s Schema> {
    let mut schema = schema;
    for name in names {
        schema = schema.field(name)?;
        while let Some(items) = schema.items.as_deref() {
            schema = items;
        }
    }
    Some(schema)
}

/// Returns the path of a configuration in its object.
fn path(document: &Document<'_>) -> FieldPath {
    FieldPath::of_pointer(&document.pointer())
}
