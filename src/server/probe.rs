// SPDX-License-Identifier: Apache-2.0
//! Sends a test AdmissionReview to a server, like an API server.

use std::time::Duration;

use http::header::CONTENT_TYPE;
use http::{Request, Uri};
use kube::{Client, Config};
use rustls::pki_types::CertificateDer;
use serde_json::{Value, json};
use thiserror::Error;

use crate::garden::live::innermost;

/// The default timeout of API servers for webhooks.
const TIMEOUT: Duration = Duration::from_secs(10);
const UID: &str = "garden-gate-probe";

/// The response of a server.
#[derive(Debug)]
pub struct Probed {
    /// Whether the request would be allowed.
    pub allowed: bool,
    /// Whether the request could be evaluated.
    /// If not, it is refused, too.
    pub is_judged: bool,
    /// The message for the user if the request is refused.
    pub message: String,
}

/// The reason why a server returned no verdict.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The address is invalid.
    #[error("`{url}` is not a valid URL of a server: {why}")]
    Address {
        /// The address.
        url: Uri,
        /// The reason.
        why: String,
    },
    /// The server does not respond, or not with success.
    #[error("{url} gave no verdict: {why}")]
    NoVerdict {
        /// The address.
        url: Uri,
        /// The reason.
        why: String,
    },
}

/// Sends the creation of a test object to `/validate` of a server.
///
/// Nothing is created.
///
/// The object is a Shoot without a Project or, for a server in a Shoot cluster, a Deployment.
///
/// # Errors
/// Fails if there is no verdict within ten seconds.
pub async fn probe(
    url: &Uri,
    ca: Vec<CertificateDer<'static>>,
    is_of_shoot_cluster: bool,
) -> Result<Probed, ProbeError> {
    let address = |why| ProbeError::Address { url: url.clone(), why };
    let mut config = Config::new(url.clone());
    config.root_cert = Some(ca.iter().map(|it| it.to_vec()).collect());
    (config.connect_timeout, config.read_timeout) = (Some(TIMEOUT), Some(TIMEOUT));
    // A retry would hide that the server does not respond.
    config.default_retry = false;
    let client = Client::try_from(config).map_err(|error| address(innermost(&error)))?;
    let request = Request::post("/validate?timeout=10s")
        .header(CONTENT_TYPE, "application/json")
        .body(review(is_of_shoot_cluster).to_string().into_bytes())
        .map_err(|error| address(error.to_string()))?;
    let no_verdict = |why| ProbeError::NoVerdict { url: url.clone(), why };
    let answer: Value =
        client.request(request).await.map_err(|error| no_verdict(innermost(&error)))?;
    read(&answer["response"])
        .ok_or_else(|| no_verdict("the response is not from an admission webhook".to_owned()))
}

fn read(response: &Value) -> Option<Probed> {
    let allowed = response["allowed"].as_bool();
    let message = response["status"]["message"].as_str().unwrap_or_default();
    (response["uid"] == UID).then_some(Probed {
        allowed: allowed?,
        is_judged: response["auditAnnotations"]["decision"] != "undetermined",
        message: message.to_owned(),
    })
}

fn review(is_of_shoot_cluster: bool) -> Value {
    let (group, version, kind, resource) = if is_of_shoot_cluster {
        ("apps", "v1", "Deployment", "deployments")
    } else {
        ("core.gardener.cloud", "v1beta1", "Shoot", "shoots")
    };
    let name = UID;
    json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": UID,
            "kind": {"group": group, "version": version, "kind": kind},
            "resource": {"group": group, "version": version, "resource": resource},
            "namespace": name,
            "name": name,
            "operation": "CREATE",
            "dryRun": true,
            "userInfo": {"username": name},
            "object": {
                "apiVersion": format!("{group}/{version}"),
                "kind": kind,
                "metadata": {"namespace": name, "name": name},
                "spec": {},
            },
        },
    })
}
