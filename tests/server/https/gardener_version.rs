// SPDX-License-Identifier: Apache-2.0
//! The version of Gardener by which a server judges: of its garden, of the configuration, or of the flag.

use serde_json::json;

use crate::common::{Gate, GateArgs, eventually};

/// Returns the ConfigMap `gardener-info` with these data.
fn info(data: &str) -> String {
    let info = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "gardener-info", "namespace": "gardener-system-public"},
        "data": {"gardenerAPIServer": data},
    });
    info.to_string()
}

async fn is_judged_as(gate: &Gate, version: &str, source: &str) {
    let name = format!(r#"gardener_version_info{{version="{version}",source="{source}"}}"#);
    eventually(&name, async || gate.metric(&name).await > 0.0).await;
}

async fn is_ahead(gate: &Gate, minors: f64) {
    let is_reached = async || (gate.metric("gardener_minors_ahead").await - minors).abs() < 0.5;
    eventually(&format!("{minors} minors ahead"), is_reached).await;
}

#[tokio::test]
async fn version_of_the_garden_is_followed() {
    let args = GateArgs::new().config("profile: documented\n");
    let gate = Gate::start(&args.garden("info.json", &info("version: v1.145.4")));
    is_judged_as(&gate, "1.145", "gardener-info").await;
    gate.logs("judged as Gardener 1.145 (from gardener-info)").await;
    gate.write("garden/info.json", &info("version: v1.149.0"));
    is_judged_as(&gate, "1.149", "gardener-info").await;
    gate.logs("judged as Gardener 1.149 (from gardener-info)").await;
    gate.write("garden/info.json", &info("version: latest"));
    is_judged_as(&gate, "1.150", "newest").await;
    gate.logs("info.json:1:").await;
    gate.logs("`version` in `data.gardenerAPIServer`: `latest` is not a version").await;
    gate.write("garden/info.json", &info("version: v1.151.0"));
    gate.logs("Gardener 1.151 is 1 minor version newer than the newest known version 1.150").await;
    is_ahead(&gate, 1.0).await;
    gate.write("config.yaml", "gardenerVersion: \"1.146\"\n");
    is_judged_as(&gate, "1.146", "configuration").await;
    // The garden runs a newer version than the configured one.
    is_ahead(&gate, 1.0).await;
    gate.write("garden/info.json", &info("version: v1.149.0"));
    is_ahead(&gate, 0.0).await;
    gate.write("garden/info.json", &info("version: v1.151.0"));
    is_ahead(&gate, 1.0).await;
    gate.write("config.yaml", "profile: documented\n");
    is_judged_as(&gate, "1.150", "gardener-info").await;
}

#[tokio::test]
async fn flag_precedes_garden_and_configuration() {
    let args = GateArgs::new()
        .config("gardenerVersion: \"1.146\"\n")
        .garden("info.json", &info("version: latest"))
        .flag("--gardener-version", "v1.140.2");
    let gate = Gate::start(&args);
    is_judged_as(&gate, "1.140", "flag").await;
    gate.logs("judged as Gardener 1.140 (from --gardener-version)").await;
    assert!(!gate.log().contains("is not a version"), "{}", gate.log());
}
