use crate::admission::Context;
use crate::api::{GardenerVersion, Shoot};

/// The facts that constraints depend on, in addition to the value.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::rules) struct Facts<'a> {
    /// The Kubernetes version; empty if there is no version.
    pub(in crate::rules) version: &'a str,
    /// Whether the Shoot has no workers.
    pub(in crate::rules) workerless: bool,
    /// The version of Gardener that the landscape runs.
    pub(in crate::rules) gardener: GardenerVersion,
}

impl<'a> Facts<'a> {
    /// Returns the facts of a Shoot whose version is resolved.
    pub(in crate::rules) fn of(shoot: &'a Shoot, context: &Context<'_>) -> Self {
        Self {
            version: &shoot.spec.kubernetes.version,
            workerless: shoot.is_workerless(),
            gardener: context.config.gardener_version,
        }
    }

    /// Returns the facts of an object that is no Shoot.
    pub(in crate::rules) fn without_shoot(context: &Context<'_>) -> Self {
        Self { gardener: context.config.gardener_version, ..Self::default() }
    }
}
