// SPDX-License-Identifier: Apache-2.0
//! The configuration of shoot-networking-problemdetector for Shoots.

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::{Enum, LastsAtLeast};
use crate::api::object;
use crate::api::scalar::DurationText;

const API: ConfigurationApi = ConfigurationApi {
    group: "shoot-networking-problemdetector.extensions.config.gardener.cloud",
    versions: &["v1alpha1"],
    class: "shoot-networking-problemdetector",
};

/// shoot-networking-problemdetector, which probes the network of nodes.
pub static EXTENSION: Extension = Extension {
    name: "problemdetector",
    component: "github.com/gardener/gardener-extension-shoot-networking-problemdetector",
    resource: ("Extension", "shoot-networking-problemdetector"),
    admission: Some("networking-problemdetector-admission"),
    webhooks: "gardener-extension-networking-problemdetector-admission",
    // Older versions ignore the configurations of Shoots.
    versions: [ExtensionVersion::new(0, 33), ExtensionVersion::new(0, 34)],
    configurations: &[Configuration {
        // Neither the webhook nor the controller reads the header.
        header: Header::Ignored,
        ..API.configuration(&ShootProviderConfig, ConfigurationPlace::Extension)
    }],
};

object! {
    /// Probes of the network of nodes.
    ShootProviderConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Enables ping checks with ICMP.
        "icmpEnabled": Boolean;
        /// Additional probes, each with a different job ID.
        "additionalProbes": [AdditionalProbe] -> additional_probes: Vec<AdditionalProbe>;
    }
}

object! {
    /// Additional probe.
    AdditionalProbe {
        /// ID of the probe, without spaces at the ends.
        "jobID": String required -> job_id: String;
        /// Protocol of the probe.
        "protocol": String required -> protocol: String => [Enum(&["TCP", "HTTPS", "ICMP"])];
        /// IP address or host name that is probed.
        "host": String required -> host: String;
        /// Port that is probed, from 1 to 65535; ignored for ICMP.
        "port": Integer64 -> port: i64;
        /// Interval between probes, at least `10s`.
        "period": Duration -> period: Option<DurationText> => [LastsAtLeast(10.0)];
    }
}
