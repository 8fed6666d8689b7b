use crate::model::Kind;

/// The rules that cannot judge while a kind is not served; a trailing `/*` stands for all of a family.
pub(super) fn needed_by(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Project => &[
            "shoot/tolerations-default",
            "shoot/toleration-not-whitelisted",
            "shoot/deletion-not-confirmed",
            "shoot/no-seed-accepts",
        ],
        Kind::ExposureClass => &["shoot/exposureclass-*"],
        Kind::CloudProfile => &["shoot/*", "namespacedcloudprofile/*"],
        Kind::NamespacedCloudProfile => &["cloudprofile/*"],
        Kind::Seed => &[
            "shoot/seed-*",
            "shoot/cp-seed-selector",
            "shoot/migration-prerequisites",
            "shoot/deleting-seed-frozen",
            "shoot/networks-vs-seed",
            "shoot/access-restrictions",
            "shoot/control-plane-zones-vs-seed",
            "shoot/live-migration",
            "shoot/no-seed-accepts",
        ],
        Kind::Shoot => &[
            "cloudprofile/*",
            "namespacedcloudprofile/*",
            "seed/*",
            "binding/*",
            "shoot/seed-capacity",
            "shoot/no-seed-accepts",
        ],
        _ => &[],
    }
}

/// Whether any of the rules that can judge only with a kind is among `enabled`.
pub(super) fn is_needed(kind: Kind, enabled: &[&str]) -> bool {
    needed_by(kind).iter().any(|needing| {
        enabled.iter().any(|id| match needing.strip_suffix('*') {
            Some(family) => id.starts_with(family),
            None => id == needing,
        })
    })
}
