// SPDX-License-Identifier: Apache-2.0
//! Projects, and rows of their Shoots.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use super::groups::{Groups, State};
use super::landscape::Landscape;
use super::naming::Naming;
use super::object::Object;
use crate::forecast::{Class, Forecast, Owner, Part};

/// The numbers of documents and names, by which rows refer to them.
pub(super) struct Numbers<'a> {
    /// The namespaces with Shoots or findings, by Project.
    pub(super) namespaces: Vec<Namespace<'a>>,
    by_name: HashMap<&'a str, usize>,
    profiles: Vec<&'a str>,
}

/// A namespace with its Project.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[schemars(rename = "SiteNamespace")]
pub(super) struct Namespace<'a> {
    /// The namespace.
    pub(super) namespace: &'a str,
    /// The Project; empty if it is unknown.
    project: &'a str,
    /// The owner of the Project.
    owner: &'a str,
    /// The name of the document about it.
    pub(super) data: String,
}

impl<'a> Numbers<'a> {
    pub(super) fn of(landscape: &'a Landscape, naming: Naming) -> Self {
        let shoots = landscape.shoots.iter().map(|it| (it.key().0, it.owner()));
        let objects = landscape
            .objects
            .iter()
            .filter(|it| it.document.is_some() && !it.namespace.is_empty())
            .map(|it| (it.namespace.as_str(), &it.owner));
        let mut owners: BTreeMap<&str, &Owner> = BTreeMap::new();
        for (namespace, owner) in shoots.chain(objects) {
            owners.entry(namespace).or_insert(owner);
        }
        let mut owners: Vec<(&str, &Owner)> = owners.into_iter().collect();
        owners.sort_by_key(|(namespace, it)| (it.project.is_empty(), &it.project, *namespace));
        let namespaces: Vec<Namespace<'a>> = owners
            .into_iter()
            .enumerate()
            .map(|(index, (namespace, owner))| Namespace {
                namespace,
                project: &owner.project,
                owner: &owner.name,
                data: naming.project(index, namespace),
            })
            .collect();
        let by_name =
            namespaces.iter().enumerate().map(|(index, it)| (it.namespace, index)).collect();
        let mut profiles: Vec<&str> = landscape
            .shoots
            .iter()
            .filter_map(|it| it.forecast.as_ref().ok())
            .map(|it| it.forecast.profile.as_str())
            .collect();
        profiles.sort_unstable();
        profiles.dedup();
        Self { namespaces, by_name, profiles }
    }

    /// Returns the number of the namespace whose document has a name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.namespaces.iter().position(|it| it.data == name)
    }

    /// Returns the number of a namespace; `None` for cluster-scoped objects.
    pub(super) fn namespace(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
}

/// A Shoot in a list. Lists are long, so that its fields have no names.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[schemars(rename = "SiteRow")]
pub(super) struct Row<'a>(
    /// The number of the namespace.
    usize,
    /// The name.
    &'a str,
    /// The number of the profile; `null` if it is unknown.
    Option<usize>,
    /// The Kubernetes version.
    &'a str,
    /// The region.
    &'a str,
    /// The purpose.
    &'a str,
    /// The state.
    State,
    /// The time of the next event.
    Option<Timestamp>,
    /// The number of findings that refuse it now.
    usize,
    /// The number of other findings.
    usize,
    /// The ids of its items in the overview.
    &'a [String],
    /// The name of the document about it.
    String,
    /// The versions that it uses, such as `Kubernetes 1.34.4` and `gardenlinux 1877.5.0`.
    Vec<String>,
);

impl Row<'_> {
    /// Returns the name of the document with the Shoot.
    pub(super) fn data(&self) -> &str {
        &self.11
    }
}

/// Returns the rows of all Shoots.
pub(super) fn rows<'a>(
    landscape: &'a Landscape,
    groups: &'a Groups,
    numbers: &Numbers<'a>,
    naming: Naming,
) -> Vec<Row<'a>> {
    let rows = landscape.shoots.iter().enumerate().map(|(index, shoot)| {
        let (namespace, name) = shoot.key();
        let forecast = shoot.forecast.as_ref().ok().map(|it| &it.forecast);
        let profile =
            forecast.and_then(|it| numbers.profiles.binary_search(&it.profile.as_str()).ok());
        let refusals = shoot.findings.iter().filter(|it| it.is_urgent()).count();
        Row(
            numbers.namespace(namespace).unwrap_or_default(),
            name,
            profile,
            &shoot.kubernetes,
            &shoot.region,
            &shoot.purpose,
            groups.state(landscape, index),
            forecast.and_then(|it| it.windows.first()).map(|it| it.earliest),
            refusals,
            shoot.findings.len() - refusals,
            groups.of_shoot(index),
            naming.shoot(index, (namespace, name)),
            forecast.map(versions).unwrap_or_default(),
        )
    });
    rows.collect()
}

