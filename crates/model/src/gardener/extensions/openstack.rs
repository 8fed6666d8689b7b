// SPDX-License-Identifier: Apache-2.0
//! The mutating webhook of provider-openstack for Shoots. Source: `pkg/admission/mutator/shoot.go`.

use serde_json::{Map, Value, json};

use super::shoot_mutation::{
    is_overlay_disabled, is_skipped, mutate_node_local_dns, network_with_default, text_at,
};
use super::{Mutation, Mutator, Refusal};
use crate::api::Kind;
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};

/// The mutating webhook of provider-openstack for Shoots.
pub(super) const MUTATOR: Mutator = Mutator { extension: "openstack", mutate };

/// The first version that chooses UDP for the DNS cache of nodes.
const SETS_DNS: ExtensionVersion = ExtensionVersion::new(1, 44);
/// The networks with an overlay in new Shoots, unless a landscape changes the default of the component.
const WITH_OVERLAY: [&str; 2] = ["calico", "cilium"];
const ENABLED: &str = "enabled";
const OVERLAY: &str = "overlay";

fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let is_shoot = mutation.kind == Kind::Shoot && mutation.has_workers();
    if !is_shoot
        || is_skipped(mutation)
        || text_at(mutation, &["spec", "provider", "type"]) != "openstack"
    {
        return Ok(());
    }
    let network = mutation.new.opened_at(&["spec", "networking", "type"]);
    if !network.is_null() {
        mutate_network(mutation)?;
    }
    if mutation.version >= SETS_DNS {
        mutate_node_local_dns(mutation);
    }
    Ok(())
}

/// Sets `overlay`, and without an overlay network also the routes to pods.
fn mutate_network(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let class = text_at(mutation, &["spec", "networking", "type"]);
    let has_overlay = WITH_OVERLAY.contains(&class.as_str());
    let mut network = network_with_default(mutation, json!({ENABLED: has_overlay}))?;
    let is_disabled = match network.get(OVERLAY) {
        Some(Value::Object(_)) => is_overlay_disabled(&network, "admission-openstack")?,
        _ => !has_overlay,
    };
    if is_disabled {
        let mut overlay = match network.remove(OVERLAY) {
            Some(Value::Object(overlay)) => overlay,
            _ => Map::from_iter([(ENABLED.to_owned(), Value::Bool(false))]),
        };
        let routes = overlay.entry("createPodRoutes").or_insert(Value::Null);
        if routes.is_null() {
            *routes = Value::Bool(true);
        }
        network.insert(OVERLAY.to_owned(), Value::Object(overlay));
    }
    mutation.rewrite(ConfigurationPlace::Network, &class, Value::Object(network));
    Ok(())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// Returns the configuration of the network after the webhook.
    fn network_of(shoot: &Value, old: Option<&Value>) -> Result<Value, Refusal> {
        let version = ExtensionVersion::new(1, 58);
        let edits = MUTATOR.edits((Kind::Shoot, version), shoot, old, &[])?;
        let edit = edits.iter().rfind(|it| it.pointer == "/spec/networking/providerConfig");
        let written = &shoot["spec"]["networking"]["providerConfig"];
        Ok(edit.map_or(written, |it| &it.value).clone())
    }

    fn shoot(class: &str, config: &Value) -> Value {
        json!({"spec": {
            "provider": {"type": "openstack", "workers": [{}]},
            "networking": {"type": class, "providerConfig": config},
        }})
    }

    #[rstest]
    #[case::calico("calico", json!({}), json!({"overlay": {"enabled": true}}))]
    #[case::other("other", json!({}), json!({"overlay": {"enabled": false, "createPodRoutes": true}}))]
    #[case::disabled("calico", json!({"overlay": {"enabled": false}}), json!({"overlay": {"enabled": false, "createPodRoutes": true}}))]
    #[case::chosen("calico", json!({"overlay": {"enabled": false, "createPodRoutes": false}}), json!({"overlay": {"enabled": false, "createPodRoutes": false}}))]
    #[case::no_object("calico", json!({"overlay": "x"}), json!({"overlay": "x"}))]
    fn new_shoot(#[case] class: &str, #[case] config: Value, #[case] expected: Value) {
        assert_eq!(network_of(&shoot(class, &config), None), Ok(expected));
    }

    #[test]
    fn absent_overlay_of_a_stored_shoot_is_only_completed_where_the_default_is_off() {
        let update = |class| {
            let (old, mut new) = (shoot(class, &json!({})), shoot(class, &json!({})));
            new["spec"]["region"] = json!("eu");
            network_of(&new, Some(&old))
        };
        assert_eq!(update("cilium"), Ok(json!({})));
        let expected = json!({"overlay": {"enabled": false, "createPodRoutes": true}});
        assert_eq!(update("other"), Ok(expected));
    }

    #[test]
    fn overlay_without_boolean_panics() {
        let refused = network_of(&shoot("calico", &json!({"overlay": {}})), None);
        assert!(matches!(refused, Err(Refusal::Panic { .. })));
    }
}
