// SPDX-License-Identifier: Apache-2.0
//! The garden of a simulated month.

use serde_json::{Value, json};

use super::random::Random;
use super::world;
use garden_gate_model::api::{Kind, ObjectKey};

/// The namespace of the Shoots that Gardener maintains.
pub(super) const MAINTAINED: &str = "garden-platform";
/// The number of other Shoots at most.
const OTHERS: usize = 30;

/// Changes of the Shoots of another namespace.
#[derive(Default)]
pub(super) struct Churn {
    count: u64,
}

impl Churn {
    /// Returns the next write; `None` deletes the object.
    pub(super) fn next(&mut self, random: &mut Random) -> (ObjectKey, Option<Value>) {
        self.count += 1;
        let name = format!("shoot-{}", random.below(OTHERS));
        let key = ObjectKey::new(Kind::Shoot, "garden-dev", name);
        if random.below(10) == 0 {
            return (key, None);
        }
        let mut shoot = world::object(&key, random.below(world::VARIANTS));
        shoot["metadata"]["labels"]["count"] = json!(self.count.to_string());
        (key, Some(shoot))
    }
}

/// Returns all objects at the start.
pub(super) fn objects() -> Vec<(ObjectKey, Value)> {
    let of_kind = |kind, name: &str| ObjectKey::new(kind, "", name);
    let mut objects: Vec<(ObjectKey, Value)> =
        (0..7).map(world::key).map(|key| (key.clone(), world::object(&key, 0))).collect();
    let versions = json!([
        {"version": "1.32.0", "classification": "deprecated", "expirationDate": "2026-03-02T12:00:00Z"},
        {"version": "1.32.5", "classification": "deprecated", "expirationDate": "2026-03-04T12:00:00Z"},
        {"version": "1.32.9", "classification": "deprecated", "expirationDate": "2026-03-20T12:00:00Z"},
        {"version": "1.33.4", "classification": "supported"},
        {"version": "1.33.8", "lifecycle": [
            {"classification": "preview"},
            {"classification": "supported", "startTime": "2026-03-03T12:00:00Z"},
        ]},
    ]);
    let image = |version: &str, end: Option<&str>| {
        let mut image = json!({"version": version, "architectures": ["amd64"], "cri": [{"name": "containerd"}]});
        match end {
            Some(end) => {
                image["classification"] = json!("deprecated");
                image["expirationDate"] = json!(end);
            }
            None => image["classification"] = json!("supported"),
        }
        image
    };
    let images = json!([
        image("1.0.0", Some("2026-03-03T12:00:00Z")),
        image("1.1.0", Some("2026-03-15T12:00:00Z")),
        image("1.2.0", None),
    ]);
    let profile = of_kind(Kind::CloudProfile, "month");
    objects.push((profile.clone(), cloud_profile(&profile, versions, images)));
    let versions = json!([
        {"version": "1.32.9", "classification": "deprecated", "expirationDate": "2026-03-02T12:00:00Z"},
        {"version": "1.33.4", "classification": "supported"},
    ]);
    // No kubelet of the next version runs with the image, so that maintenance is denied.
    let mut limited = image("1.2.0", None);
    limited["kubeletVersionConstraint"] = json!("< 1.33");
    let profile = of_kind(Kind::CloudProfile, "limited");
    objects.push((profile.clone(), cloud_profile(&profile, versions, json!([limited]))));
    for number in 0..12 {
        objects.push(shoot(number, "month", ["1.32.0", "1.32.5", "1.33.4"][number % 3]));
    }
    objects.push(shoot(12, "limited", "1.32.9"));
    objects
}

fn cloud_profile(key: &ObjectKey, versions: Value, images: Value) -> Value {
    let mut profile = world::object(key, 0);
    let spec = &mut profile["spec"];
    spec["kubernetes"]["versions"] = versions;
    spec["machineImages"] = json!([{"name": "os", "updateStrategy": "major", "versions": images}]);
    profile
}

fn shoot(number: usize, profile: &str, version: &str) -> (ObjectKey, Value) {
    let key = ObjectKey::new(Kind::Shoot, MAINTAINED, format!("maintained-{number}"));
    let mut shoot = world::object(&key, 0);
    let image = match (profile, number % 2) {
        ("limited", _) => "1.2.0",
        (_, 0) => "1.0.0",
        _ => "1.1.0",
    };
    let is_automatic = number.is_multiple_of(4);
    let spec = &mut shoot["spec"];
    spec["cloudProfile"] = json!({"kind": "CloudProfile", "name": profile});
    spec["kubernetes"]["version"] = json!(version);
    spec["maintenance"] = json!({
        "autoUpdate": {"kubernetesVersion": is_automatic, "machineImageVersion": is_automatic},
        "timeWindow": {"begin": format!("{:02}0000+0000", 14 + number % 8), "end": format!("{:02}0000+0000", 15 + number % 8)},
    });
    let pool = &mut spec["provider"]["workers"][0];
    pool["machine"]["image"] = json!({"name": "os", "version": image});
    if number.is_multiple_of(5) {
        let mut second = pool.clone();
        second["name"] = json!("second");
        second["kubernetes"] = json!({"version": version});
        spec["provider"]["workers"].as_array_mut().unwrap().push(second);
    }
    (key, shoot)
}
