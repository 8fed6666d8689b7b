// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::api::{GardenerVersion, Object, Removed, Shape};
use garden_gate_text::go::{Quantity, parse_duration, parse_time};
use garden_gate_text::json::{JsonReader, RawJson, as_text};

/// A violation that a strict decoder reports.
#[derive(Clone, Copy, Debug)]
enum StrictError<'a> {
    /// The object has no such field.
    Unknown(&'static Object),
    /// The object has no such field, and is not decoded strictly.
    Dropped(&'static Object),
    /// The number of times that the field or key is set.
    Repeated(usize),
    /// A value does not have the declared shape.
    Wrong(Shape, RawJson<'a>),
}

/// A step on the path from an object to a value in it.
#[derive(Clone, Debug)]
pub enum Step<'a> {
    /// A known field.
    Field(&'static str),
    /// An unknown field.
    Unknown(Cow<'a, str>),
    /// A key of a map.
    Key(Cow<'a, str>),
    /// An element of a list, counted from 0.
    Index(usize),
}

/// All violations that a strict decoder reports for an object.
#[derive(Debug, Default)]
pub struct StrictErrors<'a> {
    /// Unknown fields, with the object that lacks them.
    pub unknown: Listed<'a, &'static Object>,
    /// Fields and keys that are set more than once, with their counts.
    pub repeated: Listed<'a, usize>,
    /// Unknown fields of objects that are not decoded strictly, so that an API server drops them.
    pub dropped: Listed<'a, &'static Object>,
    /// Values that do not have the declared shape, with that shape.
    pub wrong: Listed<'a, (Shape, RawJson<'a>)>,
}

/// Violations of one kind, each with its path. Only the first ones are listed.
#[derive(Debug)]
pub struct Listed<'a, T> {
    /// The first violations, [`Listed::MOST`] at most.
    pub first: Vec<(Vec<Step<'a>>, T)>,
    /// The total number of violations.
    pub count: usize,
}

impl<T> Listed<'_, T> {
    /// Maximum number of listed violations.
    pub const MOST: usize = 20;
}

impl<T> Default for Listed<'_, T> {
    fn default() -> Self {
        let (first, count) = (Vec::new(), 0);
        Self { first, count }
    }
}

impl<'a, T> Listed<'a, T> {
    fn add(&mut self, place: &[Step<'a>], mistake: T) {
        self.count += 1;
        if self.count <= Self::MOST {
            self.first.push((place.to_vec(), mistake));
        }
    }
}

impl<'a> StrictErrors<'a> {
    /// Returns the violations in a JSON text that should be an `object`.
    ///
    /// Follows the decoder of an API server with `fieldValidation=Strict`: names are case-sensitive, `null` is valid for
    /// every field, and free-form values are not checked. The known fields are those of the `version`.
    pub fn of(text: &'a str, object: &'static Object, version: GardenerVersion) -> Self {
        let mut errors = Self::default();
        read_strictly(text, object, version, &mut |place, slip| match slip {
            StrictError::Unknown(object) => errors.unknown.add(place, object),
            StrictError::Dropped(object) => errors.dropped.add(place, object),
            StrictError::Repeated(count) => errors.repeated.add(place, count),
            StrictError::Wrong(shape, written) => errors.wrong.add(place, (shape, written)),
        });
        errors
    }
}

/// Calls `report` for each violation in a text, with its path.
fn read_strictly<'a>(
    text: &'a str,
    object: &'static Object,
    version: GardenerVersion,
    report: &mut dyn FnMut(&[Step<'a>], StrictError<'a>),
) {
    let pass = JsonReader::of(text);
    let mut reader = Reader { version, pass, path: Vec::new(), is_lenient: false, report };
    reader.value(Shape::Object(object));
}

/// The object that an API server does not decode strictly: it is embedded as a RawExtension.
const LENIENT: &str = "GardenletConfiguration";

struct Reader<'r, 'a> {
    version: GardenerVersion,
    pass: JsonReader<'a>,
    path: Vec<Step<'a>>,
    /// Whether the reader is inside of an object that is not decoded strictly.
    is_lenient: bool,
    report: &'r mut dyn FnMut(&[Step<'a>], StrictError<'a>),
}

