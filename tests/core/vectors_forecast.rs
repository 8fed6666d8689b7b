// SPDX-License-Identifier: Apache-2.0
//! Recorded maintenance runs of Gardener: every updated version, with its reason.

use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate_core::admission::{Rules, World};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{Knowledge, Snapshot};
use garden_gate_model::api::{CloudProfile, Shoot};
use garden_gate_model::gardener::defaults;
use garden_gate_model::gardener::version::maintenance::{Outcome, Run, run};
use garden_gate_products::forecast::{Class, Part, Profile, forecast};
use serde_json::{Value, json};

#[test]
fn every_recorded_run_is_forecast() {
    assert_agree(disagreements);
}

/// The forecast contains the events of the recorded run, with Gardener's class and a reason.
#[test]
fn every_recorded_run_has_its_class() {
    assert_agree(untold);
}

fn assert_agree(check: fn(&Value) -> Vec<String>) {
    let file = File::open("tests/vectors/forecast.json.gz").unwrap();
    let recorded: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let vectors = recorded["vectors"].as_array().unwrap();
    assert!(vectors.len() > 300);
    let wrong: Vec<String> = vectors.iter().flat_map(check).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), vectors.len(), wrong.join("\n"));
}

fn disagreements(vector: &Value) -> Vec<String> {
    let mut shoot: Shoot = serde_json::from_value(vector["shoot"].clone()).unwrap();
    let mut profile: CloudProfile = serde_json::from_value(vector["cloudProfile"].clone()).unwrap();
    defaults::shoot(&mut shoot, "garden-dev");
    defaults::cloud_profile(&mut profile);
    let now = vector["now"].as_str().unwrap().parse().unwrap();
    let run = run(&shoot, &profile.spec, now);
    let found = described(&shoot, &run);
    let expected = &vector["expect"];
    if found == *expected {
        return vec![];
    }
    vec![format!("{}: {found}\n  expected {expected}", vector["id"])]
}

fn untold(vector: &Value) -> Vec<String> {
    let mut shoot = vector["shoot"].clone();
    // The run took place at exactly this time.
    shoot["spec"]["maintenance"]["timeWindow"] = Value::Null;
    let mut profile: CloudProfile = serde_json::from_value(vector["cloudProfile"].clone()).unwrap();
    defaults::cloud_profile(&mut profile);
    let now = vector["now"].as_str().unwrap().parse().unwrap();
    let world = World {
        rules: Rules::default(),
        garden: &Snapshot::new(Knowledge::Everything),
        config: &Config::default(),
        now,
    };
    let profile = Profile::new(String::new(), profile.spec);
    let forecast = forecast(shoot, &profile, &world, now).unwrap();
    let events = forecast.windows.iter().flat_map(|window| &window.events);
    let told = events.filter(|event| !matches!(event.part, Part::Field { .. })).map(|event| {
        assert!(event.cause.len() > 10, "{event:?}");
        (event.part.clone(), event.class)
    });
    let told: Vec<(Part, Class)> = told.collect();
    let expected = recorded_events(vector);
    if told == expected {
        vec![]
    } else {
        vec![format!("{}: {told:?}\n  expected {expected:?}", vector["id"])]
    }
}

/// Returns the parts that a recorded run changed or failed to change.
fn recorded_events(vector: &Value) -> Vec<(Part, Class)> {
    let class = |of: &Value, names: [&str; 3]| {
        let [updated, forced, failed] = names.map(|name| of[name] == true);
        match (updated, failed) {
            (_, true) => Some(Class::NoUpdatePossible),
            (true, false) if forced => Some(Class::Forced),
            (true, false) => Some(Class::Regular),
            (false, false) => None,
        }
    };
    let expect = &vector["expect"];
    let of_control_plane = class(&expect["kubernetes"], ["updated", "forced", "failed"]);
    let mut events: Vec<(Part, Class)> = Vec::new();
    events.extend(of_control_plane.map(|it| (Part::ControlPlane, it)));
    for worker in expect["workers"].as_array().unwrap() {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let pool = text(&worker["name"]);
        let names = ["kubernetesUpdated", "kubernetesForced", "kubernetesFailed"];
        if let Some(class) = class(worker, names) {
            events.push((Part::Pool { pool: pool.clone() }, class));
        }
        if let Some(class) = class(worker, ["imageUpdated", "imageForced", "imageFailed"]) {
            let image = text(&worker["image"]["name"]);
            events.push((Part::Image { pool, image }, class));
        }
    }
    events
}

/// Formats a run in the notation of the recording.
fn described(shoot: &Shoot, run: &Run) -> Value {
    let after = run.apply(shoot);
    let pools = after.spec.provider.workers.iter().zip(&run.pools);
    let pools: Vec<Value> = pools
        .map(|(pool, run)| {
            let image = pool.machine.image.as_ref().unwrap();
            let mut described = json!({
                "name": pool.name,
                "kubernetesVersion": after.version_of(pool),
                "image": {"name": image.name, "version": image.version},
            });
            flags(&mut described, "image", run.image.as_ref());
            flags(&mut described, "kubernetes", run.kubernetes.as_ref());
            described
        })
        .collect();
    let mut kubernetes = json!({"version": after.spec.kubernetes.version});
    flags(&mut kubernetes, "", Some(&run.kubernetes));
    let mut described = json!({"kubernetes": kubernetes, "workers": pools});
    if run.images_stop_at.is_some() {
        described["imageStepAborted"] = json!(true);
    }
    described
}

type Flag = fn(&Outcome) -> bool;

fn flags(described: &mut Value, prefix: &str, outcome: Option<&Outcome>) {
    let flags: [(&str, Flag); 3] = [
        ("Updated", Outcome::is_updated),
        ("Forced", Outcome::is_forced),
        ("Failed", Outcome::has_failed),
    ];
    for (name, flag) in flags {
        let name = if prefix.is_empty() { name.to_lowercase() } else { format!("{prefix}{name}") };
        described[name] = json!(outcome.is_some_and(flag));
    }
}
