// SPDX-License-Identifier: Apache-2.0
//! Pods by their controllers.

use std::collections::BTreeMap;

use super::kinds::Controller;
use super::pod::{Pod, PodSpec};
use super::{Metadata, ObjectName, Workload};

/// Maximum number of owners between a pod and its outermost controller; owners may be cyclic.
const LEVELS: usize = 8;
/// The controllers whose pods are replaced one by one, with their number in `replicas`.
const REPLICATED: [&str; 4] = ["Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"];

/// The pods of a controller, or a pod without one.
///
/// Finished pods, pods in deletion and static pods are left out, since drains ignore them.
#[derive(Debug)]
pub(crate) struct PodSet<'a> {
    /// The outermost known controller, or the pod.
    pub(crate) object: ObjectName,
    /// The metadata of the template, or of the first pod.
    pub(crate) metadata: &'a Metadata,
    /// The template, or the first pod.
    pub(crate) spec: &'a PodSpec,
    /// The desired number of pods of a replicated controller; `None` for others and unknown ones.
    pub(crate) replicas: Option<u64>,
    /// Reports whether there may be more pods than `replicas`, since an autoscaler sets their number.
    pub(crate) is_scaled: bool,
    /// The known pods; empty if there are only manifests of controllers.
    pub(crate) pods: Vec<&'a Pod>,
    /// Reports whether a controller creates the pods again.
    pub(crate) has_controller: bool,
}

impl<'a> PodSet<'a> {
    /// Returns the pods of all controllers of a workload, in the order of names.
    pub(crate) fn all(workload: &'a Workload) -> Vec<Self> {
        let mut sets: BTreeMap<ObjectName, Self> = BTreeMap::new();
        for (name, controller) in &workload.controllers {
            if !controller.is_finished() && root(name.clone(), workload) == *name {
                let minimum = workload.scaled.get(name).copied();
                sets.insert(name.clone(), Self::of_controller(name, controller, minimum));
            }
        }
        for (name, pod) in &workload.pods {
            let owner = pod.metadata.controller();
            if !pod.is_drained() || owner.is_some_and(|it| it.kind == "Node") {
                continue;
            }
            let owner = owner.map(|owner| ObjectName {
                kind: owner.kind.clone(),
                namespace: name.namespace.clone(),
                name: owner.name.clone(),
            });
            let has_controller = owner.is_some();
            let object = owner.map_or_else(|| name.clone(), |owner| root(owner, workload));
            let set = sets.entry(object).or_insert_with_key(|object| Self {
                object: object.clone(),
                metadata: &pod.metadata,
                spec: &pod.spec,
                replicas: None,
                is_scaled: false,
                pods: Vec::new(),
                has_controller,
            });
            set.pods.push(pod);
        }
        sets.into_values().collect()
    }

    /// Returns the pods of a controller; with `minimum`, the replicas for which a HorizontalPodAutoscaler may scale it.
    fn of_controller(name: &ObjectName, controller: &'a Controller, minimum: Option<u64>) -> Self {
        let spec = &controller.spec;
        let own = spec.replicas.map(|it| u64::try_from(it).unwrap_or_default());
        let replicas = minimum.filter(|_| own != Some(0)).or(own).unwrap_or(1);
        Self {
            object: name.clone(),
            metadata: &spec.template.metadata,
            spec: &spec.template.spec,
            replicas: REPLICATED.contains(&name.kind.as_str()).then_some(replicas),
            is_scaled: own.is_none() || minimum.is_some(),
            pods: Vec::new(),
            has_controller: true,
        }
    }

    /// Reports whether a Deployment or another controller with `replicas` has the pods.
    pub(crate) fn is_replicated(&self) -> bool {
        REPLICATED.contains(&self.object.kind.as_str())
    }

    /// Reports whether drains evict the pods: those of DaemonSets stay, and a controller may have none.
    pub(crate) fn is_drained(&self) -> bool {
        !self.is_of_daemon_set() && (self.replicas != Some(0) || !self.pods.is_empty())
    }

    /// Reports whether a DaemonSet has the pods.
    pub(crate) fn is_of_daemon_set(&self) -> bool {
        self.object.kind == "DaemonSet"
    }
}

/// Returns the Deployment or CronJob whose name is part of the name of a ReplicaSet or Job.
fn creator(name: &ObjectName) -> Option<ObjectName> {
    let kind = match name.kind.as_str() {
        "ReplicaSet" => "Deployment",
        "Job" => "CronJob",
        _ => return None,
    };
    let (creator, _) = name.name.rsplit_once('-')?;
    let namespace = name.namespace.clone();
    Some(ObjectName { kind: kind.to_owned(), namespace, name: creator.to_owned() })
}

/// Returns the outermost known controller of an object, or the object itself.
fn root(mut name: ObjectName, workload: &Workload) -> ObjectName {
    for _ in 0..LEVELS {
        let owner = match workload.controllers.get(&name) {
            Some(controller) => controller.metadata.controller().map(|owner| ObjectName {
                kind: owner.kind.clone(),
                namespace: name.namespace.clone(),
                name: owner.name.clone(),
            }),
            None => creator(&name),
        };
        let Some(owner) = owner else { break };
        if !workload.controllers.contains_key(&owner) {
            break;
        }
        name = owner;
    }
    name
}
