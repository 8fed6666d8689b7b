// SPDX-License-Identifier: Apache-2.0
//! Short notation for profiles.
//!
//! `1.31.1; 1.30.5 =deprecated @+1d; 1.32.0 [preview; supported soon]` is a list of versions. Each has an optional
//! classification (`=`), expiration date (`@`) and stages. A time is an offset from now, or `past` or `soon`.

use garden_gate_core::garden::GardenObject;
use garden_gate_model::gardener::defaults;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// The current time in all rows.
pub(crate) const NOW: &str = "2026-01-01T00:00:00Z";

/// The meaning of times in a list of versions.
pub(crate) struct Calendar {
    pub(crate) now: &'static str,
    pub(crate) past: &'static str,
    pub(crate) soon: &'static str,
}

const CALENDAR: Calendar =
    Calendar { now: NOW, past: "2025-01-01T00:00:00Z", soon: "2026-02-01T00:00:00Z" };

impl Calendar {
    /// Parses a time: `past`, `soon`, or an offset from now, such as `+1h`, `-2d`, `+1y`, `0`.
    fn instant(&self, text: &str) -> String {
        match text {
            "past" => self.past.to_owned(),
            "soon" => self.soon.to_owned(),
            offset => self.after_now(offset),
        }
    }

    fn after_now(&self, offset: &str) -> String {
        let now: Timestamp = self.now.parse().unwrap();
        let unit = offset.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        let hours = match unit {
            "y" => 365 * 24,
            "d" => 24,
            _ => 1,
        };
        let count: i64 = offset.trim_end_matches(unit).parse().unwrap();
        let instant = now.saturating_add(SignedDuration::from_hours(count * hours));
        instant.unwrap().to_string()
    }

    /// Parses a list of versions.
    pub(crate) fn versions(&self, list: &str) -> Value {
        let mut versions = Vec::new();
        let mut rest = list.trim();
        while !rest.is_empty() {
            let stages = rest.find('[').filter(|open| !rest[..*open].contains(';'));
            let end = match stages {
                Some(open) => open + rest[open..].find(']').unwrap() + 1,
                None => rest.find(';').unwrap_or(rest.len()),
            };
            versions.push(self.version(&rest[..end]));
            rest = rest[end..].trim_start_matches([';', ' ']);
        }
        Value::Array(versions)
    }

    fn version(&self, text: &str) -> Value {
        let (text, stages) = text.split_once('[').unwrap_or((text, ""));
        let mut words = text.split_whitespace();
        let mut version = json!({"version": words.next().unwrap()});
        for word in words {
            match word.split_at(1) {
                ("=", classification) => version["classification"] = json!(classification),
                ("@", instant) => version["expirationDate"] = json!(self.instant(instant)),
                _ => panic!("{word}"),
            }
        }
        if !stages.is_empty() {
            let stages = stages.trim_end_matches(']').split(';');
            version["lifecycle"] = stages.map(|it| self.stage(it)).collect();
        }
        version
    }

    fn stage(&self, text: &str) -> Value {
        let mut words = text.split_whitespace();
        let classification = words.next().unwrap();
        let start = words.next().map(|it| self.instant(it));
        json!({"classification": classification, "startTime": start})
    }
}

/// Parses a time relative to [`NOW`].
pub(crate) fn date(instant: &str) -> String {
    CALENDAR.instant(instant)
}

/// Parses a list of versions, with times relative to [`NOW`].
pub(crate) fn versions(list: &str) -> Value {
    CALENDAR.versions(list)
}

/// Returns the CloudProfile `p` with these Kubernetes versions, and these versions of the image `img`.
pub(crate) fn profile(kubernetes: &str, image: &str) -> Value {
    json!({
        "metadata": {"name": "p"},
        "spec": {
            "kubernetes": {"versions": versions(kubernetes)},
            "machineImages": [{"name": "img", "versions": versions(image)}],
            "machineTypes": [{"name": "small"}, {"name": "arm", "architecture": "arm64"}],
        },
    })
}

/// Returns a NamespacedCloudProfile `n` of `garden-p` with this parent and spec.
pub(crate) fn overlay(parent: &str, mut spec: Value) -> Value {
    spec["parent"] = json!({"kind": "CloudProfile", "name": parent});
    json!({"metadata": {"name": "n", "namespace": "garden-p"}, "spec": spec})
}

/// Returns a Shoot `s` of `garden-p` with Kubernetes 1.30.5, and `spec` merged into it.
///
/// It has the pools `a` and `b`, the latter with image 1.0.0.
pub(crate) fn shoot(spec: &Value) -> Value {
    let mut shoot = json!({
        "metadata": {"name": "s", "namespace": "garden-p"},
        "spec": {
            "kubernetes": {"version": "1.30.5"},
            "provider": {"workers": [
                {"name": "a", "minimum": 2, "machine": {"image": {"name": "img", "version": "2.0.0"}}},
                {"name": "b", "minimum": 3, "machine": {"image": {"name": "img", "version": "1.0.0"}}},
            ]},
        },
    });
    for (field, value) in spec.as_object().unwrap() {
        shoot["spec"][field] = value.clone();
    }
    shoot
}

/// Returns the object as the garden stores it.
pub(crate) fn in_garden(kind: &str, object: &Value) -> GardenObject {
    let text = object.to_string();
    match kind {
        "CloudProfile" => {
            let mut profile = serde_json::from_str(&text).unwrap();
            defaults::cloud_profile(&mut profile);
            GardenObject::from(profile)
        }
        "NamespacedCloudProfile" => GardenObject::from(
            serde_json::from_str::<garden_gate_model::api::NamespacedCloudProfile>(&text).unwrap(),
        ),
        _ => GardenObject::Shoot(serde_json::from_str(&text).unwrap()),
    }
}
