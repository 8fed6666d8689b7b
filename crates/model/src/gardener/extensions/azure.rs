// SPDX-License-Identifier: Apache-2.0
//! The mutating webhook of provider-azure for Shoots. Source: `pkg/admission/mutator/shoot.go`.

use std::borrow::Cow;

use serde_json::Value;

use super::decoding::{decodes, with_header};
use super::shoot_mutation::{
    is_deleted_or_moving, mutate_node_local_dns, network_with_overlay, text_at,
};
use super::{Mutation, Mutator, Refusal};
use crate::api::Kind;
use crate::api::extensions::{Configuration, ConfigurationPlace, ExtensionVersion};

/// The mutating webhook of provider-azure for Shoots.
pub(super) const MUTATOR: Mutator = Mutator { extension: "azure", mutate };

const TYPE: &str = "azure";
const CILIUM: &str = "cilium";
/// The first version that sets `forceTCPToUpstreamDNS`.
const SETS_DNS: ExtensionVersion = ExtensionVersion::new(1, 50);
/// The first version that changes Shoots with any network, and those of which only annotations change.
const CHANGES_ALL: ExtensionVersion = ExtensionVersion::new(1, 54);
/// The versions that decode the configuration of the infrastructure.
const DECODES_INFRASTRUCTURE: [ExtensionVersion; 2] =
    [ExtensionVersion::new(1, 54), ExtensionVersion::new(1, 55)];

fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let version = mutation.version;
    let is_changed =
        mutation.changes_spec || version >= CHANGES_ALL && changes_annotations(mutation);
    if mutation.kind != Kind::Shoot
        || !mutation.has_workers()
        || text_at(mutation, &["spec", "provider", "type"]) != TYPE
        || !is_changed
        || is_deleted_or_moving(mutation)
    {
        return Ok(());
    }
    let network = mutation.new.opened_at(&["spec", "networking", "type"]);
    let has_cilium = network.is_null() || network.read::<String>().is_ok_and(|it| it == CILIUM);
    if !has_cilium && version < CHANGES_ALL {
        return Ok(());
    }
    if has_cilium && mutation.changes_spec {
        mutate_network(mutation)?;
    }
    let [first, last] = DECODES_INFRASTRUCTURE;
    if (first..=last).contains(&version) {
        decode_infrastructure(mutation)?;
    }
    if version >= SETS_DNS {
        mutate_node_local_dns(mutation);
    }
    Ok(())
}

fn changes_annotations(mutation: &Mutation<'_, '_>) -> bool {
    let path = ["metadata", "annotations"];
    let Some(old) = mutation.old else {
        return true;
    };
    old.opened_at(&path).to_value() != mutation.new.opened_at(&path).to_value()
}

/// Disables the overlay network of a new Shoot that does not choose, and keeps a stored choice.
fn mutate_network(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let network = network_with_overlay(mutation)?;
    let class = text_at(mutation, &["spec", "networking", "type"]);
    mutation.rewrite(ConfigurationPlace::Network, &class, Value::Object(network));
    Ok(())
}

/// Decodes the configuration of the infrastructure strictly, without a change.
fn decode_infrastructure(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let place = ConfigurationPlace::Infrastructure;
    let mut all = mutation.documents.all.iter_mut();
    let document = all.find(|it| it.place == place);
    let configuration = Configuration::at(place, TYPE);
    let (Some(document), Some((_, configuration))) = (document, configuration) else {
        return Ok(());
    };
    if decodes(&document.text, configuration, mutation.version) {
        return Ok(());
    }
    // The absent header is no reason for the refusal.
    document.text = Cow::Owned(with_header(&document.text, configuration));
    Err(Refusal::Undecodable { place })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::unchanged(json!({"a": "b"}), false)]
    #[case::changed(json!({"a": "c"}), true)]
    fn change_of_annotations_alone_completes_the_dns(
        #[case] annotations: Value,
        #[case] is_completed: bool,
    ) {
        let shoot = |annotations: Value| {
            json!({
                "metadata": {"annotations": annotations},
                "spec": {
                    "provider": {"type": "azure", "workers": [{}]},
                    "networking": {"type": "calico"},
                    "systemComponents": {"nodeLocalDNS": {"enabled": true}},
                },
            })
        };
        let (new, old) = (shoot(annotations), shoot(json!({"a": "b"})));
        let version = ExtensionVersion::new(1, 62);
        let edits = MUTATOR.edits((Kind::Shoot, version), &new, Some(&old), &[]);
        assert_eq!(!edits.unwrap().is_empty(), is_completed);
    }
}
