// SPDX-License-Identifier: Apache-2.0
//! Sizes of the pod networks of nodes.

use garden_gate_model::api::{KubeControllerManagerConfig, KubeletConfig, Shoot};

/// The kubelet's default of `maxPods`.
const MAX_PODS: i32 = 110;
/// Fixed size for IPv6, which has enough addresses.
const IPV6: i32 = 64;

/// The message and help for a Shoot with IPv4 and IPv6 that switches back to IPv4.
///
/// Gardener fills `nodeCIDRMaskSizeIPv6` in, treats it as immutable once it is set, and forbids it in Shoots of IPv4.
pub(super) const NO_WAY_BACK: [&str; 2] = [
    "`nodeCIDRMaskSizeIPv6` is immutable once it is set, and a Shoot of IPv4 cannot have it: this Shoot cannot go back to IPv4",
    "keep `ipFamilies: [IPv4, IPv6]` and `nodeCIDRMaskSizeIPv6` as they are stored",
];

/// Returns `nodeCIDRMaskSize` and `nodeCIDRMaskSizeIPv6`, with Gardener's defaults for omitted values.
///
/// Mirrors SetDefaults_Shoot in `pkg/apis/core/v1beta1/defaults_shoot.go`.
pub(super) fn mask_sizes(shoot: &Shoot) -> [Option<i32>; 2] {
    let manager = shoot.spec.kubernetes.kube_controller_manager.as_ref();
    let setting =
        |select: fn(&KubeControllerManagerConfig) -> Option<i32>| manager.and_then(select);
    let size = setting(|manager| manager.node_cidr_mask_size);
    let size_ipv6 = setting(|manager| manager.node_cidr_mask_size_ipv6);
    if shoot.spec.provider.workers.is_empty() {
        return [size, size_ipv6];
    }
    let networking = shoot.spec.networking.as_ref();
    let has = |family| networking.map_or(family == "IPv4", |networking| networking.has(family));
    match (has("IPv4"), has("IPv6")) {
        (true, true) => [size.or_else(|| Some(default_size(shoot))), size_ipv6.or(Some(IPV6))],
        (true, false) => [size.or_else(|| Some(default_size(shoot))), size_ipv6],
        (false, true) if size_ipv6.is_none() => [size.or(Some(IPV6)), None],
        _ => [size, size_ipv6],
    }
}

/// Returns the mask size with twice as many addresses as a node may have pods.
fn default_size(shoot: &Shoot) -> i32 {
    let max_pods = |kubelet: &KubeletConfig| kubelet.max_pods;
    let of_shoot = shoot.spec.kubernetes.kubelet.as_deref().and_then(max_pods);
    let pools = shoot.spec.provider.workers.iter();
    let of_pools = pools.filter_map(|pool| pool.own_kubelet().and_then(max_pods));
    size_for(of_pools.fold(of_shoot.unwrap_or(MAX_PODS), i32::max))
}

/// Returns the mask size for `pods`.
///
/// Mirrors calculateDefaultNodeCIDRMaskSize in `pkg/apis/core/v1beta1/defaults_shoot.go`, overflows included.
fn size_for(pods: i32) -> i32 {
    let bits = match pods.wrapping_mul(2) {
        // 31 bits at most.
        addresses @ 1.. => (addresses - 1).checked_ilog2().map_or(0, |log| log + 1),
        // Gardener's logarithm is not a number here; this is its conversion to a 32-bit integer.
        ..=0 => return 32_i32.wrapping_sub(i32::MIN),
    };
    32_i32.saturating_sub_unsigned(bits)
}

/// Returns the number of pod addresses in the network of a node; `None` if it overflows.
///
/// Mirrors ValidateNodeCIDRMaskWithMaxPod in `pkg/api/core/validation/shoot.go`, overflows included.
pub(super) fn addresses(size: i32, is_ipv6: bool) -> Option<i128> {
    let length = if is_ipv6 { 128_i32 } else { 32 };
    let bits = u32::try_from(length.wrapping_sub(size)).unwrap_or(0);
    // The first and the last one are reserved.
    1_i128.checked_shl(bits).filter(|it| *it > 0).map(|it| it - 2)
}

/// Returns the maximum number of pods of a node, by the settings of the kubelet.
pub(super) fn most_pods(shoot: &Shoot) -> i32 {
    let kubelet = shoot.spec.kubernetes.kubelet.as_deref();
    let of_shoot = kubelet.and_then(|it| it.max_pods).unwrap_or(0);
    let of_pools = shoot.spec.provider.workers.iter().filter_map(|pool| pool.own_kubelet());
    match of_pools.filter_map(|it| it.max_pods).fold(of_shoot, i32::max) {
        0 => MAX_PODS,
        most => most,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{addresses, size_for};

    #[rstest]
    #[case(i32::MIN, -2_147_483_616)]
    #[case(-2_147_483_647, 31)]
    #[case(-1_073_741_825, 1)]
    #[case(-1_073_741_824, -2_147_483_616)]
    #[case(-1, -2_147_483_616)]
    #[case(0, -2_147_483_616)]
    #[case(1, 31)]
    #[case(2, 30)]
    #[case(3, 29)]
    #[case(4, 29)]
    #[case(5, 28)]
    #[case(8, 28)]
    #[case(9, 27)]
    #[case(64, 25)]
    #[case(65, 24)]
    #[case(110, 24)]
    #[case(128, 24)]
    #[case(129, 23)]
    #[case(32_768, 16)]
    #[case(32_769, 15)]
    #[case(536_870_912, 2)]
    #[case(536_870_913, 1)]
    #[case(1_073_741_823, 1)]
    #[case(1_073_741_824, -2_147_483_616)]
    #[case(i32::MAX, -2_147_483_616)]
    fn default_mask_size_overflows_as_in_go(#[case] pods: i32, #[case] size: i32) {
        assert_eq!(size_for(pods), size);
    }

    #[rstest]
    #[case(i32::MIN, false, Some(-1))]
    #[case(-2_147_483_617, false, Some(-1))]
    #[case(-2_147_483_616, false, Some(-1))]
    #[case(-2_147_483_615, false, None)]
    #[case(0, false, Some((1 << 32) - 2))]
    #[case(1, false, Some((1 << 31) - 2))]
    #[case(24, false, Some(254))]
    #[case(31, false, Some(0))]
    #[case(32, false, Some(-1))]
    #[case(33, false, Some(-1))]
    #[case(i32::MAX, false, Some(-1))]
    #[case(i32::MIN, true, Some(-1))]
    #[case(-2_147_483_520, true, Some(-1))]
    #[case(-2_147_483_519, true, None)]
    #[case(0, true, None)]
    #[case(64, true, Some((1 << 64) - 2))]
    #[case(121, true, Some(126))]
    #[case(i32::MAX, true, Some(-1))]
    fn addresses_of_mask_size_overflow_as_in_go(
        #[case] size: i32,
        #[case] is_ipv6: bool,
        #[case] expected: Option<i128>,
    ) {
        assert_eq!(addresses(size, is_ipv6), expected);
    }
}
