//! How large the pod networks of nodes are.

use crate::model::{KubeControllerManager, Kubelet, Shoot};

/// What a kubelet takes unless told otherwise.
const MAX_PODS: i32 = 110;
/// Of IPv6 addresses there are enough.
const IPV6: i32 = 64;

/// `nodeCIDRMaskSize` and `nodeCIDRMaskSizeIPv6`, as Gardener fills them in where nothing is said.
///
/// Mirrors SetDefaults_Shoot in `pkg/apis/core/v1beta1/defaults_shoot.go`.
pub(super) fn mask_sizes(shoot: &Shoot) -> [Option<i32>; 2] {
    let manager = shoot.spec.kubernetes.kube_controller_manager.as_ref();
    let said = |select: fn(&KubeControllerManager) -> Option<i32>| manager.and_then(select);
    let size = said(|manager| manager.node_cidr_mask_size);
    let size_ipv6 = said(|manager| manager.node_cidr_mask_size_ipv6);
    if shoot.spec.provider.workers.is_empty() {
        return [size, size_ipv6];
    }
    let networking = shoot.spec.networking.as_ref();
    let has = |family| networking.map_or(family == "IPv4", |networking| networking.has(family));
    match (has("IPv4"), has("IPv6")) {
        (true, true) => [
            size.or_else(|| default_size(shoot)),
            size_ipv6.or(Some(IPV6)),
        ],
        (true, false) => [size.or_else(|| default_size(shoot)), size_ipv6],
        (false, true) if size_ipv6.is_none() => [size.or(Some(IPV6)), None],
        _ => [size, size_ipv6],
    }
}

/// Room for twice as many addresses as there can be pods on a node; `None` if there can be none.
fn default_size(shoot: &Shoot) -> Option<i32> {
    let max_pods = |kubelet: &Kubelet| kubelet.max_pods;
    let of_shoot = shoot.spec.kubernetes.kubelet.as_deref().and_then(max_pods);
    let pools = shoot.spec.provider.workers.iter();
    let of_pools = pools.filter_map(|pool| pool.own_kubelet().and_then(max_pods));
    let most = of_pools.fold(of_shoot.unwrap_or(MAX_PODS), i32::max);
    let addresses = u64::try_from(most).ok().filter(|most| *most > 0)? * 2;
    let bits = i32::try_from(addresses.next_power_of_two().trailing_zeros()).ok()?;
    Some(32 - bits)
}