impl<'a> Reader<'_, 'a> {
    /// Reads the next value; returns `None` at the end of its parent.
    fn value(&mut self, shape: Shape) -> Option<()> {
        let written = self.pass.value()?;
        match (shape, written) {
            (Shape::Object(object), RawJson::Object) => {
                let is_around = self.is_lenient;
                self.is_lenient |= object.name == LENIENT;
                self.object(object);
                self.is_lenient = is_around;
            }
            (Shape::List(item, _), RawJson::List) => self.list(*item),
            (Shape::Map(item), RawJson::Object) => self.map(*item),
            (shape, written) => {
                if !fits(shape, written) {
                    self.report(StrictError::Wrong(shape, written));
                }
                if matches!(written, RawJson::List | RawJson::Object) {
                    self.pass.end();
                }
            }
        }
        Some(())
    }

    fn list(&mut self, item: Shape) {
        for index in 0.. {
            let element = self.inside(Step::Index(index), |this| this.value(item));
            if element.is_none() {
                break;
            }
        }
    }

    fn object(&mut self, object: &'static Object) {
        let mut counts = vec![0; object.fields.len()];
        let mut of_removed = BTreeMap::new();
        while let Some(name) = self.pass.name() {
            let known = object.fields.iter().zip(&mut counts).into_iter().find(|(field, _)| {
                field.name.as_bytes() == &*name && field.versions.contains(self.version)
            });
            if let Some((field, count)) = known {
                *count += 1;
                self.inside(Step::Field(field.name), |this| this.value(field.shape));
                continue;
            }
            let name = as_text(name);
            if let Some((name, shape)) = Removed::had(object, &name, self.version) {
                *of_removed.entry(name).or_insert(0) += 1;
                self.inside(Step::Field(name), |this| this.value(shape));
                continue;
            }
            self.inside(Step::Unknown(name), |this| {
                let is_lenient = this.is_lenient;
                let unknown = if is_lenient { StrictError::Dropped } else { StrictError::Unknown };
                this.report(unknown(object));
            });
            self.pass.skip();
        }
        let counts = object.fields.iter().map(|it| it.name).zip(counts);
        for (name, count) in counts.chain(of_removed) {
            self.repeated(Step::Field(name), count);
        }
    }

    fn map(&mut self, item: Shape) {
        let mut counts = BTreeMap::new();
        while let Some(key) = self.pass.name() {
            let key = as_text(key);
            *counts.entry(key.clone()).or_insert(0) += 1;
            self.inside(Step::Key(key), |this| this.value(item));
        }
        for (key, count) in counts {
            self.repeated(Step::Key(key), count);
        }
    }

    fn repeated(&mut self, step: Step<'a>, count: usize) {
        if count > 1 && !self.is_lenient {
            self.inside(step, |this| this.report(StrictError::Repeated(count)));
        }
    }

    fn inside<T>(&mut self, step: Step<'a>, look: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let seen = look(self);
        self.path.pop();
        seen
    }

    fn report(&mut self, slip: StrictError<'a>) {
        (self.report)(&self.path, slip);
    }
}

