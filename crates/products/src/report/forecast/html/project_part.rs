// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use super::super::row::Row;
use crate::forecast::{Outlook, Owner, ShootForecast, UnknownForecast};

/// The part of a forecast that belongs to a Project.
#[derive(Default)]
pub(super) struct ProjectPart<'a> {
    pub(super) shoots: Vec<&'a ShootForecast>,
    /// The events, with the numbers that are their anchors in the page.
    pub(super) rows: Vec<(usize, Row<'a>)>,
    /// The Shoots without a forecast.
    pub(super) missing: Vec<&'a UnknownForecast>,
}

/// Returns the parts of a forecast by Project.
pub(super) fn by_project<'a>(
    outlook: &'a Outlook,
    rows: &[Row<'a>],
) -> BTreeMap<&'a str, ProjectPart<'a>> {
    let mut projects: BTreeMap<&str, ProjectPart<'_>> = BTreeMap::new();
    for shoot in &outlook.shoots {
        projects.entry(name(shoot)).or_default().shoots.push(shoot);
    }
    for (number, row) in rows.iter().enumerate() {
        projects.entry(name(row.shoot)).or_default().rows.push((number, *row));
    }
    for shoot in &outlook.unforeseen {
        let name = owned_by(&shoot.owner, &shoot.namespace);
        projects.entry(name).or_default().missing.push(shoot);
    }
    projects
}

fn name(shoot: &ShootForecast) -> &str {
    owned_by(&shoot.owner, &shoot.forecast.namespace)
}

/// Returns the name of the Project, or the namespace if the Project is unknown.
fn owned_by<'a>(owner: &'a Owner, namespace: &'a str) -> &'a str {
    if owner.project.is_empty() { namespace } else { &owner.project }
}
