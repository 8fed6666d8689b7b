// SPDX-License-Identifier: Apache-2.0
//! A configuration of an API server that a request makes gardener-admission-controller validate.

use serde::de::DeserializeOwned;

use super::findings::{MISSING, NO_KEY, UNDECODABLE};
use super::problem::Problem;
use super::purpose::Purpose;
use crate::admission::ErrorType::{Decode, Denied};
use crate::admission::{Change, Context, FieldPath, Findings};
use crate::rules::object::listed::path_below;
use crate::rules::object::wrong_type;
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{ObjectKey, Shoot, StrictErrors};
use garden_gate_model::gardener::server_configuration::ConfigurationFile;

/// A configuration file that can be decoded.
pub(super) struct Configured {
    purpose: &'static Purpose,
    /// The ConfigMap.
    key: ObjectKey,
    /// The field of the Shoot with its name.
    reference: FieldPath,
    file: ConfigurationFile,
}

impl Configured {
    /// Returns the decoded configuration that a request makes gardener-admission-controller validate.
    ///
    /// Returns `None` if it is not validated, which `is_kept` may prevent for an update with the same ConfigMap, if it is unknown,
    /// or if it cannot be decoded, which is reported.
    pub(super) fn find<T: DeserializeOwned>(
        context: &Context<'_>,
        shoot: Change<'_, Shoot>,
        (purpose, is_kept): (&'static Purpose, impl FnOnce() -> bool),
        findings: &mut Findings,
    ) -> Option<(Self, T)> {
        let new = shoot.new.filter(|it| it.metadata.deletion_timestamp.is_none())?;
        let namespace = &context.request.namespace;
        let whole = Part::whole(context.new_opened());
        let reference = purpose.reference(&whole)?.path().clone();
        let key = purpose.config_map(&whole, namespace)?;
        let mut is_new = true;
        if let Some(old) = shoot.old {
            context.difference().specs()?;
            let stored = Part::whole(context.old_opened());
            is_new = purpose.config_map(&stored, namespace).as_ref() != Some(&key);
            let (version, old_version) =
                (&new.spec.kubernetes.version, &old.spec.kubernetes.version);
            if !is_new && version == old_version && is_kept() {
                return None;
            }
        }
        findings.only_warn(context.why_without_admission_controller());
        // The coverage names a ConfigMap that is not known.
        let Some(data) = context.config_map_data(&key).ok()? else {
            if !purpose.is_looked_up || !is_new {
                let message = format!("there is no {key}");
                findings
                    .report(&MISSING, Denied, reference, message)
                    .value(key.name.as_str())
                    .help(format!(
                        "create it, with the {} in the key `{}`",
                        purpose.name, purpose.data_key
                    ));
            }
            return None;
        };
        let text = data.get(purpose.data_key).unwrap_or_default();
        if text.is_empty() {
            let message = match data.get(purpose.data_key) {
                None => format!("{key} has no key `{}`", purpose.data_key),
                Some(_) => format!("`{}` of {key} is empty", purpose.data_key),
            };
            findings
                .report(&NO_KEY, Denied, reference, message)
                .value(key.name.as_str())
                .help(format!("write the {} to this key", purpose.name));
            return None;
        }
        let file = match ConfigurationFile::parse(text) {
            Ok(file) => file,
            Err(error) => {
                let (position, message) = (error.position, error.message);
                let message =
                    format!("{message}, at {position} of `{}` in {key}", purpose.data_key);
                findings
                    .report(&UNDECODABLE, Decode, FieldPath::root(), message)
                    .at(&reference)
                    .help("correct the YAML in the ConfigMap");
                return None;
            }
        };
        let configured = Self { purpose, key, reference, file };
        let decoded = configured.decode(context, findings)?;
        Some((configured, decoded))
    }

    /// Decodes the configuration; reports the reason if that is impossible. Unknown fields are ignored.
    fn decode<T: DeserializeOwned>(
        &self,
        context: &Context<'_>,
        findings: &mut Findings,
    ) -> Option<T> {
        if let Some(problem) = self.wrong_header() {
            self.report(problem, findings);
            return None;
        }
        let (object, version) =
            (self.purpose.configuration.object, context.config.gardener_version);
        let errors = StrictErrors::of(self.file.json(), object, version);
        for (steps, (shape, written)) in &errors.wrong.first {
            let expected = wrong_type::expected(*shape);
            let found = wrong_type::found(*written);
            let message = format!("{expected} is expected, but this is {found}");
            let help = wrong_type::help(wrong_type::field(object, steps), *shape, *written);
            let place =
                ReportedPath { own: FieldPath::root(), real: path_below(FieldPath::root(), steps) };
            let problem = Problem::new((&UNDECODABLE, Decode), place, message).help(help);
            self.report(problem, findings);
        }
        if errors.wrong.count > 0 {
            return None;
        }
        let decoded = self.file.decode();
        let report = |why: String| {
            let message = format!("it cannot be decoded: {why}");
            let problem = Problem::of_file((&UNDECODABLE, Decode), message);
            self.report(problem.help("correct the file in the ConfigMap"), findings);
        };
        decoded.map_err(report).ok()
    }

    fn wrong_header(&self) -> Option<Problem> {
        let expected = self.purpose.configuration;
        let (kind, api_version) = (expected.kind, expected.api_version());
        let header = self.file.header();
        let (group, version) =
            header.api_version.split_once('/').unwrap_or(("", &header.api_version));
        let (field, message) = match (header.api_version.as_str(), header.kind.as_str()) {
            _ if !self.file.is_mapping() => ("", "an object with fields is expected".to_owned()),
            (_, "") => ("kind", "`kind` is not set".to_owned()),
            ("", _) => ("apiVersion", "`apiVersion` is not set".to_owned()),
            (written, _) if group != expected.group || !expected.versions.contains(&version) => (
                "apiVersion",
                format!(
                    "gardener-admission-controller does not know `{}` for the {}",
                    short(written),
                    self.purpose.name
                ),
            ),
            (_, other) if other != kind => {
                let message = format!("`{}` is not the kind `{kind}`", short(other));
                ("kind", message)
            }
            _ => return None,
        };
        let help = match field {
            "kind" => format!("set `kind: {kind}`"),
            "apiVersion" => format!("set `apiVersion: {api_version}`"),
            _ => format!("begin with `apiVersion: {api_version}` and `kind: {kind}`"),
        };
        let place = ReportedPath { own: FieldPath::root(), real: FieldPath::new(field) };
        Some(Problem::new((&UNDECODABLE, Decode), place, message).help(help))
    }

    /// Reports an error, with its position in the ConfigMap.
    pub(super) fn report(&self, problem: Problem, findings: &mut Findings) {
        // One ConfigMap may have thousands of errors, and finding the position of each takes time.
        findings.report_lazily(problem.kind, |findings| {
            let position = self.file.position(&problem.place.real.pointer());
            let (data_key, key) = (self.purpose.data_key, &self.key);
            let message = format!("{}, at {position} of `{data_key}` in {key}", problem.message);
            let Problem { kind, error, place, .. } = problem;
            let reported = findings
                .report(kind, error, place.own, message)
                .at(&self.reference)
                .help(problem.help);
            if let Some(value) = problem.value {
                reported.value(value);
            }
        });
    }

    /// Returns the ConfigMap.
    pub(super) fn key(&self) -> &ObjectKey {
        &self.key
    }
}
