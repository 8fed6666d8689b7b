// SPDX-License-Identifier: Apache-2.0
//! `spec.kubernetes.kubeAPIServer`.

use crate::api::Constraint::{
    AtLeast, AtMost, Distinct, Enum, Filled, Format, LastsAtLeast, LastsAtMost, RemovedFrom, Since,
    ValueSince,
};
use crate::api::Format::{ApiGroup, ResourceName, WithoutComma};
use crate::api::object;
use crate::api::shared::references::ObjectReference;
use crate::api::shoot::autoscaling::ControlPlaneAutoscaling;

object! {
    /// Configuration of the Kubernetes API server.
    KubeAPIServerConfig {
        /// Admission plugins to configure, enable or disable.
        "admissionPlugins": [AdmissionPlugin; by name];
        /// Valid audiences of tokens.
        "apiAudiences": [String] => [Format(WithoutComma), Distinct];
        /// Configuration of the audit log.
        "auditConfig": AuditConfig;
        /// Minimum resources of the API server.
        "autoscaling": ControlPlaneAutoscaling;
        /// Period for which pods remain on nodes that are not ready, in seconds.
        "defaultNotReadyTolerationSeconds": Integer64 => [AtLeast(0.0)];
        /// Period for which pods remain on unreachable nodes, in seconds.
        "defaultUnreachableTolerationSeconds": Integer64 => [AtLeast(0.0)];
        /// Enables anonymous requests; use structured authentication instead.
        "enableAnonymousAuthentication": Boolean -> enable_anonymous_authentication: Option<bool>
            => [RemovedFrom(35, "configure anonymous access with an AuthenticationConfiguration")];
        /// Encryption of resources at rest in etcd.
        "encryptionConfig": EncryptionConfig -> encryption_config: Option<EncryptionConfig>;
        /// Retention period of events.
        "eventTTL": Duration => [LastsAtLeast(0.0), LastsAtMost(86400.0)];
        /// Feature gates by name.
        "featureGates": {Boolean};
        /// Log levels of the API server.
        "logging": APIServerLogging;
        /// Limits on concurrent requests.
        "requests": APIServerRequests;
        /// API groups, versions and resources to enable or disable.
        "runtimeConfig": {Boolean};
        /// Configuration of service account tokens.
        "serviceAccountConfig": ServiceAccountConfig;
        /// Structured authentication: authenticators in a configuration file.
        "structuredAuthentication": StructuredAuthentication;
        /// Structured authorization: authorizers in a configuration file.
        "structuredAuthorization": StructuredAuthorization;
        /// Minimum TLS version, `1.2` or `1.3`.
        "tlsMinVersion": String => [Since(149), Enum(&["VersionTLS12", "VersionTLS13"])];
        /// Sizes of the watch cache, in objects.
        "watchCacheSizes": WatchCacheSizes -> watch_cache_sizes: Option<WatchCacheSizes>;
    }
}

object! {
    /// Admission plugin of the API server.
    AdmissionPlugin {
        /// Name of the plugin.
        "name": String required;
        /// Configuration of the plugin.
        "config": Any;
        /// Disables the plugin.
        "disabled": Boolean;
        /// Name of a Secret with a kubeconfig for the plugin.
        "kubeconfigSecretName": String;
    }
}

object! {
    /// Log levels of the API server.
    APIServerLogging {
        /// Log verbosity.
        "verbosity": Integer32 => [AtLeast(0.0)];
        /// Log verbosity for HTTP requests.
        "httpAccessVerbosity": Integer32 => [AtLeast(0.0)];
    }
}

object! {
    /// Limits on concurrent requests to the API server.
    APIServerRequests {
        /// Maximum number of concurrent mutating requests.
        "maxMutatingInflight": Integer32 => [AtLeast(0.0), AtMost(2500.0)];
        /// Maximum number of concurrent non-mutating requests.
        "maxNonMutatingInflight": Integer32 => [AtLeast(0.0), AtMost(5000.0)];
    }
}

object! {
    /// Configuration of the audit log.
    AuditConfig {
        /// Audit policy.
        "auditPolicy": AuditPolicy;
    }
}

object! {
    /// Audit policy of the API server.
    AuditPolicy {
        /// ConfigMap in the Project's namespace with the audit policy.
        "configMapRef": ObjectReference;
    }
}

object! {
    /// Encryption of resources at rest in etcd.
    EncryptionConfig {
        /// Resources to encrypt in addition to Secrets.
        "resources": [String] -> resources: Vec<String>;
        /// Encryption provider.
        "provider": EncryptionProvider filled -> provider: EncryptionProvider;
    }
}

object! {
    /// Encryption provider for resources in etcd.
    EncryptionProvider {
        /// Type of the provider, for example `aescbc`.
        "type": String -> kind: Option<String> => [Enum(&["aescbc", "aesgcm", "secretbox"]), ValueSince(141, "aesgcm"), ValueSince(141, "secretbox")];
    }
}

object! {
    /// Configuration of service account tokens.
    ServiceAccountConfig {
        /// Issuer of the tokens.
        "issuer": String;
        /// Additional issuers whose tokens are accepted.
        "acceptedIssuers": [String];
        /// Extends the validity of pod tokens beyond the requested expiration.
        "extendTokenExpiration": Boolean;
        /// Maximum validity of a token.
        "maxTokenExpiration": Duration;
    }
}

object! {
    /// Structured authentication.
    StructuredAuthentication {
        /// Name of the ConfigMap with the AuthenticationConfiguration.
        "configMapName": String required;
    }
}

object! {
    /// Structured authorization.
    StructuredAuthorization {
        /// Name of the ConfigMap with the AuthorizationConfiguration.
        "configMapName": String required;
        /// Kubeconfigs of the authorization webhooks in the configuration.
        "kubeconfigs": [AuthorizerKubeconfigReference] required;
    }
}

object! {
    /// Kubeconfig of an authorization webhook.
    AuthorizerKubeconfigReference {
        /// Name of the webhook in the configuration.
        "authorizerName": String required;
        /// Name of the Secret with the kubeconfig.
        "secretName": String required;
    }
}

object! {
    /// Sizes of the watch cache of the API server, in objects.
    WatchCacheSizes {
        /// Default size per resource; no longer used.
        "default": Integer32 -> default: Option<i32>
            => [AtLeast(0.0), RemovedFrom(35, "remove it; the cache finds its size itself")];
        /// Sizes for individual resources.
        "resources": [ResourceWatchCacheSize];
    }
}

object! {
    /// Size of the watch cache of the API server for one resource.
    ResourceWatchCacheSize {
        /// API group of the resource; empty for the core group.
        "apiGroup": String => [Format(ApiGroup)];
        /// Resource name, for example `secrets`.
        "resource": String required => [Filled, Format(ResourceName)];
        /// Number of objects; 0 disables the watch cache.
        "size": Integer32 filled => [AtLeast(0.0)];
    }
}
