use std::time::Duration;

use http::{Request, header};
use kube::Client;
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize};

use super::LiveGarden;
use super::cache::{Answer, Asked, Key};
use super::error::reason;
use super::share::Share;
use crate::garden::{AccessAnswer, AccessQuestion};
use crate::model::{UserInfo, null_is_default};

/// Questions at a time; more would only wait in the API server instead.
const AT_A_TIME: usize = 16;
/// Room for the answers to some thousand questions, which is more than may reasonably be asked within seconds.
const MOST_BYTES: u64 = 512 << 10;
/// Users who are known to exist, as they have been allowed something.
const MOST_USERS: usize = 1024;
/// How long somebody may still do what was just forbidden.
const ALLOWED: Duration = Duration::from_secs(10);
/// How long somebody has to wait who was just permitted.
const DENIED: Duration = Duration::from_secs(2);

/// Answers to custom-verb questions.
#[derive(Debug)]
pub(super) struct Accesses {
    asked: Asked<AccessAnswer>,
    /// Those go first: somebody who makes users up, to keep the API server busy, cannot make up these.
    users: Cache<Key, ()>,
}

impl Default for Accesses {
    fn default() -> Self {
        Self {
            asked: Asked::new(Share::new(AT_A_TIME), MOST_BYTES),
            users: Cache::new(MOST_USERS),
        }
    }
}

impl Answer for AccessAnswer {
    fn lifetime(&self) -> Duration {
        match self {
            Self::Allowed => ALLOWED,
            Self::Denied => DENIED,
            Self::Unknown(_) => Duration::ZERO,
        }
    }

    fn size(&self) -> usize {
        0
    }
}

impl LiveGarden {
    /// Whether `user` may do something, by a SubjectAccessReview or the answer to the same question some seconds ago.
    pub async fn access(&self, user: &UserInfo, question: &AccessQuestion) -> AccessAnswer {
        let body = serde_json::to_vec(&review(user, question)).unwrap_or_default();
        let Accesses { asked, users } = &self.accesses;
        let (key, user) = (Key::of(&[&body]), user_key(user));
        let is_known = users.get(&user).is_some();
        let answer = asked.get(key, is_known, ask(self.client(), body)).await;
        let answer = answer.unwrap_or_else(AccessAnswer::Unknown);
        if answer == AccessAnswer::Allowed && !is_known {
            users.insert(user, ());
        }
        answer
    }
}

fn user_key(user: &UserInfo) -> Key {
    let name = [&user.username, &user.uid];
    let parts = name.into_iter().chain(&user.groups);
    let parts: Vec<&[u8]> = parts.map(String::as_bytes).collect();
    Key::of(&parts)
}

async fn ask(client: Client, body: Vec<u8>) -> AccessAnswer {
    let request = Request::post("/apis/authorization.k8s.io/v1/subjectaccessreviews")
        .header(header::CONTENT_TYPE, "application/json")
        .body(body)
        .map_err(kube::Error::HttpError);
    let answer = match request {
        Ok(request) => client.request::<Reviewed>(request).await,
        Err(error) => Err(error),
    };
    match answer {
        Ok(Reviewed { status }) if status.allowed && !status.denied => AccessAnswer::Allowed,
        Ok(_) => AccessAnswer::Denied,
        Err(error) => AccessAnswer::Unknown(format!(
            "failed to create a SubjectAccessReview: {}",
            reason(&error)
        )),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Review<'a> {
    api_version: &'static str,
    kind: &'static str,
    spec: ReviewSpec<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReviewSpec<'a> {
    user: &'a str,
    uid: &'a str,
    groups: &'a [String],
    extra: &'a std::collections::BTreeMap<String, Vec<String>>,
    resource_attributes: Attributes<'a>,
}

/// Without a version, as Gardener asks: a custom verb holds for every one.
#[derive(Serialize)]
struct Attributes<'a> {
    verb: &'a str,
    group: &'a str,
    resource: &'a str,
    subresource: &'a str,
    namespace: &'a str,
    name: &'a str,
}

fn review<'a>(user: &'a UserInfo, question: &'a AccessQuestion) -> Review<'a> {
    Review {
        api_version: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: ReviewSpec {
            user: &user.username,
            uid: &user.uid,
            groups: &user.groups,
            extra: &user.extra,
            resource_attributes: Attributes {
                verb: question.verb,
                group: question.group,
                resource: question.resource,
                subresource: question.subresource,
                namespace: &question.namespace,
                name: &question.name,
            },
        },
    }
}

#[derive(Deserialize)]
struct Reviewed {
    #[serde(default)]
    status: ReviewedStatus,
}

#[derive(Default, Deserialize)]
struct ReviewedStatus {
    #[serde(default, deserialize_with = "null_is_default")]
    allowed: bool,
    #[serde(default, deserialize_with = "null_is_default")]
    denied: bool,
}
