// SPDX-License-Identifier: Apache-2.0
use crate::admission::finding_kinds;

finding_kinds! {
    pub(super) UNDECODABLE = "rsyslog-relp/undecodable": "the configuration of shoot-rsyslog-relp cannot be decoded",
    pub(super) FAILURE = "rsyslog-relp/failure": "the admission component of shoot-rsyslog-relp fails",
    pub(super) REQUIRED = "rsyslog-relp/required": "a required part of the configuration of shoot-rsyslog-relp is missing",
    pub(super) INVALID = "rsyslog-relp/invalid": "a value in the configuration of shoot-rsyslog-relp is invalid",
    pub(super) UNLISTED = "rsyslog-relp/resource-unlisted": "a Secret or ConfigMap of shoot-rsyslog-relp is not listed in `spec.resources`",
    pub(super) MISSING = "rsyslog-relp/resource-missing": "a Secret or ConfigMap of shoot-rsyslog-relp is not found",
}
