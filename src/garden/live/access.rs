// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use k8s_openapi::api::authorization::v1::{
    ResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec,
};
use kube::api::PostParams;
use kube::{Api, Client};

use super::asker::{Asker, Key};
use super::cache::{Answer, AnswerCache};
use super::error::reason;
use super::share::Share;
use garden_gate_core::garden::AccessQuestion;
use garden_gate_model::api::UserInfo;

/// Maximum number of concurrent reviews; more would only queue in the API server.
const AT_A_TIME: usize = 16;
/// Cache size for several thousand answers, more than users need within seconds, in bytes.
const MOST_BYTES: u64 = 512 << 10;
/// Cache lifetime of `Allowed`, which delays a revocation.
const ALLOWED: Duration = Duration::from_secs(10);
/// Cache lifetime of `Denied`, which delays a grant.
const DENIED: Duration = Duration::from_secs(2);

/// Access reviews of custom verbs and their cached results.
#[derive(Debug)]
pub(super) struct Accesses(AnswerCache<Result<bool, String>>);

impl Default for Accesses {
    fn default() -> Self {
        Self(AnswerCache::new(Share::new(AT_A_TIME), MOST_BYTES))
    }
}

impl Answer for Result<bool, String> {
    fn lifetime(&self) -> Duration {
        match self {
            Ok(true) => ALLOWED,
            Ok(false) => DENIED,
            Err(_) => Duration::ZERO,
        }
    }

    fn size(&self) -> usize {
        0
    }
}

impl Accesses {
    /// Reports whether `user` has a permission, by a SubjectAccessReview or its cached result.
    pub(super) async fn get(
        &self,
        client: Client,
        asker: &Asker,
        user: &UserInfo,
        question: &AccessQuestion,
    ) -> Result<bool, String> {
        let review = review(user, question);
        let text = serde_json::to_vec(&review.spec).unwrap_or_default();
        let ask = ask(client, review);
        self.0.get(Key::of(&[&text]), asker, ask).await?
    }
}

async fn ask(client: Client, review: SubjectAccessReview) -> Result<bool, String> {
    let api: Api<SubjectAccessReview> = Api::all(client);
    let answer = api.create(&PostParams::default(), &review).await;
    match answer.map(|review| review.status.unwrap_or_default()) {
        Ok(status) => Ok(status.allowed && status.denied != Some(true)),
        Err(error) => Err(format!("failed to create a SubjectAccessReview: {}", reason(&error))),
    }
}

/// Builds a SubjectAccessReview.
///
/// Like Gardener, it sets no API version, since a custom verb applies to all versions.
fn review(user: &UserInfo, question: &AccessQuestion) -> SubjectAccessReview {
    let attributes = ResourceAttributes {
        verb: Some(question.verb.to_owned()),
        group: Some(question.group.to_owned()),
        resource: Some(question.resource.to_owned()),
        subresource: Some(question.subresource.to_owned()),
        namespace: Some(question.namespace.clone()),
        name: Some(question.name.clone()),
        ..ResourceAttributes::default()
    };
    let spec = SubjectAccessReviewSpec {
        user: Some(user.username.clone()),
        uid: Some(user.uid.clone()),
        groups: Some(user.groups.clone()),
        extra: Some(user.extra.clone()),
        resource_attributes: Some(attributes),
        ..SubjectAccessReviewSpec::default()
    };
    SubjectAccessReview { spec, ..SubjectAccessReview::default() }
}
