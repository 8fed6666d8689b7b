// SPDX-License-Identifier: Apache-2.0
//! The machine images of pools.

mod in_place_image;
mod machine_image_capabilities;
mod machine_image_cri;
pub(crate) mod machine_image_default;
mod machine_image_kubelet_constraint;
mod machine_image_required;
mod machine_image_unsupported;
pub(crate) mod offered_images;
pub(crate) mod worker_architecture_default;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &worker_architecture_default::RULE,
    &machine_image_default::RULE,
    &machine_image_required::RULE,
    &machine_image_unsupported::RULE,
    &machine_image_capabilities::RULE,
    &machine_image_kubelet_constraint::RULE,
    &machine_image_cri::RULE,
    &in_place_image::RULE,
];
