//! The machine images of pools.

pub(in crate::rules::shoot) mod offered_images;

rules! {
    RULES:
    worker_architecture_default,
    machine_image_default,
    machine_image_required,
    machine_image_unsupported,
    machine_image_capabilities,
    machine_image_kubelet_constraint,
    machine_image_cri,
    in_place_image,
}
