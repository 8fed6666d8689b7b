// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use crate::admission::{
    Change, Context, FieldPath, FindingKind, Findings, Help, Operation, Update, rule,
};
use crate::garden::distances;
use crate::rules::shoot::seed::placement::{move_of, seed, seed_name_path};
use garden_gate_model::api::{RegionConfig, Seed, Shoot};
use garden_gate_text::go::{atoi, parse_bool};

rule! {
    page: include_str!("live_migration.md"),
    id: "shoot/live-migration",
    summary: "rejects an unsupported live migration of the control plane",
    phase: Admission,
    level: Deny,
    since: 148,
    scopes: [Shoot [Create, Update] [Itself, Binding]; Shoot [Delete]],
    reads: [Seed if live_control_plane_migration, ConfigMap if live_control_plane_migration],
    only_if: Changed,
    findings: {
        GATE_OFF = "shoot/live-migration-feature-gate": "the annotation is set, but the feature gate is disabled",
        ON_CREATE = "shoot/live-migration-on-create": "the annotation is set on a new Shoot",
        NOT_HA = "shoot/live-migration-not-highly-available": "the control plane is not highly available",
        HIBERNATED = "shoot/live-migration-hibernated": "the Shoot is hibernated or wakes up from hibernation",
        PROVIDER = "shoot/live-migration-provider": "the seeds have different provider types",
        VERSION = "shoot/live-migration-gardenlet-version": "the seeds do not report the same gardenlet version",
        DISTANCE = "shoot/live-migration-distance": "the distance between the seeds' regions is too large or unknown",
        DISTANCE_UNREADABLE = "shoot/live-migration-distance-unreadable": "the ConfigMap of region distances cannot be parsed",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const LIVE: &str = "migration.gardener.cloud/live-migrate";
const DISTANT: &str = "migration.gardener.cloud/allow-distant-regions";
const THRESHOLD: &str = "migration.gardener.cloud/inter-region-distance-threshold";
const GATE: &str = "LiveControlPlaneMigration";
/// Gardener's default if the ConfigMap has no annotation.
const DEFAULT_THRESHOLD: i64 = 180;

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(shown) = shoot.new.or(shoot.old) else {
        return;
    };
    if !is_set(shown, LIVE) {
        return;
    }
    let mut on_annotation = |kind, message: String| {
        let path = FieldPath::new("metadata.annotations").key(LIVE);
        findings.forbid(kind, path, message).help(Help::remove("remove the annotation"));
    };
    if !context.config.feature_gates.live_control_plane_migration {
        let message = format!("`{LIVE}` needs the feature gate `{GATE}`, which is off");
        return on_annotation(&GATE_OFF, message);
    }
    if context.request.operation == Operation::Create {
        let message = format!("`{LIVE}` cannot be set on a new Shoot");
        return on_annotation(&ON_CREATE, message);
    }
    if let (Some(new), Some(old)) = (shoot.new, shoot.old) {
        check_move(context, Update { new, old }, findings);
    }
}

fn is_set(shoot: &Shoot, annotation: &str) -> bool {
    let value = shoot.metadata.annotations.get(annotation);
    value.and_then(|value| parse_bool(value)) == Some(true)
}

fn check_move(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let Some((from, to)) = move_of(shoot) else {
        return;
    };
    if !new.is_highly_available() {
        let message = "only a highly available control plane can move alive".to_owned();
        refuse(&NOT_HA, message, findings);
    }
    if new.spec.hibernation.as_ref().and_then(|it| it.enabled) == Some(true)
        || old.status.is_hibernated
    {
        let message = "a Shoot that is hibernated or waking up cannot move alive".to_owned();
        refuse(&HIBERNATED, message, findings);
    }
    let (Some(from), Some(to)) = (seed(context, from, findings), seed(context, to, findings))
    else {
        return;
    };
    let types = (&from.spec.provider.kind, &to.spec.provider.kind);
    if types.0 != types.1 {
        let message =
            format!("the seeds have different provider types: `{}` and `{}`", types.0, types.1);
        refuse(&PROVIDER, message, findings);
    }
    check_versions(&from, &to, findings);
    let regions = (&from.spec.provider.region, &to.spec.provider.region);
    if regions.0 != regions.1 && !is_set(new, DISTANT) {
        check_distance(context, new, regions, findings);
    }
}

fn check_versions(from: &Seed, to: &Seed, findings: &mut Findings) {
    let mut is_reported = true;
    for seed in [from, to] {
        if seed.status.gardener.version.is_empty() {
            is_reported = false;
            let name = &seed.metadata.name;
            let message = format!("seed `{name}` does not report the version of its gardenlet");
            refuse(&VERSION, message, findings);
        }
    }
    let (old, new) = (&from.status.gardener.version, &to.status.gardener.version);
    if is_reported && old != new {
        let message = format!(
            "seed `{}` has gardenlet `{old}`, but seed `{}` has `{new}`",
            from.metadata.name, to.metadata.name
        );
        refuse(&VERSION, message, findings);
    }
}

fn check_distance(
    context: &Context<'_>,
    shoot: &Shoot,
    (from, to): (&String, &String),
    findings: &mut Findings,
) {
    let Some((_, profile)) = shoot.profile_name() else {
        return;
    };
    let configs = context.region_configs();
    let what = format_args!("how far region `{to}` is from `{from}`");
    let Some(configs) = findings.known(configs, &seed_name_path(), what) else {
        return;
    };
    let config: Option<&Arc<RegionConfig>> = configs.iter().find(|it| it.is_for(profile));
    let Some(config) = config else {
        let message = format!(
            "no ConfigMap with distances between regions is for CloudProfile `{profile}`, so nobody says how far `{to}` is from `{from}`"
        );
        return refuse(&DISTANCE, message, findings);
    };
    match far(config, from, to) {
        Ok(None) => {}
        Ok(Some(why)) => refuse(&DISTANCE, why, findings),
        Err(why) => refuse(&DISTANCE_UNREADABLE, why, findings),
    }
}

/// Returns the reason why two regions are too far from each other.
fn far(config: &RegionConfig, from: &str, to: &str) -> Result<Option<String>, String> {
    let name = &config.metadata.name;
    let threshold = match config.metadata.annotations.get(THRESHOLD) {
        None => DEFAULT_THRESHOLD,
        Some(text) => atoi(text)
            .filter(|threshold| *threshold >= 0)
            .ok_or_else(|| format!("`{text}` in annotation `{THRESHOLD}` of ConfigMap `{name}` is not a whole number from 0 on"))?,
    };
    let Some(distances) = distances(config, from) else {
        return Ok(Some(format!("ConfigMap `{name}` has no distances for region `{from}`")));
    };
    let distances = distances.map_err(|why| {
        format!("the distances for region `{from}` in ConfigMap `{name}` cannot be read: {why}")
    })?;
    Ok(match distances.get(to) {
        None => Some(format!("ConfigMap `{name}` does not say how far `{to}` is from `{from}`")),
        Some(distance) if *distance > threshold => Some(format!(
            "region `{to}` is {distance} from `{from}`; at most {threshold} is allowed"
        )),
        Some(_) => None,
    })
}

fn refuse(kind: &'static FindingKind, message: String, findings: &mut Findings) {
    findings
        .forbid(kind, seed_name_path(), message)
        .help("choose another seed, or remove the annotation to move the ordinary way");
}
