// SPDX-License-Identifier: Apache-2.0
//! Tests of the Helm chart: it renders for every documented set of values, and a real API server accepts the result.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should fail")]

mod account;
mod installed;
mod operator;
mod packaged;
mod pod;
mod rendered;
mod server_admission;

use kube::ResourceExt as _;
use kube::api::DynamicObject;
use serde_json::Value;

use crate::cluster::helm::Helm;
use crate::cluster::objects::documents;

const DEFAULT: &[&str] = &["--values=ci/default.yaml"];
const CERT_MANAGER: &[&str] = &["--values=ci/cert-manager.yaml"];
const MONITORING: &[&str] = &["--values=ci/monitoring.yaml"];
const VIRTUAL_RUNTIME: &[&str] = &["--values=ci/virtual-garden.yaml"];
const VIRTUAL_GARDEN: &[&str] = &["--values=ci/virtual-garden.yaml", "--set=target=garden"];
const SHOOT_CLUSTER: &[&str] = &["--values=ci/shoot-cluster.yaml"];
const CLIENT_CERTIFICATES: &[&str] = &["--values=ci/client-certificates.yaml"];
const OPERATOR_RUNTIME: &[&str] = &["--values=ci/operator-runtime.yaml"];
const OPERATOR_VIRTUAL: &[&str] = &["--values=ci/operator-virtual.yaml"];
const ALL: [&[&str]; 9] = [
    DEFAULT,
    CERT_MANAGER,
    MONITORING,
    CLIENT_CERTIFICATES,
    VIRTUAL_RUNTIME,
    VIRTUAL_GARDEN,
    SHOOT_CLUSTER,
    OPERATOR_RUNTIME,
    OPERATOR_VIRTUAL,
];

/// The namespace of the release.
const NAMESPACE: &str = "garden-gate";
/// The user name of the service account.
const ACCOUNT: &str = "system:serviceaccount:garden-gate:garden-gate";

/// The operators' namespace, and the own one, which rejects pods with unnecessary privileges.
const NAMESPACES: &str = "
apiVersion: v1
kind: Namespace
metadata: { name: garden }
---
apiVersion: v1
kind: Namespace
metadata:
  name: garden-gate
  labels: { pod-security.kubernetes.io/enforce: restricted }
";

/// The PriorityClass that gardener-operator creates.
const PRIORITY_CLASS: &str = "
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: gardener-garden-system-400 }
value: 999999400
";

fn rendered(helm: &Helm, values: &[&str]) -> Vec<DynamicObject> {
    documents(&helm.template(values).unwrap())
}

fn kinds(objects: &[DynamicObject]) -> Vec<&str> {
    let mut kinds: Vec<&str> =
        objects.iter().map(|object| object.types.as_ref().unwrap().kind.as_str()).collect();
    kinds.sort_unstable();
    kinds
}

/// Returns the object of this kind that has the name of the release.
fn only<'a>(objects: &'a [DynamicObject], kind: &str) -> &'a Value {
    let named = |object: &&DynamicObject| {
        object.types.as_ref().unwrap().kind == kind && object.name_any() == "garden-gate"
    };
    &objects.iter().find(named).unwrap().data
}
