use std::time::Duration;

use http::{Request, header};
use serde::{Deserialize, Serialize};

use super::LiveGarden;
use super::cache::Asked;
use super::error::reason;
use crate::garden::{AccessAnswer, AccessQuestion};
use crate::model::{UserInfo, null_is_default};

/// As many users as may reasonably change guarded fields within seconds.
const MOST_ANSWERS: usize = 1024;
/// How long somebody may still do what was just forbidden.
const ALLOWED: Duration = Duration::from_secs(10);
/// How long somebody has to wait who was just permitted.
const DENIED: Duration = Duration::from_secs(2);

/// Answers to custom-verb questions.
#[derive(Debug)]
pub(super) struct Accesses(Asked<(UserInfo, AccessQuestion), AccessAnswer>);

impl Default for Accesses {
    fn default() -> Self {
        Self(Asked::new(MOST_ANSWERS))
    }
}

fn lifetime(answer: &AccessAnswer) -> Duration {
    match answer {
        AccessAnswer::Allowed => ALLOWED,
        AccessAnswer::Denied => DENIED,
        AccessAnswer::Unknown(_) => Duration::ZERO,
    }
}

impl LiveGarden {
    /// Whether `user` may do something, by a SubjectAccessReview or the answer to the same question some seconds ago.
    pub async fn access(&self, user: &UserInfo, question: &AccessQuestion) -> AccessAnswer {
        let key = (user.clone(), question.clone());
        let answer = self
            .accesses
            .0
            .get(&key, lifetime, self.review(user, question));
        answer.await.unwrap_or_else(AccessAnswer::Unknown)
    }

    async fn review(&self, user: &UserInfo, question: &AccessQuestion) -> AccessAnswer {
        let body = serde_json::to_vec(&review(user, question)).unwrap_or_default();
        let request = Request::post("/apis/authorization.k8s.io/v1/subjectaccessreviews")
            .header(header::CONTENT_TYPE, "application/json")
            .body(body)
            .map_err(kube::Error::HttpError);
        let answer = match request {
            Ok(request) => self.client().request::<Reviewed>(request).await,
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