/// Returns the versions that a Shoot uses, each once.
fn versions(forecast: &Forecast) -> Vec<String> {
    let versions = forecast.standings.iter().filter_map(|it| match &it.part {
        Part::Image { image, .. } => Some(format!("{image} {}", it.version)),
        Part::ControlPlane | Part::Pool { .. } => Some(format!("Kubernetes {}", it.version)),
        Part::Field { .. } | Part::Operation => None,
    });
    versions.collect::<BTreeSet<String>>().into_iter().collect()
}

/// All Projects.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteProjects")]
pub(super) struct Projects<'a> {
    /// The Projects, and namespaces without one.
    projects: Vec<ProjectCounts<'a>>,
}

/// The counts of a Project.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SiteProject")]
struct ProjectCounts<'a> {
    #[serde(flatten)]
    namespace: Namespace<'a>,
    /// The number of Shoots.
    shoots: usize,
    /// Shoots for which a person must act.
    must_act: usize,
    /// Shoots with a forced update as the most urgent event.
    forced: usize,
    /// The time of the next forced update that no rule refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Timestamp>,
    /// Shoots of which every write is refused.
    refused: usize,
    /// Shoots with other findings only.
    warned: usize,
    /// Shoots without a forecast.
    not_forecast: usize,
}

pub(super) fn all<'a>(
    landscape: &'a Landscape,
    rows: &[Row<'a>],
    numbers: &Numbers<'a>,
) -> Projects<'a> {
    let counts = numbers.namespaces.iter().map(|it| ProjectCounts {
        namespace: it.clone(),
        shoots: 0,
        must_act: 0,
        forced: 0,
        next: None,
        refused: 0,
        warned: 0,
        not_forecast: 0,
    });
    let mut projects: Vec<ProjectCounts<'a>> = counts.collect();
    for (row, shoot) in rows.iter().zip(&landscape.shoots) {
        let Some(counts) = projects.get_mut(row.0) else { continue };
        counts.shoots += 1;
        match row.6 {
            State::Act => counts.must_act += 1,
            State::Unknown => counts.not_forecast += 1,
            State::Forced => counts.forced += 1,
            State::Regular | State::Quiet => {}
        }
        match (row.8, row.9) {
            (0, 0) => {}
            (0, _) => counts.warned += 1,
            _ => counts.refused += 1,
        }
        let windows = shoot.forecast.iter().flat_map(|it| &it.forecast.windows);
        let mut forced = windows.filter(|it| {
            !it.is_blocked() && it.events.iter().any(|event| event.class == Class::Forced)
        });
        let next = forced.next().map(|it| it.earliest);
        counts.next = counts.next.into_iter().chain(next).min();
    }
    Projects { projects }
}

/// All Shoots, for search and filters.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteClusters")]
pub(super) struct Clusters<'a> {
    /// The namespaces, to which rows refer by number.
    namespaces: &'a [Namespace<'a>],
    /// The profiles, to which rows refer by number.
    profiles: &'a [&'a str],
    /// The Shoots.
    rows: &'a [Row<'a>],
}

pub(super) fn clusters<'a>(rows: &'a [Row<'a>], numbers: &'a Numbers<'a>) -> Clusters<'a> {
    Clusters { namespaces: &numbers.namespaces, profiles: &numbers.profiles, rows }
}

/// One Project.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteProjectPage")]
pub(super) struct Project<'a> {
    #[serde(flatten)]
    namespace: &'a Namespace<'a>,
    /// The namespace, to which rows refer by number.
    namespaces: [&'a Namespace<'a>; 1],
    /// The profiles of its Shoots, to which rows refer by number.
    profiles: Vec<&'a str>,
    /// Its Shoots.
    shoots: Vec<Row<'a>>,
    /// Its other objects with findings or undetermined checks.
    #[schemars(with = "Vec<Object<'a>>")]
    objects: Vec<&'a RawValue>,
}

/// Returns the document of a namespace.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for its own documents.
pub(super) fn one<'a>(
    landscape: &'a Landscape,
    rows: &[Row<'a>],
    numbers: &'a Numbers<'a>,
    number: usize,
) -> serde_json::Result<Project<'a>> {
    let namespace = &numbers.namespaces[number];
    let mut profiles: Vec<&str> = Vec::new();
    let mut shoots = Vec::new();
    // They are sorted by Project and namespace.
    let first = rows.partition_point(|it| it.0 < number);
    for row in rows[first..].iter().take_while(|it| it.0 == number) {
        let profile = row.2.and_then(|it| numbers.profiles.get(it).copied());
        let known = profile.map(|it| {
            let position = profiles.iter().position(|known| *known == it);
            position.unwrap_or_else(|| {
                profiles.push(it);
                profiles.len() - 1
            })
        });
        let mut row = row.clone();
        (row.0, row.2) = (0, known);
        shoots.push(row);
    }
    let objects = landscape
        .objects
        .iter()
        .filter(|it| it.namespace == namespace.namespace)
        .filter_map(|it| it.document.as_deref())
        .map(serde_json::from_str);
    Ok(Project {
        namespace,
        namespaces: [namespace],
        profiles,
        shoots,
        objects: objects.collect::<Result<_, _>>()?,
    })
}
