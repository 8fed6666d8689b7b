//! Recorded maintenance runs of Gardener: every version, and why it changes.

use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate::defaults;
use garden_gate::model::{CloudProfile, Shoot};
use garden_gate::version::maintenance::{Outcome, Run, run};
use serde_json::{Value, json};

#[test]
fn every_recorded_run_is_forecast() {
    let file = File::open("tests/vectors/forecast.json.gz").unwrap();
    let recorded: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let vectors = recorded["vectors"].as_array().unwrap();
    assert!(vectors.len() > 300);
    let wrong: Vec<String> = vectors.iter().flat_map(disagreements).collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        vectors.len(),
        wrong.join("\n")
    );
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

/// A run in the words of the recording.
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
        let name = if prefix.is_empty() {
            name.to_lowercase()
        } else {
            format!("{prefix}{name}")
        };
        described[name] = json!(outcome.is_some_and(flag));
    }
}
