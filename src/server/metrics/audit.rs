// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::server::metrics::background::RunNumbers;
use garden_gate_products::audit::{ObjectCounts, Tally};

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, Ord, PartialEq, PartialOrd)]
struct FindingLabels {
    rule: &'static str,
    level: &'static str,
    kind: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct KindLabels {
    kind: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ResultLabels {
    result: &'static str,
}

/// The metrics of the last audit.
#[derive(Debug, Default)]
pub(crate) struct AuditNumbers {
    findings: Family<FindingLabels, Gauge>,
    /// Exported counts.
    ///
    /// Findings that disappear are exported as 0 until the process ends, so that alerts resolve.
    counts: Mutex<BTreeMap<FindingLabels, i64>>,
    objects: Family<KindLabels, Gauge>,
    results: Family<ResultLabels, Gauge>,
    runs: RunNumbers,
}

impl AuditNumbers {
    /// Updates the metrics with an audit and its duration.
    pub(crate) fn record(&self, tally: &Tally, took: Duration) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.values_mut().for_each(|count| *count = 0);
        for ((level, _), count) in &tally.findings {
            for (kind, objects) in &count.kinds {
                let labels = FindingLabels {
                    rule: count.rule,
                    level: level.0.as_str(),
                    kind: kind.as_str(),
                };
                *counts.entry(labels).or_default() += number(*objects);
            }
        }
        for (labels, count) in &*counts {
            self.findings.get_or_create(labels).set(*count);
        }
        for (kind, count) in &tally.objects {
            let labels = KindLabels { kind: kind.as_str() };
            self.objects.get_or_create(&labels).set(number(*count));
        }
        let ObjectCounts { objects, denied, undetermined, warned } = tally.all;
        for (result, count) in [
            ("denied", denied),
            ("undetermined", undetermined),
            ("warned", warned),
            ("clean", objects - denied - undetermined - warned),
        ] {
            let labels = ResultLabels { result };
            self.results.get_or_create(&labels).set(number(count));
        }
        self.runs.succeeded(took);
    }

    /// Increments the number of failed audits.
    pub(crate) fn failed(&self) {
        self.runs.failed();
    }

    /// Registers the metrics; only called if audits are enabled.
    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register(
            "audit_findings",
            "Objects with findings in the last audit; an object counts once per finding id",
            self.findings.clone(),
        );
        registry.register(
            "audit_objects",
            "Objects in the last audit by kind",
            self.objects.clone(),
        );
        registry.register(
            "audit_results",
            "Objects of the last audit by result; `denied` if a write of the object would be refused",
            self.results.clone(),
        );
        self.runs.register("audit", registry);
    }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
