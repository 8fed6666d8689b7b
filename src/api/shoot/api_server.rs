//! `spec.kubernetes.kubeAPIServer`.

use crate::api::Constraint::{
    AtLeast, AtMost, Distinct, Enum, Filled, Format, LastsAtLeast, LastsAtMost, RemovedFrom,
};
use crate::api::Format::{ApiGroup, ResourceName, WithoutComma};
use crate::api::object;
use crate::api::shared::references::ObjectReference;
use crate::api::shoot::autoscaling::ControlPlaneAutoscaling;

object! {
    /// The API server of a cluster.
    KubeAPIServerConfig {
        /// Admission plugins that are configured, or switched on or off.
        "admissionPlugins": [AdmissionPlugin; by name];
        /// Audiences that tokens may be for.
        "apiAudiences": [String] => [Format(WithoutComma), Distinct];
        /// Content of the audit log.
        "auditConfig": AuditConfig;
        /// How much it gets at least.
        "autoscaling": ControlPlaneAutoscaling;
        /// How long pods stay on nodes that are not ready, in seconds.
        "defaultNotReadyTolerationSeconds": Integer64 => [AtLeast(0.0)];
        /// How long pods stay on nodes that cannot be reached, in seconds.
        "defaultUnreachableTolerationSeconds": Integer64 => [AtLeast(0.0)];
        /// Whether it serves anonymous requests; use structured authentication instead.
        "enableAnonymousAuthentication": Boolean -> enable_anonymous_authentication: Option<bool>
            => [RemovedFrom(35, "configure anonymous access with an AuthenticationConfiguration")];
        /// Which objects are encrypted in the database.
        "encryptionConfig": EncryptionConfig -> encryption_config: Option<EncryptionConfig>;
        /// How long events are kept.
        "eventTTL": Duration => [LastsAtLeast(0.0), LastsAtMost(86400.0)];
        /// Feature gates, by name.
        "featureGates": {Boolean};
        /// How much it logs.
        "logging": APIServerLogging;
        /// How many requests it serves at a time.
        "requests": APIServerRequests;
        /// API groups, versions and resources that are switched on or off.
        "runtimeConfig": {Boolean};
        /// How tokens of service accounts are made.
        "serviceAccountConfig": ServiceAccountConfig;
        /// Who may sign in, by a configuration file.
        "structuredAuthentication": StructuredAuthentication;
        /// Who may do what, by a configuration file.
        "structuredAuthorization": StructuredAuthorization;
        /// Lowest version of TLS, `1.2` or `1.3`.
        "tlsMinVersion": String => [Enum(&["VersionTLS12", "VersionTLS13"])];
        /// How many objects it remembers for watches.
        "watchCacheSizes": WatchCacheSizes -> watch_cache_sizes: Option<WatchCacheSizes>;
    }
}

object! {
    /// An admission plugin of the API server.
    AdmissionPlugin {
        /// Its name.
        "name": String required;
        /// Its configuration.
        "config": Any;
        /// Whether it is switched off.
        "disabled": Boolean;
        /// Name of a Secret with a kubeconfig for it.
        "kubeconfigSecretName": String;
    }
}

object! {
    /// How much the API server logs.
    APIServerLogging {
        /// Level of its log.
        "verbosity": Integer32 => [AtLeast(0.0)];
        /// Level of its log of requests.
        "httpAccessVerbosity": Integer32 => [AtLeast(0.0)];
    }
}

object! {
    /// How many requests the API server serves at a time.
    APIServerRequests {
        /// Most requests at a time that change something.
        "maxMutatingInflight": Integer32 => [AtLeast(0.0), AtMost(2500.0)];
        /// Most requests at a time that change nothing.
        "maxNonMutatingInflight": Integer32 => [AtLeast(0.0), AtMost(5000.0)];
    }
}

object! {
    /// Content of the audit log.
    AuditConfig {
        /// The policy.
        "auditPolicy": AuditPolicy;
    }
}

object! {
    /// Content of the audit log.
    AuditPolicy {
        /// ConfigMap of the Project's namespace that holds the policy.
        "configMapRef": ObjectReference;
    }
}

object! {
    /// Which objects are encrypted in the database.
    EncryptionConfig {
        /// Resources that are encrypted in addition to Secrets.
        "resources": [String] -> resources: Vec<String>;
        /// The encryption provider.
        "provider": EncryptionProvider filled -> provider: EncryptionProvider;
    }
}

object! {
    /// How objects are encrypted in the database.
    EncryptionProvider {
        /// Name of the method, for example `aescbc`.
        "type": String -> kind: Option<String> => [Enum(&["aescbc", "aesgcm", "secretbox"])];
    }
}

object! {
    /// How tokens of service accounts are made.
    ServiceAccountConfig {
        /// Who issues them.
        "issuer": String;
        /// Additional issuers whose tokens are accepted.
        "acceptedIssuers": [String];
        /// Whether tokens for pods are valid for longer than asked for.
        "extendTokenExpiration": Boolean;
        /// How long a token is valid at most.
        "maxTokenExpiration": Duration;
    }
}

object! {
    /// Who may sign in.
    StructuredAuthentication {
        /// Name of the ConfigMap with the AuthenticationConfiguration.
        "configMapName": String required;
    }
}

object! {
    /// Who may do what.
    StructuredAuthorization {
        /// Name of the ConfigMap with the AuthorizationConfiguration.
        "configMapName": String required;
        /// Kubeconfigs for the webhooks in it.
        "kubeconfigs": [AuthorizerKubeconfigReference] required;
    }
}

object! {
    /// The kubeconfig of an authorizing webhook.
    AuthorizerKubeconfigReference {
        /// Name of the webhook in the configuration.
        "authorizerName": String required;
        /// Name of the Secret with the kubeconfig.
        "secretName": String required;
    }
}

object! {
    /// How many objects the API server remembers for watches.
    WatchCacheSizes {
        /// How many of each resource; not used any more.
        "default": Integer32 -> default: Option<i32>
            => [AtLeast(0.0), RemovedFrom(35, "remove it; the cache finds its size itself")];
        /// How many of some resources.
        "resources": [ResourceWatchCacheSize];
    }
}

object! {
    /// How many objects of a resource the API server remembers for watches.
    ResourceWatchCacheSize {
        /// API group of the resource; empty for the core group.
        "apiGroup": String => [Format(ApiGroup)];
        /// The resource, for example `secrets`.
        "resource": String required => [Filled, Format(ResourceName)];
        /// How many; 0 for none.
        "size": Integer32 filled => [AtLeast(0.0)];
    }
}
