// SPDX-License-Identifier: Apache-2.0
//! Lists the workload of a Shoot cluster once, for checks before a change.

use http::Request;
use kube::api::ListParams;

use super::error::{innermost, reason};
use super::pages::{self, Pages};
use super::{Connection, LiveError};
use garden_gate_core::workload::Workload;

/// The listed resources, with the API version and the kind of their objects.
///
/// Secrets are not among them, so that the manifests of Helm releases are not read.
const RESOURCES: [(&str, &str, &str); 14] = [
    ("pods", "v1", "Pod"),
    ("replicationcontrollers", "v1", "ReplicationController"),
    ("persistentvolumeclaims", "v1", "PersistentVolumeClaim"),
    ("persistentvolumes", "v1", "PersistentVolume"),
    ("nodes", "v1", "Node"),
    ("deployments", "apps/v1", "Deployment"),
    ("statefulsets", "apps/v1", "StatefulSet"),
    ("replicasets", "apps/v1", "ReplicaSet"),
    ("daemonsets", "apps/v1", "DaemonSet"),
    ("jobs", "batch/v1", "Job"),
    ("cronjobs", "batch/v1", "CronJob"),
    ("poddisruptionbudgets", "policy/v1", "PodDisruptionBudget"),
    (
        "validatingwebhookconfigurations",
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
    ),
    (
        "mutatingwebhookconfigurations",
        "admissionregistration.k8s.io/v1",
        "MutatingWebhookConfiguration",
    ),
];
/// The path of the metrics, and their name among resources that could not be listed.
const METRICS: (&str, &str) = ("/metrics", "metrics");
/// Maximum size of the metrics in bytes.
const METRICS_LIMIT: u64 = 64 << 20;
/// Maximum attempts for a list, whose pages expire after some minutes.
const TRIES: usize = 3;
/// Maximum number of pages of a resource, which ends the list even if the API server returns pages endlessly.
const MOST_PAGES: usize = 100_000;

impl Connection {
    /// Lists the workload of a cluster; `report` is called after each page.
    ///
    /// Resources that the user may not list are recorded in the snapshot, with the reason.
    ///
    /// # Errors
    /// Fails if the API server does not respond, or rejects the credentials.
    pub async fn workload(&self, report: impl Fn()) -> Result<Workload, LiveError> {
        let mut workload = Workload::default();
        for resource in RESOURCES {
            if let Err(error) = self.resource(resource, &mut workload, &report).await {
                workload.add_unlisted(resource.0, self.refused(&error)?);
            }
        }
        let (path, name) = METRICS;
        match self.metrics(path).await {
            Ok(Some(text)) => workload.add_metrics(&text),
            Ok(None) => workload.add_unlisted(name, "the API server returns too many of them"),
            Err(error) => workload.add_unlisted(name, self.refused(&error)?),
        }
        Ok(workload)
    }

    /// Adds all objects of a resource, page by page; pages that expire are listed again.
    async fn resource(
        &self,
        (resource, api_version, kind): (&str, &str, &str),
        workload: &mut Workload,
        report: &impl Fn(),
    ) -> Result<(), kube::Error> {
        let root = if api_version.contains('/') { "apis" } else { "api" };
        let path = format!("/{root}/{api_version}/{resource}");
        let mut pages = Pages::of_path(self.client.client(), path, ListParams::default());
        let mut tries = 0;
        for _ in 0..MOST_PAGES {
            match pages.next_text().await {
                Err(kube::Error::Api(status)) if status.code == 410 && tries < TRIES => {
                    tries += 1;
                    pages.restart();
                }
                page => match page? {
                    Some(text) => {
                        workload.add_list(resource, api_version, kind, &text);
                        report();
                    }
                    None => return Ok(()),
                },
            }
        }
        workload.add_unlisted(resource, "the API server returns too many pages");
        Ok(())
    }

    /// Returns the metrics of the API server; `None` if they are too large.
    async fn metrics(&self, path: &str) -> Result<Option<String>, kube::Error> {
        let request = Request::get(path).body(Vec::new()).map_err(kube::Error::HttpError)?;
        pages::read(&self.client.client(), request, METRICS_LIMIT).await
    }

    /// Returns the reason why a request was refused.
    ///
    /// # Errors
    /// Fails if the API server did not respond, or rejects the credentials.
    fn refused(&self, error: &kube::Error) -> Result<String, LiveError> {
        let address = self.address.clone();
        match error {
            kube::Error::Api(status) if status.code == 401 => {
                Err(LiveError::Unauthorized { address, why: reason(error) })
            }
            kube::Error::Api(_) | kube::Error::SerdeError(_) | kube::Error::ReadEvents(_) => {
                Ok(reason(error))
            }
            other => Err(LiveError::Unreachable { address, why: innermost(other) }),
        }
    }
}
