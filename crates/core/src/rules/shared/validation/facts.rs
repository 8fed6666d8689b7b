// SPDX-License-Identifier: Apache-2.0
use crate::admission::Context;
use garden_gate_model::api::{GardenerVersion, Shoot};

/// The facts that constraints depend on, in addition to the value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts<'a> {
    /// The Kubernetes version; empty if there is no version.
    pub(crate) version: &'a str,
    /// Whether the Shoot has no workers.
    pub(crate) workerless: bool,
    /// The version of Gardener that the landscape runs.
    pub(crate) gardener: GardenerVersion,
}

impl<'a> Facts<'a> {
    /// Returns the facts of a Shoot whose version is resolved.
    pub(crate) fn of(shoot: &'a Shoot, context: &Context<'_>) -> Self {
        Self {
            version: &shoot.spec.kubernetes.version,
            workerless: shoot.is_workerless(),
            gardener: context.config.gardener_version,
        }
    }

    /// Returns the facts of an object that is no Shoot.
    pub(crate) fn without_shoot(context: &Context<'_>) -> Self {
        Self { gardener: context.config.gardener_version, ..Self::default() }
    }
}
