// SPDX-License-Identifier: Apache-2.0
//! The volumes of a worker pool and their configuration. Source: `pkg/apis/gcp/validation/worker.go`.

use std::collections::{HashMap, HashSet};

use super::judged::{CHECKS_SYNTAX, Judged, Pool, SCRATCH, WORKER};
use super::syntax::{KMS_KEY, SERVICE_ACCOUNT, SOURCE_IMAGE};
use crate::admission::{ErrorType, FieldPath, Findings, Help};
use crate::rules::shared::lists::{list, one_of, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::gcp::worker::{DiskEncryption, Volume};

const INTERFACES: &[&str] = &["NVME", "SCSI"];
/// The types of disks whose IOPS can be provisioned.
const WITH_IOPS: &[&str] = &["pd-extreme", "hyperdisk-extreme", "hyperdisk-balanced"];
/// The types of disks whose throughput can be provisioned.
const WITH_THROUGHPUT: &[&str] = &["hyperdisk-throughput", "hyperdisk-balanced"];

/// The provisioned performance of a disk.
struct Performance {
    iops: Option<i64>,
    throughput: Option<i64>,
}

pub(super) fn check(judged: &Judged<'_>, pool: &Pool<'_>, findings: &mut Findings) {
    let place = pool.config_place.child("volume");
    let config = pool.config.volume.as_ref();
    let has_scratch = check_types(pool, config, &place, findings);
    if let Some(config) = config {
        // Before, the interface was only checked with volumes that use it.
        let checks_interface = judged.version >= CHECKS_SYNTAX || has_scratch;
        if let Some(interface) =
            config.interface.as_deref().filter(|it| checks_interface && !INTERFACES.contains(it))
        {
            let message = format!("`{}` is not an interface of local SSDs", short(interface));
            place
                .child("interface")
                .report((&WORKER, ErrorType::NotSupported), message, findings)
                .value(interface)
                .help(one_of(interface, INTERFACES));
        }
        if let Some(encryption) = &config.encryption {
            check_encryption(judged, encryption, &place.child("encryption"), findings);
        }
    }
    check_data_volumes(judged, pool, findings);
    let volume = pool.pool.volume.as_ref();
    let kind = volume.and_then(|it| it.volume_type.as_deref());
    if let Some((kind, config)) = kind.zip(pool.config.boot_volume.as_ref()) {
        let performance = Performance {
            iops: config.provisioned_iops,
            throughput: config.provisioned_throughput,
        };
        let place = pool.config_place.child("bootVolume");
        performance.check(kind, &place, findings);
    }
}

/// Checks the types of the pool's data volumes; returns whether there are local SSDs.
fn check_types(
    pool: &Pool<'_>,
    config: Option<&Volume>,
    place: &ReportedPath,
    findings: &mut Findings,
) -> bool {
    let has_interface = config.is_some_and(|it| it.interface.is_some());
    let is_encrypted = config.is_some_and(|it| it.encryption.is_some());
    let mut has_scratch = false;
    for (index, volume) in pool.pool.data_volumes.iter().enumerate() {
        let name = volume.name.as_deref().unwrap_or_default();
        let Some(kind) = volume.volume_type.as_deref() else {
            let of_volume = |it: FieldPath| it.index(index).child("type");
            let message = format!("data volume `{}` has no type", short(name));
            // The extension reports the path without the pool.
            let place = ReportedPath {
                own: of_volume(FieldPath::new("dataVolumes")),
                real: of_volume(pool.place.child("dataVolumes")),
            };
            place
                .report((&WORKER, ErrorType::Required), message, findings)
                .help("set `type`, for example to `pd-balanced`");
            continue;
        };
        let is_scratch = kind == SCRATCH;
        has_scratch |= is_scratch;
        for (is_wrong, field, error, problem, help) in [
            (
                is_scratch && !has_interface,
                "interface",
                ErrorType::Required,
                "needs an interface",
                "set `volume.interface: NVME`",
            ),
            (
                is_scratch && is_encrypted,
                "encryption",
                ErrorType::Invalid,
                "cannot be encrypted with a key of Cloud KMS",
                "remove `volume.encryption`",
            ),
            (
                !is_scratch && has_interface,
                "interface",
                ErrorType::Invalid,
                "cannot have the interface of local SSDs",
                "remove `volume.interface`, or use only data volumes of type `SCRATCH`",
            ),
        ] {
            if is_wrong {
                findings.report_lazily(&WORKER, |findings| {
                    let (name, kind) = (short(name), short(kind));
                    let message = format!("data volume `{name}` of type `{kind}` {problem}");
                    place.child(field).report((&WORKER, error), message, findings).help(help);
                });
            }
        }
    }
    has_scratch
}

fn check_encryption(
    judged: &Judged<'_>,
    encryption: &DiskEncryption,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let key = place.child("kmsKeyName");
    if encryption.kms_key_name.trim().is_empty() {
        key.report(
            (&WORKER, ErrorType::Required),
            "the encryption names no key of Cloud KMS",
            findings,
        )
        .help("set `kmsKeyName`, or remove `encryption`");
        return;
    }
    if judged.version < CHECKS_SYNTAX {
        return;
    }
    KMS_KEY.check(&encryption.kms_key_name, &key, &WORKER, findings);
    if let Some(account) = &encryption.kms_key_service_account {
        SERVICE_ACCOUNT.check(account, &place.child("kmsKeyServiceAccount"), &WORKER, findings);
    }
}

fn check_data_volumes(judged: &Judged<'_>, pool: &Pool<'_>, findings: &mut Findings) {
    let place = pool.config_place.child("dataVolumes");
    let mut known: HashMap<&str, Option<&str>> = HashMap::new();
    for volume in &pool.pool.data_volumes {
        let name = volume.name.as_deref().unwrap_or_default();
        known.entry(name).or_insert(volume.volume_type.as_deref());
    }
    let mut used = HashSet::new();
    for (index, config) in pool.config.data_volumes.iter().enumerate() {
        let name = config.name.as_str();
        if let Some(image) = &config.source_image
            && judged.version >= CHECKS_SYNTAX
            && !SOURCE_IMAGE.accepts(image)
        {
            findings.report_lazily(&WORKER, |findings| {
                let at = place.index(index).child("sourceImage");
                SOURCE_IMAGE.check(image, &at, &WORKER, findings);
            });
        }
        let Some(kind) = known.get(name) else {
            findings.report_lazily(&WORKER, |findings| {
                let message = format!("the pool has no data volume `{}`", short(name));
                let place = ReportedPath { own: place.own.clone(), real: place.real.index(index) };
                place
                    .report((&WORKER, ErrorType::Invalid), message, findings)
                    .value(name)
                    .help("add it to `dataVolumes` of the pool, or correct the name");
            });
            continue;
        };
        if !used.insert(name) {
            findings.report_lazily(&WORKER, |findings| {
                let message = format!("data volume `{}` is a duplicate", short(name));
                place
                    .index(index)
                    .report((&WORKER, ErrorType::Duplicate), message, findings)
                    .value(name)
                    .help("remove one of the two");
            });
            continue;
        }
        if let Some(kind) = kind {
            let performance = Performance {
                iops: config.provisioned_iops,
                throughput: config.provisioned_throughput,
            };
            performance.check(kind, &place.index(index), findings);
        }
    }
}

impl Performance {
    /// Checks that disks of a type can have the performance.
    fn check(&self, kind: &str, place: &ReportedPath, findings: &mut Findings) {
        for (field, is_set, allowed) in [
            ("provisionedIops", self.iops.is_some(), WITH_IOPS),
            ("provisionedThroughput", self.throughput.is_some(), WITH_THROUGHPUT),
        ] {
            if is_set && !allowed.contains(&kind) {
                findings.report_lazily(&WORKER, |findings| {
                    let message = format!("disks of type `{}` have no `{field}`", short(kind));
                    place
                        .child(field)
                        .report((&WORKER, ErrorType::Forbidden), message, findings)
                        .help(Help::remove(format!("remove it, or use one of {}", list(allowed))));
                });
            }
        }
    }
}
