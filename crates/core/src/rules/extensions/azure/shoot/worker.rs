// SPDX-License-Identifier: Apache-2.0
//! The configuration of a worker pool. Source: `pkg/apis/azure/validation/worker.go`.

use std::collections::{BTreeMap, HashSet};

use super::judged::{CHECKS_SYNTAX, Judged, WORKER};
use super::syntax::{COMMUNITY_GALLERY_IMAGE, SHARED_GALLERY_IMAGE, STORAGE_URI, URN};
use super::vnet::{check_id, parse_id};
use crate::admission::{ErrorType, Findings, Help};
use crate::rules::extensions::provider_shoots::{CAPACITIES, check_node_template};
use crate::rules::shared::lists::{one_of, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Worker;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::azure::worker::{
    DataVolume, Image, NodeTemplate, WorkerConfig,
};
use garden_gate_text::go::Quantity;

/// The first version that checks `virtualCapacity`, and accepts any resource in `capacity`.
const CHECKS_VIRTUAL: ExtensionVersion = ExtensionVersion::new(1, 60);

/// Resources that versions before 1.60 accept in addition.
const MORE_CAPACITIES: [&str; 2] = ["storage", "ephemeral-storage"];
const CACHING: &[&str] = &["None", "ReadOnly", "ReadWrite"];
const RESERVATION_GROUPS: &str = "CapacityReservationGroups";
/// Billionths of a thousandth, to which the extension rounds quantities up.
const MILLI: i128 = Quantity::ONE / 1000;

pub(super) fn check(
    judged: &Judged<'_>,
    (pool, config): (&Worker, &WorkerConfig),
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if let Some(uri) = config.diagnostics_profile.as_ref().and_then(|it| it.storage_uri.as_ref())
        && judged.version >= CHECKS_SYNTAX
    {
        let at = place.descendant("diagnosticsProfile.storageURI");
        STORAGE_URI.check(uri, &at, &WORKER, findings);
    }
    if let Some(template) = &config.node_template {
        check_template(judged, template, &place.child("nodeTemplate"), findings);
    }
    check_data_volumes(judged, pool, config, &place.child("dataVolumes"), findings);
    if let Some(caching) = config
        .volume
        .as_ref()
        .and_then(|it| it.caching.as_deref())
        .filter(|it| !CACHING.contains(it))
    {
        let message = format!("`{}` is not a supported caching", short(caching));
        place
            .descendant("volume.caching")
            .report((&WORKER, ErrorType::NotSupported), message, findings)
            .value(caching)
            .help(one_of(caching, CACHING));
    }
    let reservation = config.capacity_reservation.as_ref();
    if let Some(group) = reservation.and_then(|it| it.group_id.as_ref()) {
        let at = place.descendant("capacityReservation.capacityReservationGroupID");
        check_reservation(group, &at, findings);
    }
}

fn check_reservation(group: &str, place: &ReportedPath, findings: &mut Findings) {
    let resource = "a capacity reservation group";
    let Some(id) = parse_id(group, resource, place, &WORKER, findings) else {
        return;
    };
    if !id.is_of(RESERVATION_GROUPS) {
        let message = format!("`{}` is not the resource ID of {resource}", short(group));
        place
            .report((&WORKER, ErrorType::Invalid), message, findings)
            .value(group)
            .help("end it with `/providers/Microsoft.Compute/capacityReservationGroups/<name>`");
    }
}

fn check_template(
    judged: &Judged<'_>,
    template: &NodeTemplate,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if judged.version >= CHECKS_VIRTUAL {
        let rounded: BTreeMap<String, Option<Quantity>> = template
            .virtual_capacity
            .iter()
            .map(|(name, it)| (name.clone(), it.as_ref().map(rounded_up)))
            .collect();
        check_node_template(&template.capacity, &rounded, (place, &WORKER), findings);
        return;
    }
    check_node_template(&template.capacity, &BTreeMap::new(), (place, &WORKER), findings);
    let at = place.child("capacity");
    if judged.version < CHECKS_SYNTAX {
        for name in CAPACITIES {
            if !template.capacity.contains_key(name) {
                let message = format!("the node template has no `{name}`");
                let help = format!("add `{name}`, for example `{name}: 1`");
                report(&at, ErrorType::Required, &message, help, findings);
            }
        }
        return;
    }
    for (name, quantity) in &template.capacity {
        let place = || at.child_called(name);
        if MORE_CAPACITIES.contains(&name.as_str()) {
            if quantity.as_ref().is_some_and(|it| it.nanos() < 0) {
                let message = format!("`{name}` is negative");
                report(&place(), ErrorType::Invalid, &message, "use 0 or more", findings);
            }
        } else if !CAPACITIES.contains(&name.as_str()) {
            let known: Vec<&str> = CAPACITIES.into_iter().chain(MORE_CAPACITIES).collect();
            let message = format!("`{}` is not a supported resource", short(name));
            let help = one_of(name, &known);
            report(&place(), ErrorType::Invalid, &message, help, findings);
        }
    }
}

/// Returns a quantity rounded away from zero to thousandths.
fn rounded_up(quantity: &Quantity) -> Quantity {
    let nanos = quantity.nanos();
    let rest = nanos % MILLI;
    let rounded = (nanos - rest).checked_add(rest.signum() * MILLI).filter(|_| rest != 0);
    rounded.map_or_else(|| quantity.clone(), |it| quantity.with_nanos(it))
}

fn check_data_volumes(
    judged: &Judged<'_>,
    pool: &Worker,
    config: &WorkerConfig,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let known: HashSet<&str> =
        pool.data_volumes.iter().map(|it| it.name.as_deref().unwrap_or_default()).collect();
    for (index, volume) in config.data_volumes.iter().enumerate() {
        let real = place.index(index);
        let has_volume = known.contains(volume.name.as_str());
        if judged.version < CHECKS_SYNTAX {
            check_older_volume(volume, has_volume, place, &real, findings);
            continue;
        }
        let Some(image) = &volume.image_ref else {
            continue;
        };
        if !has_volume {
            report_name(&volume.name, &real.child("name"), findings);
        }
        if !check_image(image, &real.child("imageRef"), findings) {
            return;
        }
    }
}

/// Checks a data volume as earlier versions, which report no index.
fn check_older_volume(
    volume: &DataVolume,
    has_volume: bool,
    list: &ReportedPath,
    volume_place: &ReportedPath,
    findings: &mut Findings,
) {
    let place = |own: &'static str, real: &'static str| ReportedPath {
        own: list.own.child(own),
        real: volume_place.real.child(real),
    };
    if volume.image_ref == Some(Image::default()) {
        report_empty(&place("ImageRef", "imageRef"), findings);
    }
    if !has_volume {
        report_name(&volume.name, &place("Name", "name"), findings);
    }
}

fn report_name(name: &str, place: &ReportedPath, findings: &mut Findings) {
    let message = format!("the pool has no data volume `{}`", short(name));
    let help = "add it to `dataVolumes` of the pool, or correct the name";
    report(place, ErrorType::Invalid, &message, help, findings);
}

fn report_empty(place: &ReportedPath, findings: &mut Findings) {
    let message = "`imageRef` names no image";
    let help = "set `urn` or an ID, or remove `imageRef`";
    report(place, ErrorType::Invalid, message, help, findings);
}

/// Checks the image of a data volume; returns whether the component checks the following data volumes.
fn check_image(image: &Image, place: &ReportedPath, findings: &mut Findings) -> bool {
    if *image == Image::default() {
        report_empty(place, findings);
    }
    for (field, value, syntax) in [
        ("urn", &image.urn, URN),
        ("communityGalleryImageID", &image.community_gallery_image_id, COMMUNITY_GALLERY_IMAGE),
        ("sharedGalleryImageID", &image.shared_gallery_image_id, SHARED_GALLERY_IMAGE),
    ] {
        if let Some(value) = value {
            syntax.check(value, &place.child(field), &WORKER, findings);
        }
    }
    let Some(text) = &image.id else {
        return true;
    };
    let id_place = place.child("id");
    let Some(id) = parse_id(text, "an image", &id_place, &WORKER, findings) else {
        return false;
    };
    let id_place = ReportedPath { own: place.own.child("images"), real: id_place.real };
    check_id(&id, text, &id_place, &WORKER, findings);
    true
}

/// Reports an invalid value of a field.
fn report(
    place: &ReportedPath,
    error: ErrorType,
    message: &str,
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    place.report((&WORKER, error), message, findings).help(help);
}
