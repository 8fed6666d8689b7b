// SPDX-License-Identifier: Apache-2.0
//! Subjects that are CloudProfiles or NamespacedCloudProfiles.

use super::Subject;
use super::opened::OpenedSubject;
use crate::forecast::ChangedProfile;
use garden_gate_core::admission::Kind;
use garden_gate_core::garden::ObjectKey;
use garden_gate_model::api::UserInfo;

impl Subject {
    /// Returns the key of a profile, in a manifest or an AdmissionReview; `None` for other objects.
    pub fn profile_key(&self) -> Option<ObjectKey> {
        let identity = &self.identity;
        let kinds = [Kind::CloudProfile, Kind::NamespacedCloudProfile];
        let kind = kinds.into_iter().find(|it| it.as_str() == identity.kind)?;
        let namespace = if kind.is_namespaced() { identity.namespace.as_str() } else { "" };
        Some(ObjectKey::new(kind, namespace, &identity.name))
    }

    /// Returns the profile before and after the change; `None` unless the subject changes the spec of a profile.
    pub fn changed_profile(&self) -> Option<ChangedProfile> {
        self.profile_key()?;
        let opened = OpenedSubject::new(self);
        let requester = UserInfo::default();
        opened.request((&requester, None), ChangedProfile::of_request).ok()?
    }
}
