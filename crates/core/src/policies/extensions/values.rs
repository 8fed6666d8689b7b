// SPDX-License-Identifier: Apache-2.0
//! The variables of expressions about an extension.

use garden_gate_cel::{Text, Value};
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};

/// The names of the variables that every definition has.
///
/// `config` is the configuration in the entry of `spec.extensions`, and `extension` the entry itself. Those with `old` are of the stored
/// object. Absent values are `null`.
pub(super) const VARIABLES: [&str; 17] = [
    "version",
    "settings",
    "extension",
    "config",
    "oldConfig",
    "infrastructureConfig",
    "oldInfrastructureConfig",
    "controlPlaneConfig",
    "oldControlPlaneConfig",
    "networkConfig",
    "oldNetworkConfig",
    "cloudProfileConfig",
    "oldCloudProfileConfig",
    "seedProviderConfig",
    "oldSeedProviderConfig",
    "backupConfig",
    "oldBackupConfig",
];

/// Returns the names of the variables with the new and the stored configuration; `None` if an object may have several.
fn names(place: ConfigurationPlace) -> Option<[&'static str; 2]> {
    Some(match place {
        ConfigurationPlace::Extension => ["config", "oldConfig"],
        ConfigurationPlace::Infrastructure => ["infrastructureConfig", "oldInfrastructureConfig"],
        ConfigurationPlace::ControlPlane => ["controlPlaneConfig", "oldControlPlaneConfig"],
        ConfigurationPlace::Network => ["networkConfig", "oldNetworkConfig"],
        ConfigurationPlace::CloudProfile => ["cloudProfileConfig", "oldCloudProfileConfig"],
        ConfigurationPlace::SeedProvider => ["seedProviderConfig", "oldSeedProviderConfig"],
        ConfigurationPlace::Backup => ["backupConfig", "oldBackupConfig"],
        ConfigurationPlace::Worker
        | ConfigurationPlace::MachineImage
        | ConfigurationPlace::ContainerRuntime => return None,
    })
}

/// The values of the variables.
pub(super) struct Values([Value; VARIABLES.len()]);

impl Values {
    pub(super) fn new(
        version: ExtensionVersion,
        settings: Value,
        extension: Option<&Value>,
    ) -> Self {
        let mut values = Self(std::array::from_fn(|_| Value::Null));
        values.set("version", Value::String(Text::from(format!("{version}.0"))));
        values.set("settings", settings);
        values.set("extension", extension.cloned().unwrap_or(Value::Null));
        values
    }

    fn set(&mut self, name: &str, value: Value) {
        let slots = VARIABLES.iter().zip(&mut self.0);
        for (_, slot) in slots.filter(|(it, _)| **it == name) {
            *slot = value.clone();
        }
    }

    /// Sets the new and the stored configuration at a place.
    pub(super) fn set_configurations(&mut self, place: ConfigurationPlace, values: [Value; 2]) {
        for (name, value) in names(place).into_iter().flatten().zip(values) {
            self.set(name, value);
        }
    }

    /// Removes the new configuration at a place, which the extension ignores.
    pub(super) fn ignore(&mut self, place: ConfigurationPlace) {
        if let Some([name, _]) = names(place) {
            self.set(name, Value::Null);
        }
    }

    /// Returns the variables as the parameter of a policy.
    pub(super) fn to_params(&self) -> Value {
        let fields = VARIABLES.iter().zip(&self.0);
        Value::object(fields.map(|(name, value)| (Text::from(*name), value.clone())))
    }
}
