// SPDX-License-Identifier: Apache-2.0
use serde::de::DeserializeOwned;

use super::component::Component;
use super::failure::{Failure, path};
use crate::admission::{FieldPath, Findings, Help, Remedy};
use crate::rules::object::hint::hint;
use crate::rules::object::listed::path_below;
use crate::rules::object::wrong_type;
use crate::rules::shared::lists::short;
use garden_gate_model::api::extensions::{Configuration, EXTENSIONS, Header};
use garden_gate_model::api::{Described, Step, StrictErrors};
use garden_gate_model::gardener::extensions::{Document, DocumentHeader};
use garden_gate_text::json::without_position;

impl Component<'_, '_> {
    /// Decodes a configuration; if that is impossible, reports each reason at its position.
    ///
    /// Absent fields are not defaulted.
    pub(crate) fn decode<T: DeserializeOwned>(
        &self,
        document: &Document<'_>,
        failure: &Failure,
        findings: &mut Findings,
    ) -> Option<T> {
        if !self.check(document, failure, findings) {
            return None;
        }
        decoded_or_reported(document.decode(), document, failure, findings)
    }

    /// Decodes a configuration like [`Self::decode`], but ignores unknown fields, and uses the last of repeated ones.
    pub(crate) fn decode_leniently<T: DeserializeOwned>(
        &self,
        document: &Document<'_>,
        failure: &Failure,
        findings: &mut Findings,
    ) -> Option<T> {
        if !self.check_as(document, true, failure, findings) {
            return None;
        }
        decoded_or_reported(document.decode_leniently(), document, failure, findings)
    }

    /// Reports whether a configuration can be decoded, and each reason why it cannot.
    pub(crate) fn check(
        &self,
        document: &Document<'_>,
        failure: &Failure,
        findings: &mut Findings,
    ) -> bool {
        self.check_as(document, false, failure, findings)
    }

    fn check_as(
        &self,
        document: &Document<'_>,
        is_lenient: bool,
        failure: &Failure,
        findings: &mut Findings,
    ) -> bool {
        let place = path(document);
        let Some(configuration) = self.configuration(document) else {
            return true;
        };
        if !document.text.starts_with('{') {
            let message = "an object with fields is expected";
            say(failure, place, message.to_owned(), example(configuration), findings);
            return false;
        }
        // A header with other values than strings is reported with the other fields.
        if let Ok(header) = document.header() {
            match check_header(document, configuration, &header, failure, findings) {
                HeaderCheck::Right => {}
                HeaderCheck::NothingIsDecoded => return true,
                HeaderCheck::Wrong => return false,
            }
        }
        let is_strict = configuration.is_strict && !is_lenient;
        self.check_fields(document, configuration, is_strict, failure, findings)
    }

    /// Returns the declaration of a configuration of this extension.
    fn configuration(&self, document: &Document<'_>) -> Option<&'static Configuration> {
        let mut all = self.extension.configurations.iter();
        all.find(|it| it.place == document.place && it.class == document.class)
    }

    fn check_fields(
        &self,
        document: &Document<'_>,
        configuration: &'static Configuration,
        is_strict: bool,
        failure: &Failure,
        findings: &mut Findings,
    ) -> bool {
        let (place, object) = (path(document), configuration.object);
        let version = self.run.version.as_declared();
        let errors = StrictErrors::of(&document.text, object, version);
        let mut is_right = errors.wrong.count == 0;
        for (steps, (shape, written)) in &errors.wrong.first {
            let expected = wrong_type::expected(*shape);
            let message =
                format!("{expected} is expected, but this is {}", wrong_type::found(*written));
            let help = wrong_type::help(wrong_type::field(object, steps), *shape, *written);
            say(failure, path_below(place.clone(), steps), message, help, findings);
        }
        if !is_strict {
            return is_right;
        }
        let described = Described {
            kind: configuration.kind,
            group: configuration.group,
            version: configuration.versions.last().copied().unwrap_or_default(),
            object,
        };
        for (steps, owner) in &errors.unknown.first {
            let Some(Step::Unknown(name)) = steps.last() else {
                continue;
            };
            let field = path_below(place.clone(), steps);
            let known = owner.field(name).map(|it| it.versions);
            let (message, help) = match known {
                Some(_) => (
                    format!(
                        "`{}` of version {} has no `{name}`",
                        self.extension.name, self.run.version
                    ),
                    Help::remove("remove it, or update the extension"),
                ),
                None => (
                    format!("`{}` is no field of {}", short(name), owner.name),
                    hint((&described, version), owner, steps, name),
                ),
            };
            if self.run.is_newer_than_known && known.is_none() {
                findings.undetermined(
                    &field,
                    format!(
                        "{message}, unless a newer version of `{}` has it",
                        self.extension.name
                    ),
                );
                continue;
            }
            say(failure, field, message, help, findings);
            is_right = false;
        }
        for (steps, count) in &errors.repeated.first {
            let message = format!("the field is set {count} times");
            say(failure, path_below(place.clone(), steps), message, "keep one of them", findings);
            is_right = false;
        }
        is_right
    }
}

fn check_header(
    document: &Document<'_>,
    configuration: &'static Configuration,
    header: &DocumentHeader,
    failure: &Failure,
    findings: &mut Findings,
) -> HeaderCheck {
    let place = path(document);
    let names = document.field_names().unwrap_or_default();
    if configuration.header == Header::ApiVersion && header.api_version.is_empty() {
        if !configuration.is_strict {
            // All fields are unknown, and ignored.
            return HeaderCheck::NothingIsDecoded;
        }
        if names.iter().any(|it| it.starts_with(char::is_uppercase)) {
            let message = "without `apiVersion`, the extension expects the names of fields in Go, which are not judged";
            findings.undetermined(&place, message);
            return HeaderCheck::Wrong;
        }
    }
    let Configuration { kind, group, versions, header: needed, .. } = *configuration;
    let expected = ExpectedHeader { kind, group, versions, header: needed };
    match wrong_header(expected, header, !names.is_empty()) {
        None => HeaderCheck::Right,
        Some((field, message, help)) => {
            say(failure, place.child(field), message, help, findings);
            HeaderCheck::Wrong
        }
    }
}

fn decoded_or_reported<T>(
    decoded: serde_json::Result<T>,
    document: &Document<'_>,
    failure: &Failure,
    findings: &mut Findings,
) -> Option<T> {
    let report = |error: serde_json::Error| {
        let message = format!("it cannot be decoded: {}", without_position(&error));
        say(failure, path(document), message, "", findings);
    };
    decoded.map_err(report).ok()
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

/// The header that an extension expects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpectedHeader<'c> {
    pub(crate) kind: &'c str,
    pub(crate) group: &'c str,
    pub(crate) versions: &'c [&'c str],
    pub(crate) header: Header,
}

