// SPDX-License-Identifier: Apache-2.0
//! CPU, memory and GPUs of machines.

use std::fmt;

use garden_gate_model::api::MachineType;
use garden_gate_text::go::Quantity;

/// The resources of some machines, as far as their types are known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capacity {
    /// The CPUs.
    pub cpu: Option<Quantity>,
    /// The memory.
    pub memory: Option<Quantity>,
    /// The GPUs; `None` also if there are none.
    pub gpu: Option<Quantity>,
}

impl Capacity {
    /// Adds machines of a type.
    pub fn add(&mut self, machine_type: &MachineType, machines: u32) {
        if machines == 0 {
            return;
        }
        let kinds = [
            (&mut self.cpu, &machine_type.cpu),
            (&mut self.memory, &machine_type.memory),
            (&mut self.gpu, &machine_type.gpu),
        ];
        for (sum, each) in kinds {
            let Some(each) = each else { continue };
            let product = each.nanos().saturating_mul(i128::from(machines));
            add(sum, &each.with_nanos(product));
        }
    }

    /// Adds the resources of other machines.
    pub fn extend(&mut self, other: &Self) {
        let kinds = [
            (&mut self.cpu, &other.cpu),
            (&mut self.memory, &other.memory),
            (&mut self.gpu, &other.gpu),
        ];
        for (sum, more) in kinds {
            if let Some(more) = more {
                add(sum, more);
            }
        }
    }
}

/// Formats each known resource that is not 0, such as `16 CPU, 64Gi memory`.
impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [("CPU", &self.cpu), ("memory", &self.memory), ("GPU", &self.gpu)];
        let known = kinds.into_iter().filter_map(|(name, it)| Some((name, it.as_ref()?)));
        let known = known.filter(|(_, it)| it.nanos() != 0);
        let texts = known.map(|(name, it)| format!("{} {name}", it.canonical()));
        f.write_str(&texts.collect::<Vec<String>>().join(", "))
    }
}

fn add(sum: &mut Option<Quantity>, more: &Quantity) {
    if more.nanos() == 0 {
        return;
    }
    *sum = Some(match sum.take() {
        Some(sum) => sum.with_nanos(sum.nanos().saturating_add(more.nanos())),
        None => more.clone(),
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn resources_of_types_are_added() {
        let machine = |cpu, memory, gpu| -> MachineType {
            from_value(json!({"name": "m", "cpu": cpu, "memory": memory, "gpu": gpu})).unwrap()
        };
        let mut capacity = Capacity::default();
        capacity.add(&machine("2", "8Gi", "0"), 3);
        capacity.add(&machine("500m", "1Gi", "1"), 1);
        capacity.add(&machine("64", "1Ti", "8"), 0);
        assert_eq!(capacity.to_string(), "6500m CPU, 25Gi memory, 1 GPU");
    }

    #[test]
    fn largest_numbers_saturate() {
        let machine: MachineType =
            from_value(json!({"name": "m", "cpu": "9223372036854775807E"})).unwrap();
        let mut capacity = Capacity::default();
        capacity.add(&machine, u32::MAX);
        capacity.extend(&capacity.clone());
        assert!(capacity.cpu.unwrap().nanos() > 0);
    }
}
