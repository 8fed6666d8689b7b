// SPDX-License-Identifier: Apache-2.0
//! Feature gates and admission plugins that a run removes as unsupported in the Kubernetes version.

use serde_json::Value;

use garden_gate_model::api::GardenerVersion;
use garden_gate_model::api::kubernetes::{Table, Tables};

/// A value that a run removes from a Shoot.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Removed {
    /// The JSON pointer of the field.
    pub pointer: String,
    /// The removed names, sorted; empty if the whole field is removed.
    pub names: Vec<String>,
}

impl Removed {
    /// Creates a removal of these names; `None` if there are none.
    fn of(pointer: String, mut names: Vec<String>) -> Option<Self> {
        names.sort_unstable();
        (!names.is_empty()).then_some(Self { pointer, names })
    }

    /// Returns the field in Gardener's notation.
    pub fn field(&self) -> String {
        let mut field = String::new();
        for step in self.pointer.split('/').skip(1) {
            match step.parse::<usize>() {
                Ok(index) => field.push_str(&format!("[{index}]")),
                Err(_) if field.is_empty() => field.push_str(step),
                Err(_) => field.push_str(&format!(".{step}")),
            }
        }
        field
    }
}

const COMPONENTS: [&str; 5] =
    ["kubeAPIServer", "kubeControllerManager", "kubeScheduler", "kubeProxy", "kubelet"];

/// Removes unsupported values from the Shoot, and returns them.
///
/// Mirrors maintainFeatureGatesForShoot and maintainAdmissionPluginsForShoot in
/// `pkg/controllermanager/controller/shoot/maintenance/reconciler.go`.
/// Both run even if no version changes. What the tables do not decide stays.
pub(super) fn remove_unknown(shoot: &mut Value, gardener: GardenerVersion) -> Vec<Removed> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let version = text(shoot.pointer("/spec/kubernetes/version")).unwrap_or_default();
    let mut removed = Vec::new();
    for component in COMPONENTS {
        let pointer = format!("/spec/kubernetes/{component}/featureGates");
        removed.extend(gates(shoot, pointer, gardener, &version));
    }
    let pools =
        shoot.pointer("/spec/provider/workers").and_then(Value::as_array).map_or(0, Vec::len);
    for index in 0..pools {
        let pool = format!("/spec/provider/workers/{index}/kubernetes");
        let own = text(shoot.pointer(&format!("{pool}/version")));
        let pointer = format!("{pool}/kubelet/featureGates");
        let version = own.as_deref().unwrap_or(&version);
        removed.extend(gates(shoot, pointer, gardener, version));
    }
    removed.extend(plugins(shoot, gardener, &version));
    removed
}

/// Reports whether the Shoot has fields from which values may be removed.
pub(super) fn may_remove(shoot: &Value) -> bool {
    let kubernetes = &shoot["spec"]["kubernetes"];
    let has_gates = |it: &Value| it.get("featureGates").is_some();
    let mut pools =
        shoot.pointer("/spec/provider/workers").and_then(Value::as_array).into_iter().flatten();
    COMPONENTS.iter().any(|it| has_gates(&kubernetes[*it]))
        || pools.any(|it| has_gates(&it["kubernetes"]["kubelet"]))
        || kubernetes["kubeAPIServer"].get("admissionPlugins").is_some()
}

fn gates(
    shoot: &mut Value,
    pointer: String,
    gardener: GardenerVersion,
    version: &str,
) -> Option<Removed> {
    let gates = shoot.pointer_mut(&pointer)?.as_object_mut()?;
    let unknown =
        gates.keys().filter(|it| lacks(gardener, version, |known| known.feature_gates, it));
    let names: Vec<String> = unknown.cloned().collect();
    for name in &names {
        gates.remove(name);
    }
    Removed::of(pointer, names)
}

fn plugins(shoot: &mut Value, gardener: GardenerVersion, version: &str) -> Option<Removed> {
    let pointer = "/spec/kubernetes/kubeAPIServer/admissionPlugins";
    let plugins = shoot.pointer_mut(pointer)?.as_array_mut()?;
    let mut names = Vec::new();
    plugins.retain(|plugin| {
        let name = plugin["name"].as_str().unwrap_or_default();
        let stays = !lacks(gardener, version, |known| known.admission_plugins, name);
        if !stays {
            names.push(name.to_owned());
        }
        stays
    });
    Removed::of(pointer.to_owned(), names)
}

/// Reports whether a version of Kubernetes certainly lacks a name in a table.
fn lacks(
    gardener: GardenerVersion,
    version: &str,
    table: impl Fn(Tables) -> &'static Table,
    name: &str,
) -> bool {
    let lacks = Tables::judge(gardener, version, |known| {
        let has = table(known).get(name).is_some_and(|offered| offered.is_in(version));
        (!has).then_some(())
    });
    lacks.is_ok_and(|it| it.is_some())
}
