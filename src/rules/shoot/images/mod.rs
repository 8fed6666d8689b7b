//! The machine images of pools.

mod in_place_image;
mod machine_image_capabilities;
mod machine_image_cri;
pub(in crate::rules) mod machine_image_default;
mod machine_image_kubelet_constraint;
mod machine_image_required;
mod machine_image_unsupported;
pub(in crate::rules::shoot) mod offered_images;
pub(in crate::rules) mod worker_architecture_default;

use crate::admission::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[
    &worker_architecture_default::RULE,
    &machine_image_default::RULE,
    &machine_image_required::RULE,
    &machine_image_unsupported::RULE,
    &machine_image_capabilities::RULE,
    &machine_image_kubelet_constraint::RULE,
    &machine_image_cri::RULE,
    &in_place_image::RULE,
];
