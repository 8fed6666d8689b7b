// SPDX-License-Identifier: Apache-2.0
use core::net::IpAddr;

use crate::admission::{Change, Context, FieldPath, Findings, Help, rule};
use crate::rules::seed_management::completed::{Completed, configuration_path};
use crate::rules::seed_management::seed_template::{STATIC, judge_seed};
use crate::rules::shared::lists::one_of;
use crate::rules::shared::validation::{
    CHANGED, Facts, MALFORMED, MISSING, OUT_OF_RANGE, Part, REPEATED, Section, TOO_LONG, UNFITTING,
    UNSUPPORTED, check_annotation_map, check_at, check_label_map, check_selector,
};
use garden_gate_model::api::{Kind, Named};

rule! {
    page: include_str!("configuration.md"),
    id: "gardenlet/configuration",
    summary: "rejects an invalid configuration of a gardenlet, and an invalid Seed in it",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [
        ManagedSeed [Create, Update];
        ManagedSeedSet [Create, Update];
        Gardenlet [Create, Update];
    ],
    reads: [Shoot],
    findings: {
        CHANGED, MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED,
    },
    check: Judge(check),
}

const SECTION: Section = Section {
    kind: "ManagedSeed",
    at: &["spec", "gardenlet", "config"],
    except: &["SeedTemplate", "LabelSelector"],
};

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let Some(objects) = Completed::of(context) else {
        return;
    };
    let path = configuration_path(objects.kind);
    objects.parts(|new, _| {
        if let Some(configuration) = new.at(path) {
            check_at(SECTION, &configuration, Facts::without_shoot(context), findings);
            check_configuration(&configuration, findings);
            check_connection(&configuration, connection(objects.kind, new), findings);
        }
    });
    let at = path.iter().fold(FieldPath::root(), |at, name| at.child(name)).child("seedConfig");
    let seeds = objects.at(&[path, &["seedConfig"]].concat());
    judge_seed(context, ("seed", seeds), STATIC, &at, findings);
}

/// Mirrors ValidateGardenletConfiguration in `pkg/api/config/gardenlet/v1alpha1/validation`, in addition to the field table.
fn check_configuration(configuration: &Part<'_>, findings: &mut Findings) {
    check_validity(configuration, findings);
    check_leader_election(configuration, findings);
    check_log(configuration, findings);
    check_resources(configuration, findings);
    check_purposes(configuration, findings);
    let controller = ["controllers", "networkPolicy", "additionalNamespaceSelectors"];
    for selector in configuration.items_at(&controller) {
        check_selector(&selector, findings);
    }
    let handlers = configuration.items_at(&["exposureClassHandlers"]);
    for owner in handlers.iter().chain([configuration]) {
        check_address(owner, findings);
    }
    if let Some(metadata) = configuration.at(&["seedConfig", "metadata"]) {
        check_seed_metadata(&metadata, findings);
    }
}

fn check_seed_metadata(metadata: &Part<'_>, findings: &mut Findings) {
    if !metadata.text_at(&["name"]).is_empty() {
        let message = "the name of the Seed is that of this object";
        let field = metadata.path().child("name");
        findings.forbid(&UNFITTING, field, message).help(Help::remove("remove it"));
    }
    if let Some(labels) = metadata.at(&["labels"]) {
        check_label_map(labels, findings);
    }
    if let Some(annotations) = metadata.at(&["annotations"]) {
        check_annotation_map(annotations, findings);
    }
}

const MINIMUM: &str = "autoRotationJitterPercentageMin";

fn check_validity(configuration: &Part<'_>, findings: &mut Findings) {
    let Some(validity) = configuration.at(&["gardenClientConnection", "kubeconfigValidity"]) else {
        return;
    };
    let [least, most] =
        [MINIMUM, "autoRotationJitterPercentageMax"].map(|it| validity.number_at(&[it]));
    if let (Some(least), Some(most)) = (least, most)
        && least >= most
    {
        let message = format!("the minimum is {least}, which is not less than the maximum, {most}");
        let field = validity.path().child(MINIMUM);
        findings.invalid(&OUT_OF_RANGE, field, message).help("lower the minimum");
    }
}

/// Mirrors ValidateLeaderElectionConfiguration in `k8s.io/component-base/config/validation`; Gardener reports it without the path of the
/// configuration.
fn check_leader_election(configuration: &Part<'_>, findings: &mut Findings) {
    let Some(election) = configuration.at(&["leaderElection"]) else {
        return;
    };
    if election.flag_at(&["leaderElect"]) != Some(true) {
        return;
    }
    let field = |name: &'static str| FieldPath::new("leaderElection").child(name);
    let real = |name: &'static str| election.path().child(name);
    let [lease, deadline, retry] = ["leaseDuration", "renewDeadline", "retryPeriod"]
        .map(|name| (name, election.seconds_at(&[name]).unwrap_or_default()));
    for (name, seconds) in [lease, deadline, retry] {
        if seconds <= 0.0 {
            let message = format!("`{name}` is not greater than 0");
            findings
                .invalid(&OUT_OF_RANGE, field(name), message)
                .at(&real(name))
                .help(format!("set `{name}`"));
        }
    }
    if lease.1 <= deadline.1 {
        let message = "`leaseDuration` is not longer than `renewDeadline`";
        findings
            .invalid(&OUT_OF_RANGE, field(lease.0), message)
            .at(&real(lease.0))
            .help("use a longer duration");
    }
    for name in ["resourceLock", "resourceNamespace", "resourceName"] {
        if election.text_at(&[name]).is_empty() {
            let message = format!("`{name}` is not set");
            findings
                .required(&MISSING, field(name), message)
                .at(&real(name))
                .help(format!("set `{name}`"));
        }
    }
}

