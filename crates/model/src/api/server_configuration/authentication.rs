// SPDX-License-Identifier: Apache-2.0
//! The configuration of structured authentication. Source: `pkg/apis/apiserver/v1beta1/types.go` of Kubernetes' apiserver.

use crate::api::object;

object! {
    /// Authenticators of an API server.
    AuthenticationConfiguration {
        /// API group and version.
        "apiVersion": String;
        /// Kind.
        "kind": String;
        /// Authenticators for JSON Web Tokens.
        "jwt": [JwtAuthenticator] required -> jwt: Vec<JwtAuthenticator>;
        /// Authentication of anonymous requests.
        "anonymous": AnonymousAuthConfig -> anonymous: Option<AnonymousAuthConfig>;
    }
}

object! {
    /// Authentication of anonymous requests.
    AnonymousAuthConfig {
        /// Whether anonymous requests are permitted.
        "enabled": Boolean required -> enabled: bool;
        /// Conditions, one of which anonymous requests must meet.
        "conditions": [AnonymousAuthCondition] -> conditions: Vec<AnonymousAuthCondition>;
    }
}

object! {
    /// Condition for anonymous requests.
    AnonymousAuthCondition {
        /// Path of the request.
        "path": String required -> path: String;
    }
}

object! {
    /// Authenticator for tokens of an issuer.
    JwtAuthenticator {
        /// Issuer of the tokens.
        "issuer": Issuer required -> issuer: Issuer;
        /// Rules that the claims of a token must meet.
        "claimValidationRules": [ClaimValidationRule] -> claim_validation_rules: Vec<ClaimValidationRule>;
        /// Attributes of the user from claims.
        "claimMappings": ClaimMappings required -> claim_mappings: ClaimMappings;
        /// Rules that the user must meet.
        "userValidationRules": [UserValidationRule] -> user_validation_rules: Vec<UserValidationRule>;
    }
}

object! {
    /// Issuer of tokens.
    Issuer {
        /// URL of the issuer, as in the claim `iss`.
        "url": String required -> url: String;
        /// URL of the discovery document, if it is not below the URL of the issuer.
        "discoveryURL": String -> discovery_url: String;
        /// Certificates of authorities for the discovery, in PEM.
        "certificateAuthority": String -> certificate_authority: String;
        /// Accepted audiences.
        "audiences": [String] required -> audiences: Vec<String>;
        /// Comparison with the audiences of a token: `MatchAny`, or empty with one audience.
        "audienceMatchPolicy": String -> audience_match_policy: String;
        /// Network of the discovery: `controlplane` or `cluster`.
        "egressSelectorType": String -> egress_selector_type: String;
    }
}

object! {
    /// Rule for the claims of a token.
    ClaimValidationRule {
        /// Name of a required claim.
        "claim": String -> claim: String;
        /// Required value of the claim.
        "requiredValue": String -> required_value: String;
        /// CEL expression about `claims`.
        "expression": String -> expression: String;
        /// Message if the expression is false.
        "message": String -> message: String;
    }
}

object! {
    /// Attributes of a user from claims.
    ClaimMappings {
        /// Name of the user.
        "username": PrefixedClaimOrExpression required -> username: PrefixedClaimOrExpression;
        /// Groups of the user.
        "groups": PrefixedClaimOrExpression -> groups: PrefixedClaimOrExpression;
        /// Unique id of the user.
        "uid": ClaimOrExpression -> uid: ClaimOrExpression;
        /// Further attributes.
        "extra": [ExtraMapping] -> extra: Vec<ExtraMapping>;
    }
}

object! {
    /// Claim with a prefix for its value, or a CEL expression.
    PrefixedClaimOrExpression {
        /// Name of the claim.
        "claim": String -> claim: String;
        /// Prefix, which may be empty.
        "prefix": String -> prefix: Option<String>;
        /// CEL expression about `claims`.
        "expression": String -> expression: String;
    }
}

object! {
    /// Claim, or a CEL expression.
    ClaimOrExpression {
        /// Name of the claim.
        "claim": String -> claim: String;
        /// CEL expression about `claims`.
        "expression": String -> expression: String;
    }
}

object! {
    /// Further attribute of a user.
    ExtraMapping {
        /// Name of the attribute, such as `example.org/team`.
        "key": String required -> key: String;
        /// CEL expression about `claims`.
        "valueExpression": String required -> value_expression: String;
    }
}

object! {
    /// Rule for the user.
    UserValidationRule {
        /// CEL expression about `user`.
        "expression": String required -> expression: String;
        /// Message if the expression is false.
        "message": String;
    }
}
