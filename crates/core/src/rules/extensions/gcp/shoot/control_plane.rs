// SPDX-License-Identifier: Apache-2.0
//! The configuration of the control plane. Source: `pkg/apis/gcp/validation/controlplane.go`.

use std::collections::BTreeSet;

use super::judged::{CONTROL_PLANE, IMMUTABLE, Judged};
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::extensions::provider_shoots::check_feature_gates;
use crate::rules::shared::lists::{list, one_of, short, use_one_of};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::gcp::control_plane::{
    ControlPlaneConfig, HyperDiskConfig, Storage,
};
use garden_gate_model::api::{CloudProfileSpec, GardenerVersion};
use garden_gate_text::go::Quantity;

const BALANCED: &str = "gce-sc-hd-balanced";
const THROUGHPUT: &str = "gce-sc-hd-throughput";
const EXTREME: &str = "gce-sc-hd-extreme";
const STORAGE_CLASSES: &[&str] =
    &["default", "gce-sc-hdd", "gce-sc-fast", BALANCED, THROUGHPUT, EXTREME];

/// A StorageClass of hyperdisks, with the parameters that its disks have.
struct HyperDisk<'c> {
    class: &'static str,
    field: &'static str,
    config: &'c HyperDiskConfig,
    has_iops: bool,
    has_throughput: bool,
}

fn hyper_disks(storage: &Storage) -> [HyperDisk<'_>; 3] {
    [
        HyperDisk {
            class: BALANCED,
            field: "hyperDiskBalanced",
            config: &storage.hyper_disk_balanced,
            has_iops: true,
            has_throughput: true,
        },
        HyperDisk {
            class: THROUGHPUT,
            field: "hyperDiskThroughput",
            config: &storage.hyper_disk_throughput,
            has_iops: false,
            has_throughput: true,
        },
        HyperDisk {
            class: EXTREME,
            field: "hyperDiskExtreme",
            config: &storage.hyper_disk_extreme,
            has_iops: true,
            has_throughput: false,
        },
    ]
}

fn place() -> ReportedPath {
    ReportedPath::same(FieldPath::new("spec.provider.controlPlaneConfig"))
}

/// Checks that the zone of the stored configuration is kept.
pub(super) fn check_update(judged: &Judged<'_>, old: &ControlPlaneConfig, findings: &mut Findings) {
    if judged.control_plane.zone != old.zone {
        let message = format!("`zone` is immutable; it was `{}`", short(&old.zone));
        place()
            .child("zone")
            .report((&IMMUTABLE, ErrorType::Invalid), message, findings)
            .value(judged.control_plane.zone.as_str())
            .help("restore the previous value");
    }
}

pub(super) fn check(
    judged: &Judged<'_>,
    (profile, gardener): (&CloudProfileSpec, GardenerVersion),
    findings: &mut Findings,
) {
    check_zone(judged, profile, findings);
    let config = judged.control_plane;
    let gates = place().descendant("cloudControllerManager.featureGates");
    let version = judged.shoot.spec.kubernetes.version.as_str();
    check_feature_gates(
        &config.cloud_controller_manager.feature_gates,
        version,
        gardener,
        &gates,
        &CONTROL_PLANE,
        findings,
    );
    let disks = hyper_disks(&config.storage);
    let storage = place().child("storage");
    if let Some(class) = &config.storage.default_storage_class {
        let place = storage.child("defaultStorageClass");
        let disk = disks.iter().find(|it| it.class == class);
        if !STORAGE_CLASSES.contains(&class.as_str()) {
            let message = format!("`{}` is not a StorageClass of Gardener", short(class));
            place
                .report((&CONTROL_PLANE, ErrorType::NotSupported), message, findings)
                .value(class.as_str())
                .help(one_of(class, STORAGE_CLASSES));
        } else if let Some(disk) = disk.filter(|it| !it.config.enabled) {
            let message = format!("the StorageClass `{class}` is not enabled");
            place
                .report((&CONTROL_PLANE, ErrorType::Invalid), message, findings)
                .value(class.as_str())
                .help(format!("set `storage.{}.enabled: true`", disk.field));
        }
    }
    for disk in disks.iter().filter(|it| it.config.enabled) {
        disk.check(&storage.child(disk.field), findings);
    }
}

fn check_zone(judged: &Judged<'_>, profile: &CloudProfileSpec, findings: &mut Findings) {
    let (zone, place) = (judged.control_plane.zone.as_str(), place().child("zone"));
    let region = judged.shoot.spec.region.as_str();
    let mut regions = profile.regions.iter();
    let available = regions.find(|it| it.name == region).map_or(&[][..], |it| &it.zones);
    if zone.is_empty() {
        place
            .report(
                (&CONTROL_PLANE, ErrorType::Required),
                "the control plane has no zone",
                findings,
            )
            .help("set `zone` to a zone of a worker pool");
    } else if !available.iter().any(|it| it.name == zone) {
        let message =
            format!("zone `{}` is not available in region `{}`", short(zone), short(region));
        place
            .report((&CONTROL_PLANE, ErrorType::NotSupported), message, findings)
            .value(zone)
            .help(use_one_of(available.iter().map(|it| &it.name)));
    }
    let pools = judged.shoot.spec.provider.workers.iter();
    let zones: BTreeSet<&str> = pools.flat_map(|it| it.zones.iter().map(String::as_str)).collect();
    if !zones.contains(zone) {
        let message = format!("no worker pool is in zone `{}`", short(zone));
        place
            .report((&CONTROL_PLANE, ErrorType::Invalid), message, findings)
            .value(zone)
            .help(format!("use one of {}", list(zones)));
    }
}

impl HyperDisk<'_> {
    fn check(&self, place: &ReportedPath, findings: &mut Findings) {
        let iops = self.config.provisioned_iops_on_create;
        let throughput = self.config.provisioned_throughput_on_create.as_deref();
        for (name, is_set, is_supported, example) in [
            ("provisionedIopsOnCreate", iops.is_some(), self.has_iops, "3000"),
            ("provisionedThroughputOnCreate", throughput.is_some(), self.has_throughput, "140Mi"),
        ] {
            let (error, message, help) = match (is_set, is_supported) {
                (false, true) => (
                    ErrorType::Required,
                    format!("the StorageClass `{}` needs `{name}`", self.class),
                    format!("set it, for example to `{example}`"),
                ),
                (true, false) => (
                    ErrorType::Forbidden,
                    format!("disks of the StorageClass `{}` have no `{name}`", self.class),
                    "remove it".to_owned(),
                ),
                _ => continue,
            };
            place.child(name).report((&CONTROL_PLANE, error), message, findings).help(help);
        }
        if let Some(iops) = iops.filter(|it| self.has_iops && *it <= 0) {
            let message = format!("`provisionedIopsOnCreate` is {iops}, which is not positive");
            place
                .child("provisionedIopsOnCreate")
                .report((&CONTROL_PLANE, ErrorType::Invalid), message, findings)
                .value(iops)
                .help("use 1 or more");
        }
        if let Some(text) =
            throughput.filter(|it| self.has_throughput && Quantity::parse(it).is_err())
        {
            let message = format!("`{}` is not a quantity", short(text));
            place
                .child("provisionedThroughputOnCreate")
                .report((&CONTROL_PLANE, ErrorType::Invalid), message, findings)
                .value(text)
                .help("write it like `140Mi`");
        }
    }
}