/// Returns the field of the header that cannot be decoded, with a message and help.
pub(crate) fn wrong_header(
    expected: ExpectedHeader<'_>,
    written: &DocumentHeader,
    has_fields: bool,
) -> Option<(&'static str, String, Help)> {
    let ExpectedHeader { kind, versions, .. } = expected;
    let newest = versions.last().copied().unwrap_or_default();
    let api_version = format!("{}/{newest}", expected.group);
    let needs_version = match expected.header {
        Header::Required => true,
        Header::ApiVersion => has_fields,
        Header::Optional => false,
        Header::Ignored => return None,
    };
    let needs_kind = expected.header == Header::Required;
    let (group, version) =
        written.api_version.split_once('/').unwrap_or(("", &written.api_version));
    let missing = |field: &'static str, value: &str| {
        let message = format!("`{field}` is not set");
        let help = Help::set(format!("set `{field}: {value}`"), value);
        Some((field, message, help))
    };
    match (written.api_version.as_str(), written.kind.as_str()) {
        ("", _) if needs_version => missing("apiVersion", &api_version),
        (_, "") if needs_kind => missing("kind", kind),
        (_, other) if !other.is_empty() && other != kind => Some((
            "kind",
            format!("`{}` is not the kind `{kind}`", short(other)),
            Help::set(format!("set `kind: {kind}`"), kind),
        )),
        ("", _) => None,
        _ if group != expected.group => {
            let owner = owner(group).map(|it| format!(", but of `{it}`")).unwrap_or_default();
            Some((
                "apiVersion",
                format!("`{}` is no API group of this extension{owner}", short(group)),
                Help::set(format!("set `apiVersion: {api_version}`"), api_version.as_str()),
            ))
        }
        _ if !versions.contains(&version) => Some((
            "apiVersion",
            format!("`{}` is no version of `{}`", short(version), expected.group),
            Help::set(format!("set `apiVersion: {api_version}`"), api_version.as_str()),
        )),
        _ => None,
    }
}

/// Returns the name of the extension with this API group.
fn owner(group: &str) -> Option<&'static str> {
    let mut all = EXTENSIONS.iter();
    let owner = all.find(|it| it.configurations.iter().any(|it| it.group == group));
    owner.map(|it| it.name)
}

fn example(configuration: &Configuration) -> String {
    let (kind, api_version) = (configuration.kind, configuration.api_version());
    format!("begin with `apiVersion: {api_version}` and `kind: {kind}`")
}

fn say(
    failure: &Failure,
    place: FieldPath,
    message: String,
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    let mut help = help.into();
    // Its target is relative to the configuration.
    if matches!(help.remedy, Some(Remedy::Move(..))) {
        help.remedy = None;
    }
    findings
        .report(failure.kind, failure.error, failure.field.clone(), message)
        .at(&place)
        .help(help);
}
