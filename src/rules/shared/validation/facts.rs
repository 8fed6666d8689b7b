use crate::model::Shoot;

/// What constraints depend on, besides the value.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::rules) struct Facts<'a> {
    /// The Kubernetes version; empty where there is none.
    pub(in crate::rules) version: &'a str,
    /// Whether the Shoot has no workers.
    pub(in crate::rules) workerless: bool,
}

impl<'a> Facts<'a> {
    /// Of a Shoot whose version is resolved.
    pub(in crate::rules) fn of(shoot: &'a Shoot) -> Self {
        Self {
            version: &shoot.spec.kubernetes.version,
            workerless: shoot.is_workerless(),
        }
    }
}
