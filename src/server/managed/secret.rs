//! The Secret: how it is read and written.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::api::ApiError;
use super::contents::Contents;
use super::keeper::{Keeper, Trouble};
use crate::server::ManagedOptions;

/// Marks Secrets that are ours to write.
const OWNER: (&str, &str) = ("app.kubernetes.io/managed-by", "garden-gate");

/// The Secret as it is stored.
pub(super) struct Stored {
    pub version: Value,
    pub contents: Contents,
}

impl Keeper {
    pub(super) async fn read(&self) -> Result<Stored, Trouble> {
        let object = match self.api.get(&self.path(true)).await {
            Ok(object) => object,
            Err(ApiError::NotFound) => {
                return Ok(Stored {
                    version: Value::Null,
                    contents: Contents::default(),
                });
            }
            Err(error) => return Err(self.explain(error)),
        };
        let secret = &self.options.secret;
        if object["metadata"]["labels"][OWNER.0] != OWNER.1 {
            return Err(Trouble::Mistake(format!(
                "Secret `{secret}` exists and is not ours, as it lacks the label `{}: {}`; name another with --cert-secret",
                OWNER.0, OWNER.1
            )));
        }
        let (contents, problems) = Contents::read(&decoded(&object["data"]), self.now());
        self.complain(problems);
        Ok(Stored {
            version: object["metadata"]["resourceVersion"].clone(),
            contents,
        })
    }

    /// Once for all the time that a repair may take.
    fn complain(&self, problems: Vec<String>) {
        let mut last = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        if problems != *last {
            for why in &problems {
                let secret = &self.options.secret;
                tracing::error!("Secret {secret} is damaged and will be repaired: {why}");
            }
            *last = problems;
        }
    }

    pub(super) async fn write(&self, contents: &Contents, version: &Value) -> Result<(), ApiError> {
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
            let made = self.api.create(&self.path(false), &object).await;
            made.map_err(|error| self.explain_creation(error))?;
        } else {
            object["metadata"]["resourceVersion"] = version.clone();
            self.api.replace(&self.path(true), &object).await?;
        }
        Ok(())
    }

    fn explain_creation(&self, error: ApiError) -> ApiError {
        match error {
            ApiError::Other(why) => ApiError::Other(format!(
                "{why}; make an empty Secret `{}` with the label `{}: {}`, or grant the verb create",
                self.options.secret, OWNER.0, OWNER.1
            )),
            other => other,
        }
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

    pub(super) fn explain(&self, error: ApiError) -> Trouble {
        let ManagedOptions { namespace, .. } = &self.options;
        match error {
            ApiError::NotFound => Trouble::Mistake(format!(
                "namespace `{namespace}` does not exist; create it first"
            )),
            ApiError::Conflict => Trouble::Failure(format!(
                "Secret `{}` was changed by somebody else",
                self.options.secret
            )),
            ApiError::Other(why) => Trouble::Failure(why),
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
