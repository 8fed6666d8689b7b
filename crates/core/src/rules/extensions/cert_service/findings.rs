// SPDX-License-Identifier: Apache-2.0
use crate::admission::finding_kinds;

finding_kinds! {
    pub(super) UNDECODABLE = "cert-service/undecodable": "shoot-cert-service cannot decode its configuration",
    pub(super) INVALID = "cert-service/invalid": "a value in the configuration of shoot-cert-service is invalid",
    pub(super) FORBIDDEN = "cert-service/forbidden": "a field of shoot-cert-service is not allowed in Seeds",
    pub(super) DUPLICATE = "cert-service/duplicate": "two issuers of shoot-cert-service have the same name",
    pub(super) RESERVED = "cert-service/reserved-name": "an issuer of shoot-cert-service has the name of the landscape's default issuer",
    pub(super) UNLISTED = "cert-service/secret-unlisted": "the Secret of an issuer of shoot-cert-service is not listed in `spec.resources`",
}
