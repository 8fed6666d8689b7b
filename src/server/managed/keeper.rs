use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jiff::Timestamp;
use kube::Client;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::api::{Api, ApiError};
use super::contents::{Contents, Pair};
use super::plan::{self, Lifetimes, Step};
use super::{issue, webhooks};
use crate::server::certificate::Identity;
use crate::server::{CertificateError, ManagedOptions};

/// How long a start waits for the API server, before it fails and is tried again by whoever started it.
const PATIENCE: Duration = Duration::from_secs(30);
const RETRY: Duration = Duration::from_millis(500);
/// Keeps lifetimes of seconds, as tests have them, from being a load.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(200);
/// For so long nothing reaches the gate when somebody applies its registration anew, without the CA.
const LONGEST_INTERVAL: Duration = Duration::from_secs(10);
/// Replicas conflict at most once each for every step.
const MOST_STEPS: usize = 16;
/// Marks Secrets that are ours to write.
const OWNER: (&str, &str) = ("app.kubernetes.io/managed-by", "garden-gate");

/// Keeps the Secret, the webhook configurations and the pair in use as they should be.
pub(in crate::server) struct Keeper {
    api: Api,
    options: ManagedOptions,
    lifetimes: Lifetimes,
    names: Vec<String>,
    pair: ArcSwapOption<Pair>,
}

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keeper").finish_non_exhaustive()
    }
}

/// The Secret as it is stored.
struct Stored {
    version: Value,
    contents: Option<Contents>,
}

impl Keeper {
    /// Keeps a certificate for the Service and the other names of `options`.
    pub(in crate::server) fn new(client: Client, options: ManagedOptions) -> Self {
        let (service, namespace) = (&options.service, &options.namespace);
        let mut names: Vec<String> = ["", ".cluster.local"]
            .map(|suffix| format!("{service}.{namespace}.svc{suffix}"))
            .into();
        names.extend(options.names.iter().cloned());
        names.sort();
        names.dedup();
        Self {
            api: Api(client),
            lifetimes: Lifetimes::of_leaf(options.lifetime),
            names,
            options,
            pair: ArcSwapOption::empty(),
        }
    }

    /// Waits for the first certificate.
    ///
    /// # Errors
    /// When there is none after half a minute, with the last reason.
    pub(in crate::server) async fn obtain(&self) -> Result<(), CertificateError> {
        let start = Instant::now();
        loop {
            match self.look_after(Timestamp::now()).await {
                Ok(()) if self.pair.load().is_some() => return Ok(()),
                Ok(()) => {}
                Err(why) if start.elapsed() > PATIENCE => {
                    return Err(CertificateError::Managed(why));
                }
                Err(why) => tracing::warn!("{why}; trying again"),
            }
            sleep(RETRY).await;
        }
    }

    /// Looks after everything, for ever. Whatever fails is tried again; the last third of every lifetime is there for that.
    pub(in crate::server) async fn keep(&self) {
        let interval = Duration::try_from(self.options.lifetime / 30).unwrap_or_default();
        let interval = interval.clamp(SHORTEST_INTERVAL, LONGEST_INTERVAL);
        loop {
            sleep(interval).await;
            if let Err(why) = self.look_after(Timestamp::now()).await {
                tracing::error!("{why}; trying again");
            }
        }
    }

    /// The pair in use; `None` before the first.
    pub(in crate::server) fn identity(&self) -> Result<Option<Identity>, CertificateError> {
        let Some(pair) = self.pair.load_full() else {
            return Ok(None);
        };
        let unreadable = |error| {
            CertificateError::Managed(format!("failed to read the Secret's certificate: {error}"))
        };
        let certificate = CertificateDer::from_pem_slice(pair.certificate.as_bytes());
        let key = PrivateKeyDer::from_pem_slice(pair.key.as_bytes());
        Ok(Some(Identity {
            chain: vec![certificate.map_err(unreadable)?],
            key: key.map_err(unreadable)?,
        }))
    }

    /// Differs once the pair in use does.
    pub(in crate::server) fn fingerprint(&self) -> Option<String> {
        self.pair
            .load()
            .as_ref()
            .map(|pair| pair.certificate.clone())
    }

