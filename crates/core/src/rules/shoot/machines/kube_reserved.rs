// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use garden_gate_model::api::{KubeletConfig, MachineType, Shoot};
use garden_gate_text::go::Quantity;

use super::each_pool;

rule! {
    page: include_str!("kube_reserved.md"),
    id: "shoot/kube-reserved",
    summary: "rejects `kubeReserved` of at least the capacity of the machines",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    only_if: Changed,
    findings: {
        TOO_MUCH = "shoot/kube-reserved": "a worker pool reserves at least the capacity of its machines",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let mut kubelet = shoot.new.and_then(|new| new.spec.kubernetes.kubelet.as_ref());
    let pools = shoot.new.into_iter().flat_map(|new| &new.spec.provider.workers);
    let mut settings = pools
        .map(|pool| {
            let own = pool.kubernetes.as_ref()?;
            kubelet = own.kubelet.as_ref().or(kubelet);
            kubelet
        })
        .collect::<Vec<_>>()
        .into_iter();
    each_pool(context, shoot, findings, |checked, findings| {
        let Some(kubelet) = settings.next().flatten() else {
            return;
        };
        let machine = &checked.pool.new.machine.machine_type;
        let types = checked.spec.machine_types.iter();
        for machine_type in types.filter(|it| it.name == *machine) {
            let path = checked.pool.path().child("kubernetes").child("kubelet");
            compare(kubelet, machine_type, &path, findings);
        }
    });
}

fn compare(
    kubelet: &KubeletConfig,
    machine: &MachineType,
    path: &FieldPath,
    findings: &mut Findings,
) {
    let reserved = kubelet.kube_reserved.as_ref();
    let cpu = reserved.and_then(|it| it.cpu.as_ref());
    let memory = reserved.and_then(|it| it.memory.as_ref());
    let pairs: [(&str, Option<&Quantity>, Option<&Quantity>); 2] =
        [("CPU", cpu, machine.cpu.as_deref()), ("memory", memory, machine.memory.as_deref())];
    for (what, reserved, capacity) in pairs {
        if let (Some(reserved), Some(capacity)) = (reserved, capacity)
            && reserved >= capacity
        {
            let message = format!(
                "{what} of `{reserved}` is set aside for Kubernetes, and machine type `{}` has `{capacity}`",
                machine.name
            );
            findings
                .invalid(&TOO_MUCH, path.clone(), message)
                .value(format!("kubeReserved {what}: {reserved}"))
                .help("set less aside, or use a larger machine type");
        }
    }
}