/// Checks level and format of the log, which Gardener reports without the path of the configuration.
fn check_log(configuration: &Part<'_>, findings: &mut Findings) {
    let allowed: [(&'static str, &[&str]); 2] =
        [("logLevel", &["debug", "error", "info"]), ("logFormat", &["json", "text"])];
    for (name, allowed) in allowed {
        let written = configuration.text_at(&[name]);
        if !written.is_empty() && !allowed.contains(&written.as_str()) {
            let message = format!("`{written}` is no value of `{name}`");
            findings
                .unsupported(&UNSUPPORTED, FieldPath::new(name), message)
                .at(&configuration.path().child(name))
                .help(one_of(&written, allowed));
        }
    }
}

fn check_resources(configuration: &Part<'_>, findings: &mut Findings) {
    let amounts = |name| {
        let amounts = configuration.at(&["resources", name]).map(|it| it.entries());
        amounts.unwrap_or_default()
    };
    let capacity = amounts("capacity");
    for (resource, reserved) in amounts("reserved") {
        let field = configuration.path().child("resources").child("reserved");
        let field = field.child_called(&resource);
        let of_all = capacity.iter().find(|(name, _)| *name == resource);
        let (message, help) = match of_all {
            None => {
                (format!("`{resource}` is reserved, and has no capacity"), "name its capacity, too")
            }
            // Both are compared as whole numbers, rounded up.
            Some((_, capacity))
                if reserved.amount().unwrap_or_default().ceil()
                    > capacity.amount().unwrap_or_default().ceil() =>
            {
                (format!("more of `{resource}` is reserved than its capacity"), "reserve less")
            }
            Some(_) => continue,
        };
        findings.invalid(&OUT_OF_RANGE, field, message).at(reserved.path()).help(help);
    }
}

fn check_purposes(configuration: &Part<'_>, findings: &mut Findings) {
    let Some(controller) = configuration.at(&["controllers", "backupEntry"]) else {
        return;
    };
    let hours = controller.number_at(&["deletionGracePeriodHours"]).unwrap_or_default();
    let purposes = "deletionGracePeriodShootPurposes";
    if hours <= 0.0 && !controller.items_at(&[purposes]).is_empty() {
        let message = "purposes are set without `deletionGracePeriodHours`";
        let field = controller.path().child(purposes);
        findings.forbid(&UNFITTING, field, message).help("set `deletionGracePeriodHours`");
    }
}

fn check_address(owner: &Part<'_>, findings: &mut Findings) {
    let Some(address) = owner.at(&["sni", "ingress", "serviceExternalIP"]) else {
        return;
    };
    let text = address.text().unwrap_or_default();
    if text.parse::<IpAddr>().is_err() {
        let message = format!("`{text}` is no IP address");
        findings
            .invalid(&MALFORMED, address.path().clone(), message)
            .help("write it like `203.0.113.7`");
    }
}

/// How a gardenlet connects to the garden cluster.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Connection {
    /// With a kubeconfig that is created for it.
    Bootstrapped,
    /// With that of the configuration.
    Own,
    /// With that of the configuration, or of the parent gardenlet.
    OwnOrParent,
    /// Unknown: `bootstrap` is invalid.
    Unknown,
}

fn connection(kind: Kind, object: &Part<'_>) -> Connection {
    let gardenlet = match kind {
        Kind::Gardenlet => return Connection::Bootstrapped,
        Kind::ManagedSeed => object.at(&["spec", "gardenlet"]),
        _ => object.at(&["spec", "template", "spec", "gardenlet"]),
    };
    let is_merged = gardenlet.as_ref().and_then(|it| it.flag_at(&["mergeWithParent"]));
    let bootstrap = gardenlet.and_then(|it| it.at(&["bootstrap"])?.text());
    match (bootstrap.as_deref(), is_merged) {
        (Some("ServiceAccount" | "BootstrapToken"), _) => Connection::Bootstrapped,
        (None | Some("None"), Some(true)) => Connection::OwnOrParent,
        (None | Some("None"), _) => Connection::Own,
        _ => Connection::Unknown,
    }
}

/// Mirrors validateGardenClientConnection in `pkg/api/seedmanagement/validation/managedseed.go`.
fn check_connection(configuration: &Part<'_>, way: Connection, findings: &mut Findings) {
    let Some(connection) = configuration.at(&["gardenClientConnection"]) else {
        return;
    };
    let has_own = !connection.text_at(&["kubeconfig"]).is_empty();
    let field = connection.path().child("kubeconfig");
    match way {
        Connection::Bootstrapped => {
            if has_own {
                let message = "the gardenlet is bootstrapped, and has no kubeconfig of its own";
                findings.forbid(&UNFITTING, field, message).help(Help::remove("remove it"));
            }
            return;
        }
        Connection::Own if !has_own => {
            let message = "the gardenlet is not bootstrapped, and has no kubeconfig";
            findings
                .required(&MISSING, field, message)
                .help("set `kubeconfig`, or `bootstrap` of the gardenlet");
        }
        Connection::Own | Connection::OwnOrParent => {}
        Connection::Unknown => return,
    }
    for name in ["bootstrapKubeconfig", "kubeconfigSecret"] {
        if let Some(secret) = connection.at(&[name]) {
            let message =
                format!("the gardenlet is not bootstrapped, so that `{name}` is not used");
            findings
                .forbid(&UNFITTING, secret.path().clone(), message)
                .help(Help::remove("remove it, or set `bootstrap` of the gardenlet"));
        }
    }
}
