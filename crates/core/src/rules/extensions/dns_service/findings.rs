// SPDX-License-Identifier: Apache-2.0
use crate::admission::finding_kinds;

finding_kinds! {
    pub(super) UNDECODABLE = "dns-service/undecodable": "the configuration of shoot-dns-service cannot be decoded",
    pub(super) FAILURE = "dns-service/failure": "the admission component of shoot-dns-service fails",
    pub(super) TYPE = "dns-service/type": "the type of a DNS provider of shoot-dns-service is missing or unsupported",
    pub(super) CREDENTIALS = "dns-service/credentials": "a DNS provider of shoot-dns-service does not name its credentials correctly",
    pub(super) MISSING = "dns-service/credentials-missing": "the credentials of a DNS provider of shoot-dns-service are not found",
    pub(super) IDENTITY = "dns-service/workload-identity": "a DNS provider of shoot-dns-service cannot use its WorkloadIdentity",
}
