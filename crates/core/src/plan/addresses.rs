// SPDX-License-Identifier: Apache-2.0
//! The addresses of the node network.

use garden_gate_model::api::Shoot;
use garden_gate_text::go::Network;

use super::{Action, Pool};

/// The node network of a Shoot, and the machines that it must hold.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NodeNetwork {
    /// The CIDR.
    pub cidr: String,
    /// The number of its addresses; infrastructures reserve some of them.
    pub addresses: u64,
    /// The number of machines if all pools have their maximum during the change.
    pub machines: u64,
}

impl NodeNetwork {
    /// Returns the IPv4 network of a Shoot; `None` for IPv6, whose networks hold any number of machines.
    ///
    /// # Errors
    /// Fails with the reason if the network is unknown.
    pub(super) fn of(shoot: &Shoot, pools: &[Pool]) -> Result<Option<Self>, String> {
        let networking = shoot.spec.networking.as_ref();
        let requested = networking.and_then(|it| it.nodes.as_deref());
        let observed = shoot.status.networking.as_ref().and_then(|it| it.nodes.first());
        let cidr = requested.or(observed.map(String::as_str)).filter(|it| !it.is_empty());
        let cidr = cidr.ok_or("`spec.networking.nodes` is not set")?;
        let addresses =
            addresses(cidr).ok_or_else(|| format!("`{cidr}` is not a network address"))?;
        let machines = pools.iter().map(|it| u64::from(it.most())).fold(0, u64::saturating_add);
        let network =
            addresses.map(|addresses| Self { cidr: cidr.to_owned(), addresses, machines });
        Ok(network)
    }

    /// Reports whether it has fewer addresses than machines.
    pub fn is_too_small(&self) -> bool {
        self.machines > self.addresses
    }
}

impl Pool {
    /// Returns the highest number of machines during the change.
    fn most(&self) -> u32 {
        match (&self.after, self.action) {
            (None, _) => self.before.as_ref().map_or(0, |size| size.maximum),
            (Some(size), Action::Keep) => size.maximum,
            (Some(_), _) => self.peak(),
        }
    }
}

/// Returns the number of addresses of an IPv4 network; `Some(None)` for IPv6.
fn addresses(cidr: &str) -> Option<Option<u64>> {
    let network = Network::read(cidr)?;
    let hosts = 32_u32.saturating_sub(network.prefix().into());
    Some((!network.is_ipv6()).then(|| 1 << hosts))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::plan::{Amount, example_pool as pool};

    fn network(nodes: &str, pools: &[Pool]) -> Result<Option<NodeNetwork>, String> {
        let mut shoot = Shoot::default();
        let networking = json!({"nodes": nodes});
        shoot.spec.networking = serde_json::from_value(networking).ok();
        NodeNetwork::of(&shoot, pools)
    }

    #[test]
    fn addresses_are_compared_with_maximum_and_surge() {
        let surge = Pool { surge: Amount::Machines(4), ..pool("a", 1, 12, 1) };
        let network = |pools: &[Pool]| network("10.0.0.0/28", pools).unwrap().unwrap();
        let holds = network(std::slice::from_ref(&surge));
        assert_eq!((holds.addresses, holds.machines, holds.is_too_small()), (16, 16, false));
        let kept = Pool { action: Action::Keep, ..pool("b", 1, 1, 1) };
        let lacks = network(&[surge.clone(), kept]);
        assert_eq!((lacks.machines, lacks.is_too_small()), (17, true));
        let removed = Pool { after: None, ..pool("b", 1, 3, 1) };
        assert_eq!(network(&[surge, removed]).machines, 19);
    }

    #[test]
    fn network_that_cannot_be_read_is_unknown() {
        for nodes in ["", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/-1", "x/8", "::/129", "/"] {
            assert!(network(nodes, &[]).is_err(), "{nodes}");
        }
        assert_eq!(network("2001:db8::/64", &[]), Ok(None));
        assert_eq!(network("0.0.0.0/0", &[]).unwrap().unwrap().addresses, 1 << 32);
    }
}
