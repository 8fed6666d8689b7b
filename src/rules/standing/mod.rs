//! How things stand: what nobody writes, and what only shows when all of a garden is looked at. `garden-gate audit` tells it; an API
//! server is never refused anything for it. Off in profile `gardener`.

pub(crate) use maintenance_fails::{BLOCKED, IMPOSSIBLE, RULE as MAINTENANCE_FAILS};

rules! {
    RULES:
    maintenance_fails,
    in_place_update_pending,
    hibernation_impossible,
    toleration_unused,
    exposure_class_unused,
    namespaced_cloud_profile_unused,
    taint_untolerated,
    image_version_unusable,
    minor_gap,
}
