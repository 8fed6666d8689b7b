// SPDX-License-Identifier: Apache-2.0
//! Metrics of the policies of operators.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use garden_gate_core::policies::{OwnPolicy, PolicyResult};

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct PolicyLabels {
    policy: &'static str,
    result: &'static str,
}

/// Metrics of the policies of operators; labels only contain the names of loaded ones.
#[derive(Debug, Default)]
pub(crate) struct PolicyNumbers {
    evaluations: Family<PolicyLabels, Counter>,
    count: Gauge,
    /// The labels of the loaded policies.
    labels: Mutex<BTreeSet<&'static str>>,
}

impl PolicyNumbers {
    /// Adds the metrics of loaded policies, and removes those of others.
    pub(crate) fn loaded(&self, policies: &[OwnPolicy]) {
        let new: BTreeSet<&'static str> = policies.iter().map(OwnPolicy::label).collect();
        let mut labels = self.labels.lock().unwrap_or_else(PoisonError::into_inner);
        for policy in labels.difference(&new) {
            for result in PolicyResult::ALL {
                self.evaluations.remove(&PolicyLabels { policy, result: result.as_str() });
            }
        }
        for policy in &new {
            for result in PolicyResult::ALL {
                // Exported as 0, so that alerts see the first violation.
                let labels = PolicyLabels { policy, result: result.as_str() };
                drop(self.evaluations.get_or_create(&labels));
            }
        }
        self.count.set(i64::try_from(new.len()).unwrap_or(i64::MAX));
        *labels = new;
    }

    /// Counts the results of policies for a request, but for those that are no longer loaded.
    pub(crate) fn record(&self, evaluated: &[(&'static str, PolicyResult)]) {
        for (policy, result) in evaluated {
            let labels = PolicyLabels { policy, result: result.as_str() };
            if let Some(count) = self.evaluations.get(&labels) {
                count.inc();
            }
        }
    }

    /// Registers all metrics.
    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register("policies", "GardenPolicies that are evaluated", self.count.clone());
        registry.register(
            "policy_evaluations",
            "Evaluations of GardenPolicies by result; `failed` if an expression failed or cost too much, `undetermined` if an object was unknown, or a limit on effort or time was exceeded",
            self.evaluations.clone(),
        );
    }
}
