// SPDX-License-Identifier: Apache-2.0
//! Messages as Kubernetes Events on Shoots.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use k8s_openapi::api::core::v1::{Event, EventSource, ObjectReference};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use k8s_openapi::jiff::Timestamp;
use kube::api::{ApiResource, DynamicObject, PartialObjectMeta, PostParams};
use kube::{Api, Client, Error};
use ring::digest::{SHA256, digest};

use super::failure::{Failure, Remedy, causes, found};
use garden_gate_products::report::Notice;
use garden_gate_text::hexadecimal;

/// Maximum number of Events of one message.
const COUNT: usize = 2_000;
/// Maximum time of a request.
const TIMEOUT: Duration = Duration::from_secs(20);
const COMPONENT: &str = "garden-gate";

/// A creator of Events.
pub(super) struct EventsChannel {
    pub(super) client: Client,
}

impl fmt::Debug for EventsChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventsChannel").finish_non_exhaustive()
    }
}

impl EventsChannel {
    /// Creates an Event on each Shoot with news; those of Shoots that were deleted are skipped.
    ///
    /// # Errors
    /// Fails with the first reason why an Event cannot be created, or if there are too many Shoots.
    pub(super) async fn create(&self, notices: &[Notice]) -> Result<(), Failure> {
        for notice in notices.iter().take(COUNT) {
            let created = tokio::time::timeout(TIMEOUT, self.create_one(notice)).await;
            match created {
                Ok(created) => created?,
                Err(_) => return Err(Failure::temporary("the API server does not answer", &[])),
            }
        }
        match notices.len().checked_sub(COUNT) {
            Some(more @ 1..) => {
                let why = format!("{more} Shoots have no Event: a run creates {COUNT} per Project");
                Err(Failure::new(&why, Remedy::GiveUp, &[]))
            }
            _ => Ok(()),
        }
    }

    async fn create_one(&self, notice: &Notice) -> Result<(), Failure> {
        let Notice { namespace, name, text, must_act } = notice;
        let resource = ApiResource {
            group: "core.gardener.cloud".into(),
            version: "v1beta1".into(),
            api_version: "core.gardener.cloud/v1beta1".into(),
            kind: "Shoot".into(),
            plural: "shoots".into(),
        };
        let shoots: Api<DynamicObject> =
            Api::namespaced_with(self.client.clone(), namespace, &resource);
        let shoot: Option<PartialObjectMeta<DynamicObject>> =
            found(shoots.get_metadata(name).await).map_err(|error| failure(&error))?;
        let Some(uid) = shoot.and_then(|it| it.metadata.uid) else { return Ok(()) };
        let now = Time(Timestamp::now());
        let event = Event {
            metadata: ObjectMeta {
                name: Some(event_name(&uid, text)),
                namespace: Some(namespace.clone()),
                labels: Some(BTreeMap::from([(
                    "app.kubernetes.io/managed-by".to_owned(),
                    COMPONENT.to_owned(),
                )])),
                ..ObjectMeta::default()
            },
            involved_object: ObjectReference {
                api_version: Some(resource.api_version.clone()),
                kind: Some(resource.kind.clone()),
                namespace: Some(namespace.clone()),
                name: Some(name.clone()),
                uid: Some(uid),
                ..ObjectReference::default()
            },
            reason: Some(if *must_act { "MustAct" } else { "ForcedUpdate" }.to_owned()),
            message: Some(text.clone()),
            type_: Some(if *must_act { "Warning" } else { "Normal" }.to_owned()),
            source: Some(EventSource {
                component: Some(COMPONENT.to_owned()),
                ..EventSource::default()
            }),
            first_timestamp: Some(now.clone()),
            last_timestamp: Some(now),
            count: Some(1),
            ..Event::default()
        };
        let events: Api<Event> = Api::namespaced(self.client.clone(), namespace);
        match events.create(&PostParams::default(), &event).await {
            // An earlier attempt has created it.
            Err(Error::Api(status)) if status.code == 409 => Ok(()),
            created => created.map(drop).map_err(|error| failure(&error)),
        }
    }
}

/// Returns the name of an Event, which is the same in each attempt.
fn event_name(uid: &str, text: &str) -> String {
    let digest = digest(&SHA256, format!("{uid}\0{text}").as_bytes());
    format!("{COMPONENT}.{}", hexadecimal(&digest.as_ref()[..12]))
}

fn failure(error: &Error) -> Failure {
    let remedy = match error {
        Error::Api(status) if status.code == 401 || status.code == 403 => Remedy::GiveUpAll,
        Error::Api(status) if status.code != 429 && status.code < 500 => Remedy::GiveUp,
        _ => Remedy::Retry(Duration::ZERO),
    };
    let why = match error {
        Error::Api(status) => status.message.clone(),
        error => causes(error),
    };
    Failure::new(&format!("the API server: {why}"), remedy, &[])
}
