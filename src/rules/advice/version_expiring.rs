use jiff::SignedDuration;

use super::versions_in_use::Advised;
use crate::engine::{Change, Context, Findings, rule};
use crate::model::Shoot;
use crate::version::maintenance::{Forced, Targets, Window};

rule! {
    /// ## What it checks
    /// No Kubernetes or machine image version of a Shoot expires soon: within `advice.expiringWithin` of the configuration, by default
    /// 30 days.
    ///
    /// ## Why
    /// When it has expired, maintenance updates it by force, whatever the settings of automatic updates, and perhaps to the next minor version.
    /// Plan the update before that.
    ///
    /// ## Applies to
    /// Shoots, on every CREATE and UPDATE until they are updated, unless they are being deleted. The advice names the expiration date, the version
    /// after maintenance, and the latest time of that maintenance.
    ///
    /// ## Example
    /// Kubernetes `1.31.6` expires in a week, and the profile has `1.31.7`.
    ///
    /// ## How to fix
    /// Update to the version that the message names, or to a later one.
    ///
    /// ## Gardener
    /// Not checked. Off in profile `gardener`.
    id: "advice/version-expiring",
    summary: "no version of a Shoot expires soon",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Create, Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: { EXPIRING = "advice/version-expiring": "a version of the Shoot expires soon" },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(advised) = Advised::of(context, shoot) else {
        return;
    };
    let spec = advised.spec();
    let now = context.now;
    let window = Window::of(advised.new);
    let targets = Targets::of(advised.new, spec);
    for used in advised.uses(spec) {
        let Forced::Later {
            expires, latest, ..
        } = used.forced(window, now)
        else {
            continue;
        };
        if expires.duration_since(now) > context.config.advice.expiring_within {
            continue;
        }
        findings.add_with(&EXPIRING, || {
            let then = expires.checked_add(SignedDuration::from_nanos(1));
            let (says, help) = match used.target(&targets, then.unwrap_or(expires)) {
                Some(to) => (
                    format!("expires at `{expires}`; update to `{to}`"),
                    format!("maintenance does it by force, at the latest at `{latest}`"),
                ),
                None => (
                    format!("expires at `{expires}`, and the profile has nothing to go to"),
                    "ask for a later version in the profile".to_owned(),
                ),
            };
            used.advice(&EXPIRING, &says).help(help)
        });
    }
}
