// SPDX-License-Identifier: Apache-2.0
//! The configuration of shoot-falco-service, in the API group `falco.extensions.gardener.cloud`.

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::Since;
use crate::api::object;

const API: ConfigurationApi = ConfigurationApi {
    group: "falco.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "shoot-falco-service",
};

/// shoot-falco-service, which detects threats in Shoots.
pub static EXTENSION: Extension = Extension {
    name: "falco",
    component: "github.com/gardener/gardener-extension-shoot-falco-service",
    resource: ("Extension", "shoot-falco-service"),
    admission: Some("admission-shoot-falco-service"),
    webhooks: "gardener-extension-admission-shoot-falco-service",
    versions: [ExtensionVersion::new(0, 66), ExtensionVersion::new(0, 95)],
    configurations: &[Configuration {
        header: Header::ApiVersion,
        ..API.configuration(&FalcoServiceConfig, ConfigurationPlace::Extension)
    }],
};

object! {
    /// Falco in a Shoot or Seed. The mutating webhook fills in most fields from the landscape's FalcoProfile.
    FalcoServiceConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Resources of Falco.
        "falcoConfig": FalcoConfig => [Since(92)];
        /// Version of Falco. The default is the newest supported one.
        "falcoVersion": String;
        /// Updates Falco automatically. The default is true.
        "autoUpdate": Boolean;
        /// Reports regularly that Falco works.
        "heartbeatEvent": Boolean;
        /// Node selector of Falco's Pods.
        "nodeSelector": {String};
        /// Tolerations of Falco's Pods.
        "tolerations": [Toleration] => [Since(79)];
        /// Rules. The default is `falco-rules`.
        "rules": Rules;
        /// Receivers of events. The default is `logging`.
        "destinations": [Destination];
    }
}

object! {
    /// Resources of Falco.
    FalcoConfig {
        /// Resources of Falco's containers.
        "resources": FalcoResources;
    }
}

object! {
    /// Resources of Falco's containers.
    FalcoResources {
        /// Limits.
        "limits": ResourceValues;
        /// Requests, which do not exceed the limits.
        "requests": ResourceValues;
    }
}

object! {
    /// Resources of a container.
    ResourceValues {
        /// CPU, for example `100m`.
        "cpu": String;
        /// Memory, for example `256Mi`.
        "memory": String;
    }
}

object! {
    /// Toleration of a Pod.
    Toleration {
        /// Key of the taint.
        "key": String;
        /// Operator, `Exists` or `Equal`.
        "operator": String;
        /// Value of the taint.
        "value": String;
        /// Effect of the taint.
        "effect": String;
        /// Number of seconds for which the taint is tolerated.
        "tolerationSeconds": Integer64;
    }
}

object! {
    /// Rules of Falco; at least one.
    Rules {
        /// Names of standard rules, for example `falco-rules`.
        "standard": [String];
        /// Custom rules.
        "custom": [CustomRule];
    }
}

object! {
    /// Custom rules from one of two sources.
    CustomRule {
        /// Name of a ConfigMap in `spec.resources`.
        "resourceName": String;
        /// Name of a ConfigMap in the Shoot.
        "shootConfigMap": String;
    }
}

object! {
    /// Receiver of events.
    Destination {
        /// Name of the receiver, for example `logging`.
        "name": String;
        /// Enables the receiver.
        "enabled": Boolean => [Since(93)];
        /// Name of a Secret in `spec.resources` with the configuration of a custom receiver.
        "resourceSecretName": String;
    }
}
