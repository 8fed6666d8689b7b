use std::collections::BTreeSet;

use super::placement::list;
use crate::engine::{
    Change, Check, Context, ErrorType, FieldPath, FindingKind, Findings, Offence, rule,
};
use crate::model::Shoot;

rule! {
    /// ## What it checks
    /// The zones in `spec.controlPlane.zones` are three different ones if the control plane tolerates the failure of a
    /// zone, and one otherwise. They stay what they are, with two exceptions: they may be removed, and if the control plane
    /// is made to tolerate the failure of a zone, zones may be added.
    ///
    /// ## Why
    /// The volumes of a control plane are in these zones and cannot move.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, the subresource `binding` included.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   controlPlane:
    ///     highAvailability:
    ///       failureTolerance:
    ///         type: zone
    ///     zones: [eu-1a, eu-1b]   # a third one is missing
    /// ```
    ///
    /// ## How to fix
    /// Name three zones for the failure tolerance `zone`, else one; or leave the zones to Gardener.
    ///
    /// ## Gardener
    /// validateControlPlaneZones and validateControlPlaneZonesUpdate in `pkg/api/core/validation/shoot.go` (422).
    pub(crate) static RULE {
        id: "shoot/control-plane-zones-invalid",
        summary: "a control plane is pinned to one zone or, if it tolerates the failure of one, to three",
        phase: Static,
        scopes: [Shoot [Create, Update] ["", "binding"]],
        documented: Deny,
        gardener: Deny,
        findings: [DUPLICATE, COUNT, CHANGED],
        check: Check::Shoot(check),
    }
}

static DUPLICATE: FindingKind = FindingKind {
    id: "shoot/control-plane-zones-duplicate",
    summary: "a zone of the control plane is named twice",
};
static COUNT: FindingKind = FindingKind {
    id: "shoot/control-plane-zones-count",
    summary: "the control plane has too few or too many zones",
};
static CHANGED: FindingKind = FindingKind {
    id: "shoot/control-plane-zones-changed",
    summary: "the zones of the control plane are changed",
};

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new else { return };
    let zones = &new.spec.control_plane.zones;
    if zones.is_empty() {
        return;
    }
    let path = FieldPath::new("spec.controlPlane.zones");
    let mut seen = BTreeSet::new();
    for (index, zone) in zones.iter().enumerate() {
        if !seen.insert(zone) {
            let message = format!("zone `{zone}` is named twice");
            let path = path.index(index);
            let offence = Offence::new(&DUPLICATE, ErrorType::Duplicate, path, message);
            findings.add(offence.value(zone.clone()).help("remove one of them"));
        }
    }
    let (wanted, tolerance) = match new.survives_zones() {
        true => (3, "`zone`"),
        false => (1, "other than `zone`"),
    };
    if seen.len() != wanted {
        let count = seen.len();
        let message =
            format!("a failure tolerance {tolerance} takes {wanted} different zones, not {count}");
        let offence = Offence::new(&COUNT, ErrorType::Invalid, path.clone(), message);
        findings.add(offence.help("name as many zones, or none to leave them to Gardener"));
    }
    if let Some(old) = shoot.old {
        check_change(old, new, path, findings);
    }
}

fn check_change(old: &Shoot, new: &Shoot, path: FieldPath, findings: &mut Findings) {
    let (stored, zones) = (&old.spec.control_plane.zones, &new.spec.control_plane.zones);
    let grows = !old.survives_zones() && new.survives_zones() && !stored.is_empty();
    if stored == zones || grows && stored.iter().all(|zone| zones.contains(zone)) {
        return;
    }
    let stored = list(stored.iter().map(String::as_str));
    let message = match grows {
        true => {
            format!("zones may be added for the failure tolerance `zone`, but {stored} must stay")
        }
        false => format!("the zones of the control plane cannot be changed; stored: {stored}"),
    };
    let offence = Offence::new(&CHANGED, ErrorType::Forbidden, path, message);
    findings.add(offence.help("keep the stored zones"));
}
