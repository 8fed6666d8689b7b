use crate::api::Shoot;

/// The facts that constraints depend on, in addition to the value.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::rules) struct Facts<'a> {
    /// The Kubernetes version; empty if there is no version.
    pub(in crate::rules) version: &'a str,
    /// Whether the Shoot has no workers.
    pub(in crate::rules) workerless: bool,
}

impl<'a> Facts<'a> {
    /// Returns the facts of a Shoot whose version is resolved.
    pub(in crate::rules) fn of(shoot: &'a Shoot) -> Self {
        Self {
            version: &shoot.spec.kubernetes.version,
            workerless: shoot.is_workerless(),
        }
    }
}