/// Reports whether a value is a valid scalar, `null` or free-form.
fn fits(shape: Shape, written: RawJson<'_>) -> bool {
    match (shape, written) {
        (Shape::Any, _) | (_, RawJson::Null) => true,
        (Shape::String | Shape::IntOrString, RawJson::Text(_))
        | (Shape::Boolean, RawJson::Boolean(_)) => true,
        (Shape::Integer32 | Shape::IntOrString, RawJson::Number(number)) => {
            number.parse::<i32>().is_ok()
        }
        (Shape::Integer64, RawJson::Number(number)) => number.parse::<i64>().is_ok(),
        (Shape::Number, RawJson::Number(number)) => number.parse().is_ok_and(f64::is_finite),
        (Shape::Time, RawJson::Text(text)) => parse_time(&text.text()).is_some(),
        (Shape::Duration, RawJson::Text(text)) => parse_duration(&text.text()).is_ok(),
        (Shape::Quantity, RawJson::Text(text)) => Quantity::parse(text.raw().trim()).is_ok(),
        (Shape::Quantity, RawJson::Number(number)) => Quantity::parse(number).is_ok(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::described;

    /// Returns the violations of a Shoot in a short form.
    fn errors(text: &str) -> Vec<String> {
        errors_in(GardenerVersion::NEWEST, text)
    }

    fn errors_in(version: GardenerVersion, text: &str) -> Vec<String> {
        let mut errors = Vec::new();
        read_strictly(text, described("Shoot").unwrap().object, version, &mut |path, slip| {
            let path: Vec<String> = path.iter().map(step).collect();
            let what = match slip {
                StrictError::Unknown(object) => format!("not in {}", object.name),
                StrictError::Dropped(object) => format!("dropped from {}", object.name),
                StrictError::Repeated(count) => format!("{count} times"),
                StrictError::Wrong(shape, _) => format!("no {shape:?}"),
            };
            errors.push(format!("{}: {what}", path.join(".")));
        });
        errors
    }

    fn step(step: &Step<'_>) -> String {
        match step {
            Step::Field(name) => (*name).to_owned(),
            Step::Unknown(name) | Step::Key(name) => name.to_string(),
            Step::Index(index) => index.to_string(),
        }
    }

    #[test]
    fn names_are_taken_to_the_letter() {
        let text = r#"{"Spec": 1, "spec": {"toleration": [], "kubernetes": {"Version": "1"}}}"#;
        assert_eq!(
            errors(text),
            [
                "Spec: not in Shoot",
                "spec.toleration: not in ShootSpec",
                "spec.kubernetes.Version: not in Kubernetes"
            ]
        );
    }

    #[test]
    fn fields_are_those_of_the_version() {
        let text = r#"{"spec": {"controlPlane": {"zones": []}, "kubernetes": {
            "kubeAPIServer": {"oidcConfig": {"clientID": 1, "id": "x"}, "tlsMinVersion": "VersionTLS12"},
            "kubelet": {"systemReserved": {"cpu": "1"}, "systemReserved": {}}}}}"#;
        let [tls, zones, cpu] = [
            "spec.kubernetes.kubeAPIServer.tlsMinVersion: not in KubeAPIServerConfig",
            "spec.controlPlane.zones: not in ControlPlane",
            "spec.kubernetes.kubelet.systemReserved: 2 times",
        ];
        let oidc = [
            "spec.kubernetes.kubeAPIServer.oidcConfig.clientID: no String",
            "spec.kubernetes.kubeAPIServer.oidcConfig.id: not in OIDCConfig",
        ];
        let no_oidc = "spec.kubernetes.kubeAPIServer.oidcConfig: not in KubeAPIServerConfig";
        let no_reserved = "spec.kubernetes.kubelet.systemReserved: not in KubeletConfig";
        let in_minor = |minor| errors_in(GardenerVersion::of_minor(minor), text);
        assert_eq!(in_minor(139), [zones, oidc[0], oidc[1], tls, cpu]);
        let reserved = [no_reserved; 2];
        assert_eq!(in_minor(141), [zones, oidc[0], oidc[1], tls, reserved[0], reserved[1]]);
        assert_eq!(in_minor(149), [zones, no_oidc, reserved[0], reserved[1]]);
        assert_eq!(in_minor(150), [no_oidc, reserved[0], reserved[1]]);
    }

    #[test]
    fn null_stands_for_anything() {
        let text = r#"{"metadata": null, "spec": {"tolerations": null, "region": null, "provider": {"workers": [null, {"minimum": null, "maxSurge": null}]}},
            "status": {"lastOperation": {"lastUpdateTime": null}}}"#;
        assert_eq!(errors(text), [""; 0]);
    }

    #[test]
    fn nobody_looks_into_what_is_free_form() {
        let text = r#"{"spec": {"provider": {"infrastructureConfig": {"a": 1, "a": {"b": [1, 1]}}, "controlPlaneConfig": "x"}}}"#;
        assert_eq!(errors(text), [""; 0]);
    }

    #[test]
    fn what_is_set_more_than_once_is_counted() {
        let text = r#"{"metadata": {"labels": {"a": "1", "b": "2", "\u0061": "3"}}, "spec": {"region": "a", "purpose": "b", "region": 1, "region": null}}"#;
        assert_eq!(
            errors(text),
            ["metadata.labels.a: 2 times", "spec.region: no String", "spec.region: 3 times"]
        );
    }

    /// Reports whether a Shoot may have that value at that path; `[]` marks lists.
    fn may_be(path: &str, value: &str) -> bool {
        let wrap = |inside: String, name: &str| match name.strip_suffix("[]") {
            Some(name) => format!("{{\"{name}\": [{inside}]}}"),
            None => format!("{{\"{name}\": {inside}}}"),
        };
        errors(&path.rsplit('.').fold(value.to_owned(), wrap)).is_empty()
    }

    /// Shapes by a field that has them, with valid and invalid values.
    #[test]
    fn values_are_written_as_their_shape_says() {
        let fields: [(&str, &[&str], &[&str]); 10] = [
            ("spec.region", &["\"\"", "\"1\""], &["1", "true", "[]", "{}"]),
            ("spec.hibernation.enabled", &["true", "false"], &["\"true\"", "1"]),
            (
                "spec.provider.workers[].minimum",
                &["0", "-0", "2147483647", "-2147483648"],
                &["1.0", "1e3", "2147483648", "true", "\"1\"", "[]", "{}"],
            ),
            (
                "spec.kubernetes.kubelet.podPidsLimit",
                &["2147483648", "9223372036854775807"],
                &["9223372036854775808", "1.5"],
            ),
            ("spec.provider.workers[].maxSurge", &["1", "\"10%\""], &["1.5", "true", "2147483648"]),
            (
                "spec.kubernetes.kubeAPIServer.eventTTL",
                &["\"1h30m\"", "\"0\"", "\"-1s\""],
                &["\"1d\"", "\"\"", "30"],
            ),
            (
                "spec.kubernetes.kubelet.containerLogMaxSize",
                &["\"10Gi\"", "10", "1.5", "\" 1 \""],
                &["\"ten\"", "\"\"", "true", "{}"],
            ),
            (
                "spec.kubernetes.clusterAutoscaler.scaleDownUtilizationThreshold",
                &["0.5", "1", "1e3"],
                &["1e400", "\"1\""],
            ),
            (
                "metadata.creationTimestamp",
                &["\"2026-01-31T12:00:00Z\"", "\"2026-01-31T12:00:00.5+01:00\""],
                &["\"2026-01-31\"", "\"\"", "1"],
            ),
            ("spec.tolerations", &["[]", "[{}]", "[null]"], &["{}", "\"\"", "[1]", "[[]]"]),
        ];
        for (path, right, wrong) in fields {
            for value in right {
                assert!(may_be(path, value), "{path}: {value}");
            }
            for value in wrong {
                assert!(!may_be(path, value), "{path}: {value}");
            }
        }
    }
}
