//! `spec.kubernetes.kubeAPIServer`.

use crate::fields::object;
use crate::fields::shared::references::ObjectReference;
use crate::fields::shoot::kubernetes::ControlPlaneAutoscaling;

object! {
    KubeAPIServerConfig {
        admissionPlugins: [AdmissionPlugin; by name];
        apiAudiences: [String];
        auditConfig: AuditConfig;
        autoscaling: ControlPlaneAutoscaling;
        defaultNotReadyTolerationSeconds: Integer64;
        defaultUnreachableTolerationSeconds: Integer64;
        enableAnonymousAuthentication: Boolean;
        encryptionConfig: EncryptionConfig;
        eventTTL: Duration;
        featureGates: {Boolean};
        logging: APIServerLogging;
        requests: APIServerRequests;
        runtimeConfig: {Boolean};
        serviceAccountConfig: ServiceAccountConfig;
        structuredAuthentication: StructuredAuthentication;
        structuredAuthorization: StructuredAuthorization;
        tlsMinVersion: String;
        watchCacheSizes: WatchCacheSizes;
    }
}

object! {
    AdmissionPlugin {
        config: Any;
        disabled: Boolean;
        kubeconfigSecretName: String;
        name: String required;
    }
}

object! {
    APIServerLogging {
        httpAccessVerbosity: Integer32;
        verbosity: Integer32;
    }
}

object! {
    APIServerRequests {
        maxMutatingInflight: Integer32;
        maxNonMutatingInflight: Integer32;
    }
}

object! {
    AuditConfig {
        auditPolicy: AuditPolicy;
    }
}

object! {
    AuditPolicy {
        configMapRef: ObjectReference;
    }
}

object! {
    EncryptionConfig {
        provider: EncryptionProvider required;
        resources: [String];
    }
}

object! {
    EncryptionProvider {
        type: String;
    }
}

object! {
    ServiceAccountConfig {
        acceptedIssuers: [String];
        extendTokenExpiration: Boolean;
        issuer: String;
        maxTokenExpiration: Duration;
    }
}

object! {
    StructuredAuthentication {
        configMapName: String required;
    }
}

object! {
    StructuredAuthorization {
        configMapName: String required;
        kubeconfigs: [AuthorizerKubeconfigReference] required;
    }
}

object! {
    AuthorizerKubeconfigReference {
        authorizerName: String required;
        secretName: String required;
    }
}

object! {
    WatchCacheSizes {
        default: Integer32;
        resources: [ResourceWatchCacheSize];
    }
}

object! {
    ResourceWatchCacheSize {
        apiGroup: String;
        resource: String required;
        size: Integer32 filled;
    }
}
