// SPDX-License-Identifier: Apache-2.0
//! The request of an API server, for other purposes than a verdict.

use super::Subject;
use super::opened::OpenedSubject;
use garden_gate_core::admission::Request;
use garden_gate_core::config::Config;
use garden_gate_model::api::UserInfo;

impl Subject {
    /// Calls `look` with the request that an API server would send.
    ///
    /// # Errors
    /// Fails with the reason if the object cannot be parsed.
    pub(in crate::review) fn with_request<T>(
        &self,
        config: &Config,
        look: impl FnOnce(&Request<'_>) -> T,
    ) -> Result<T, String> {
        let assumed = self.assumed_states(config);
        let opened = OpenedSubject::new(self);
        let request = opened.request((&UserInfo::default(), assumed.as_ref()), look);
        request.map_err(|(why, _)| why)
    }
}
