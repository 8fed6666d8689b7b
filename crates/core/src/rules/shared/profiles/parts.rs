// SPDX-License-Identifier: Apache-2.0
use garden_gate_model::api::{
    CloudProfile, ExpirableVersion, Limits, MachineImage, NamespacedCloudProfile,
};

/// A CloudProfile or a NamespacedCloudProfile.
pub(crate) trait Profile {
    fn parts(&self) -> ProfileParts<'_>;
}

/// The parts that both kinds of profiles have.
#[derive(Clone, Copy, Default)]
pub(crate) struct ProfileParts<'a> {
    pub kubernetes: &'a [ExpirableVersion],
    pub images: &'a [MachineImage],
    pub limits: Option<Limits>,
}

impl Profile for CloudProfile {
    fn parts(&self) -> ProfileParts<'_> {
        ProfileParts {
            kubernetes: &self.spec.kubernetes.versions,
            images: &self.spec.machine_images,
            limits: self.spec.limits,
        }
    }
}

impl Profile for NamespacedCloudProfile {
    fn parts(&self) -> ProfileParts<'_> {
        ProfileParts {
            kubernetes: self.spec.kubernetes.as_ref().map_or(&[], |it| &it.versions),
            images: &self.spec.machine_images,
            limits: self.spec.limits,
        }
    }
}
