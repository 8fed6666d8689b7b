//! The Kubernetes versions of control planes and pools.

pub(in crate::rules::shoot) mod offered_kubernetes;

rules! {
    RULES:
    kubernetes_version_default,
    kubernetes_version_required,
    kubernetes_version_change,
    worker_kubernetes_version_change,
    worker_kubernetes_version_skew,
    kubernetes_version_unsupported,
    worker_kubernetes_version_unsupported,
}
