// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use k8s_openapi::api::authorization::v1::{
    ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec,
};
use kube::Api;
use kube::api::PostParams;
use tokio::time::sleep;

use super::LiveClient;
use super::error::reason;
use garden_gate_model::api::{Kind, Retrieval};

/// Interval between two checks.
/// Granted permissions are not checked again.
const INTERVAL: Duration = Duration::from_secs(10);

/// A permission that garden-gate needs on the API server.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Right {
    /// The verb, such as `list`.
    pub verb: &'static str,
    /// The group of the resource; empty for the core group.
    pub group: &'static str,
    /// The plural resource.
    pub resource: &'static str,
    /// The namespace; empty for all, and for cluster-scoped resources.
    pub namespace: String,
    /// The name of the object; empty for all.
    pub name: String,
}

impl Right {
    /// Creates a permission for all objects of a resource.
    pub fn new(verb: &'static str, group: &'static str, resource: &'static str) -> Self {
        Self { verb, group, resource, namespace: String::new(), name: String::new() }
    }

    /// Restricts the permission to one namespace.
    #[must_use]
    pub fn within(mut self, namespace: &str) -> Self {
        namespace.clone_into(&mut self.namespace);
        self
    }

    /// Restricts the permission to one object.
    #[must_use]
    pub fn on(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// Returns the permissions for watching a garden and for live lookups.
    pub fn of_watches() -> impl Iterator<Item = Self> {
        Kind::watched().flat_map(Self::to_know)
    }

    /// Returns the permissions for reading the objects of a kind from an API server.
    pub fn to_know(kind: Kind) -> Vec<Self> {
        let verbs: &[&str] = match kind.known() {
            Retrieval::Watched | Retrieval::WatchedIfRead => &["get", "list", "watch"],
            Retrieval::Asked => &["get"],
            Retrieval::Collected | Retrieval::Labelled { .. } => &["list"],
            Retrieval::Files | Retrieval::Counted | Retrieval::Optional | Retrieval::Never => &[],
        };
        let rights = verbs
            .iter()
            .map(|verb| Self::new(verb, kind.api().0, kind.resource()).within(kind.home()));
        rights.collect()
    }

    /// Describes `rights` as a phrase that fits after "may" and "may not".
    pub fn describe(rights: &[Self]) -> String {
        let objects = rights.chunk_by(|a, b| a.object() == b.object());
        let described = objects.map(|rights| {
            let verbs: Vec<&str> = rights.iter().map(|right| right.verb).collect();
            let object = rights.first().map(Self::object).unwrap_or_default();
            format!("{} {object}", verbs.join("/"))
        });
        described.collect::<Vec<_>>().join(", ")
    }

    fn object(&self) -> String {
        let mut object = self.resource.to_owned();
        if !self.group.is_empty() {
            object.extend([".", self.group]);
        }
        if !self.name.is_empty() {
            object.extend([" `", &self.name, "`"]);
        }
        if !self.namespace.is_empty() {
            object.extend([" in namespace `", &self.namespace, "`"]);
        }
        object
    }

    fn review(&self) -> SelfSubjectAccessReview {
        let attributes = ResourceAttributes {
            verb: Some(self.verb.to_owned()),
            group: Some(self.group.to_owned()),
            resource: Some(self.resource.to_owned()),
            namespace: Some(self.namespace.clone()),
            name: Some(self.name.clone()),
            ..ResourceAttributes::default()
        };
        let spec = SelfSubjectAccessReviewSpec {
            resource_attributes: Some(attributes),
            ..SelfSubjectAccessReviewSpec::default()
        };
        SelfSubjectAccessReview { spec, ..SelfSubjectAccessReview::default() }
    }
}

impl LiveClient {
    /// Checks repeatedly which of the `needed` permissions are missing.
    ///
    /// Never returns.
    ///
    /// Calls `report` with the missing permissions, in order, whenever they change.
    /// If the API server does not answer the check, it is repeated later.
    pub async fn look_for_missing_rights(
        &self,
        needed: impl Fn() -> Vec<Right>,
        report: impl Fn(&[Right]),
    ) {
        let (mut granted, mut reported) = (Vec::new(), None);
        loop {
            let missing = self.missing_rights(needed(), &mut granted).await;
            if missing.is_some() && missing != reported {
                report(missing.as_deref().unwrap_or_default());
                reported = missing;
            }
            sleep(INTERVAL).await;
        }
    }

    /// Returns the missing permissions; `None` as soon as one check has no answer.
    async fn missing_rights(
        &self,
        needed: Vec<Right>,
        granted: &mut Vec<Right>,
    ) -> Option<Vec<Right>> {
        let mut missing = Vec::new();
        for right in needed {
            if granted.contains(&right) {
                continue;
            }
            if self.has(&right).await? { granted.push(right) } else { missing.push(right) }
        }
        Some(missing)
    }

    async fn has(&self, right: &Right) -> Option<bool> {
        let api: Api<SelfSubjectAccessReview> = Api::all(self.client());
        match api.create(&PostParams::default(), &right.review()).await {
            Ok(review) => Some(review.status?.allowed),
            Err(error) => {
                let why = reason(&error);
                tracing::debug!("failed to create a SelfSubjectAccessReview: {why}");
                None
            }
        }
    }
}
