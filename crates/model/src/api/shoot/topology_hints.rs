//! The feature gate `TopologyAwareHints`, without which a Seed cannot route traffic by topology.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use garden_gate_text::json::Json;

/// The feature gate `TopologyAwareHints` of a component.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct TopologyHints {
    /// Whether the gate is disabled explicitly.
    pub are_disabled: bool,
}

impl<'de> Deserialize<'de> for TopologyHints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let gates = Box::<RawValue>::deserialize(deserializer)?;
        let gate = Json::text(gates.get()).take(&["TopologyAwareHints"]).read::<bool>();
        Ok(Self { are_disabled: matches!(gate, Ok(false)) })
    }
}