    /// Takes every step that is due, one by one, since each changes what is due next.
    async fn look_after(&self, now: Timestamp) -> Result<(), String> {
        for _ in 0..MOST_STEPS {
            let stored = self.read().await?;
            let published = match &stored.contents {
                Some(contents) => self.publish_and_use(contents, now).await,
                None => false,
            };
            let contents = stored.contents;
            let step = plan::step(
                contents.as_ref(),
                &self.names,
                published,
                self.lifetimes,
                now,
            );
            if step == Step::Keep {
                return Ok(());
            }
            let contents = issue::take(step, contents, &self.names, self.lifetimes, now)
                .map_err(|error| format!("failed to make a certificate: {error}"))?;
            match self.write(&contents, &stored.version).await {
                Ok(()) => tracing::info!("wrote Secret {}: {step:?}", self.options.secret),
                // Another replica was faster; what it wrote is as good.
                Err(ApiError::Conflict) => {}
                Err(error) => return Err(self.explain(error)),
            }
        }
        Ok(())
    }

    /// Trust first, use second. An old pair stays in use while the API server cannot be told about a new CA.
    async fn publish_and_use(&self, contents: &Contents, now: Timestamp) -> bool {
        let bundle = contents.bundle(now);
        let name = &self.options.webhook_configuration;
        let published = match name {
            Some(name) => webhooks::publish(&self.api, name, &bundle).await,
            None => Ok(()),
        };
        if let Err(error) = &published {
            tracing::warn!("the CA bundle is not in the webhook configurations yet: {error:?}");
        }
        let in_use = self.pair.load();
        if in_use.as_deref() != Some(&contents.leaf) {
            self.pair.store(Some(Arc::new(contents.leaf.clone())));
        }
        published.is_ok()
    }

    async fn read(&self) -> Result<Stored, String> {
        let object = match self.api.get(&self.path(true)).await {
            Ok(object) => object,
            Err(ApiError::NotFound) => {
                return Ok(Stored {
                    version: Value::Null,
                    contents: None,
                });
            }
            Err(error) => return Err(self.explain(error)),
        };
        if object["metadata"]["labels"][OWNER.0] != OWNER.1 {
            let secret = &self.options.secret;
            return Err(format!(
                "Secret `{secret}` exists and is not ours, as it lacks the label `{}: {}`; name another with --cert-secret",
                OWNER.0, OWNER.1
            ));
        }
        let contents = Contents::read(&decoded(&object["data"])).map_err(|why| {
            tracing::error!(
                "Secret {} cannot be used and is made anew: {why}",
                self.options.secret
            );
        });
        Ok(Stored {
            version: object["metadata"]["resourceVersion"].clone(),
            contents: contents.ok(),
        })
    }

    async fn write(&self, contents: &Contents, version: &Value) -> Result<(), ApiError> {
        let data = contents.write().into_iter();
        let data: BTreeMap<String, String> = data
            .map(|(key, text)| (key, BASE64_STANDARD.encode(text)))
            .collect();
        let mut object = json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {
                "name": self.options.secret,
                "namespace": self.options.namespace,
                "labels": {OWNER.0: OWNER.1},
            },
            "data": data,
        });
        if version.is_null() {
            self.api.create(&self.path(false), &object).await?;
        } else {
            object["metadata"]["resourceVersion"] = version.clone();
            self.api.replace(&self.path(true), &object).await?;
        }
        Ok(())
    }

    fn path(&self, named: bool) -> String {
        let ManagedOptions {
            namespace, secret, ..
        } = &self.options;
        let list = format!("/api/v1/namespaces/{namespace}/secrets");
        if named {
            format!("{list}/{secret}")
        } else {
            list
        }
    }

    fn explain(&self, error: ApiError) -> String {
        let ManagedOptions { namespace, .. } = &self.options;
        match error {
            ApiError::NotFound => {
                format!("namespace `{namespace}` does not exist; create it first")
            }
            ApiError::Conflict => format!(
                "Secret `{}` was changed by somebody else",
                self.options.secret
            ),
            ApiError::Other(why) => why,
        }
    }
}

fn decoded(data: &Value) -> BTreeMap<String, String> {
    let entries = data.as_object().into_iter().flatten();
    entries
        .filter_map(|(key, value)| {
            let bytes = BASE64_STANDARD.decode(value.as_str()?).ok()?;
            Some((key.clone(), String::from_utf8(bytes).ok()?))
        })
        .collect()
}
