// SPDX-License-Identifier: Apache-2.0
use crate::admission::finding_kinds;

finding_kinds! {
    pub(super) UNDECODABLE = "registry-cache/undecodable": "the configuration of registry-cache cannot be decoded",
    pub(super) STORED = "registry-cache/stored-undecodable": "the stored configuration of registry-cache cannot be decoded",
    pub(super) FAILURE = "registry-cache/failure": "the admission component of registry-cache fails",
    pub(super) REQUIRED = "registry-cache/required": "a required part of the configuration of registry-cache is missing",
    pub(super) INVALID = "registry-cache/invalid": "a value in the configuration of registry-cache is invalid",
    pub(super) DUPLICATE = "registry-cache/duplicate": "two registry caches have the same upstream or Service",
    pub(super) IMMUTABLE = "registry-cache/immutable": "an immutable value of a registry cache is changed",
    pub(super) UNLISTED = "registry-cache/secret-unlisted": "the Secret of a registry cache is not listed in `spec.resources`",
    pub(super) MISSING = "registry-cache/secret-missing": "the Secret of a registry cache is not found",
}
