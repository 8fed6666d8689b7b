// SPDX-License-Identifier: Apache-2.0
//! Registration and permissions for `admission: complete`.

use serde_json::Value;

use crate::chart::{DEFAULT, only, rendered};
use crate::cluster::helm::Helm;

/// The registration and the permissions follow the configuration of the server.
#[test]
fn complete_admission_registers_and_permits_more() {
    let Some(helm) = Helm::find() else { return };
    let file = include_str!("../../../charts/garden-gate/files/webhooks-complete.yaml");
    let complete: Value = serde_saphyr::from_str(file).unwrap();
    for (admission, is_complete) in [("webhook", false), ("complete", true)] {
        let set = format!("--set=config.admission={admission}");
        for target in ["all", "shoot"] {
            let target = format!("--set=target={target}");
            let objects = rendered(&helm, &[DEFAULT[0], &set, &target]);
            let webhooks = &only(&objects, "ValidatingWebhookConfiguration")["webhooks"];
            let registered: Vec<_> =
                webhooks.as_array().unwrap().iter().map(|it| &it["rules"]).collect();
            let of_complete = complete["validating"].as_array().unwrap();
            let of_complete: Vec<_> = of_complete.iter().map(|it| &it["rules"]).collect();
            let is_garden = target.ends_with("all");
            assert_eq!(registered == of_complete, is_complete && is_garden, "{set} {target}");
            if is_garden {
                let rules = only(&objects, "ClusterRole")["rules"].to_string();
                for resource in [
                    "secretbindings",
                    "credentialsbindings",
                    "quotas",
                    "controllerregistrations",
                    "managedseeds",
                ] {
                    assert_eq!(rules.contains(resource), is_complete, "{resource}");
                }
            }
            let configuration = only(&objects, "ConfigMap")["data"].to_string();
            assert!(configuration.contains(admission), "{configuration}");
        }
    }
}

#[test]
fn unknown_admission_is_refused() {
    let Some(helm) = Helm::find() else { return };
    let refused = helm.template(&[DEFAULT[0], "--set=config.admission=full"]);
    let message = format!("{refused:?}");
    assert!(message.contains("admission") && message.contains("complete"), "{message}");
}
