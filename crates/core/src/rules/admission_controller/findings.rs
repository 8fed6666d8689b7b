// SPDX-License-Identifier: Apache-2.0
use crate::admission::finding_kinds;

finding_kinds! {
    pub(super) MISSING = "admission-controller/configmap-missing": "a ConfigMap with a configuration of the API server is not found",
    pub(super) NO_KEY = "admission-controller/key-missing": "a ConfigMap lacks the key with a configuration of the API server",
    pub(super) UNDECODABLE = "admission-controller/undecodable": "a configuration of the API server cannot be decoded",
    pub(super) AUTHENTICATION_INVALID = "admission-controller/authentication-invalid": "a value in an authentication configuration is invalid",
    pub(super) AUTHORIZATION_INVALID = "admission-controller/authorization-invalid": "a value in an authorization configuration is invalid",
    pub(super) EXPRESSION = "admission-controller/expression-invalid": "a CEL expression has a syntax error",
}
