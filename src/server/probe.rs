//! Asks a gate as an API server does, to see whether verdicts come.

use std::time::Duration;

use http::header::CONTENT_TYPE;
use http::{Request, Uri};
use kube::{Client, Config};
use rustls::pki_types::CertificateDer;
use serde_json::{Value, json};
use thiserror::Error;

use super::source::chain;

/// As long as API servers wait that were not told otherwise.
const PATIENCE: Duration = Duration::from_secs(10);
const UID: &str = "garden-gate-probe";

/// What a gate answered.
#[derive(Debug)]
pub struct Probed {
    /// Whether it would let the request pass.
    pub allowed: bool,
    /// Whether it could judge; a request that cannot be judged is refused, too.
    pub is_judged: bool,
    /// What a user would read, if it is refused.
    pub message: String,
}

/// Why a gate gave no verdict.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The address cannot be used.
    #[error("`{url}` is no address of a gate: {why}")]
    Address {
        /// The address.
        url: Uri,
        /// What is wrong with it.
        why: String,
    },
    /// It does not answer, or not with success.
    #[error("{url} gave no verdict: {why}")]
    NoVerdict {
        /// The address.
        url: Uri,
        /// What went wrong.
        why: String,
    },
}

/// Sends the creation of an object that nobody misses to `/validate` of a gate: of a Shoot without a Project or, of a gate in a Shoot cluster,
/// of a Deployment. Nothing is created.
///
/// # Errors
/// When no verdict comes back within ten seconds.
pub async fn probe(
    url: &Uri,
    ca: Vec<CertificateDer<'static>>,
    is_of_shoot_cluster: bool,
) -> Result<Probed, ProbeError> {
    let address = |why| ProbeError::Address {
        url: url.clone(),
        why,
    };
    let mut config = Config::new(url.clone());
    config.root_cert = Some(ca.iter().map(|it| it.to_vec()).collect());
    (config.connect_timeout, config.read_timeout) = (Some(PATIENCE), Some(PATIENCE));
    // Whether it answers now is the question.
    config.default_retry = false;
    let client = Client::try_from(config).map_err(|error| address(chain(&error)))?;
    let request = Request::post("/validate?timeout=10s").header(CONTENT_TYPE, "application/json");
    let request = request
        .body(review(is_of_shoot_cluster).to_string().into_bytes())
        .map_err(|error| address(error.to_string()))?;
    let no_verdict = |why| ProbeError::NoVerdict {
        url: url.clone(),
        why,
    };
    let answer: Value = client
        .request(request)
        .await
        .map_err(|error| no_verdict(chain(&error)))?;
    read(&answer["response"])
        .ok_or_else(|| no_verdict("what answers is no admission webhook".to_owned()))
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
    let (group, version, kind, resource) = match is_of_shoot_cluster {
        true => ("apps", "v1", "Deployment", "deployments"),
        false => ("core.gardener.cloud", "v1beta1", "Shoot", "shoots"),
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
