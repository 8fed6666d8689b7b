// SPDX-License-Identifier: Apache-2.0
//! Directories for `gardenadm`: the directory is the whole garden, and has the objects of one self-hosted Shoot.

mod data;
mod documents;
mod extensions;

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::Value;

use self::documents::{FileContent, USED, of_kind};
use super::subject::{DirectoryProblem, Subject};
use garden_gate_core::admission::{ErrorType, FieldPath, Kind};
use garden_gate_core::config::{Config, Level};
use garden_gate_core::garden::{
    self, FileNames, GardenObject, Knowledge, Named, NamedObject, Snapshot,
};
use garden_gate_core::rules;
use garden_gate_core::rules::gardenadm::{CONTROL_PLANE, OBJECT_MISSING, OBJECT_REPEATED};

/// Kinds of which `gardenadm` needs an object.
const NEEDED: [Kind; 3] = [Kind::Shoot, Kind::Project, Kind::CloudProfile];
/// Other kinds of which `gardenadm` accepts only one object.
const ONCE: [Kind; 3] = [Kind::ShootState, Kind::SecretBinding, Kind::CredentialsBinding];

/// The rule about extensions, of which a garden requires more than `gardenadm/directory`.
const OF_GARDEN: &str = "shoot/extensions-unregistered";

/// Size of all texts up to which parsed documents are kept in memory.
const KEPT: usize = 1 << 20;

/// The manifests in a directory for `gardenadm`.
#[derive(Debug)]
pub struct GardenadmDirectory {
    /// The objects that `gardenadm` uses, and the documents with which it fails.
    pub subjects: Vec<Subject>,
    /// The garden that consists of the objects.
    pub garden: Snapshot,
    /// The number of objects that are not judged, such as Secrets.
    pub others: usize,
    /// The number of objects that `gardenadm` ignores, by kind.
    pub ignored: BTreeMap<String, usize>,
}

impl GardenadmDirectory {
    /// Reads texts, each with the name of its file, or the reason why a file could not be read.
    ///
    /// Missing objects do not exist, unless a file or document cannot be read. `name` is the directory, for messages.
    pub fn of(name: &str, files: Vec<(String, Result<String, String>)>) -> Self {
        let size: usize = files.iter().map(|(_, it)| it.as_ref().map_or(0, String::len)).sum();
        let contents: Vec<FileContent> = files
            .into_par_iter()
            .map(|(file, text)| match text {
                Ok(text) => documents::read(&file, text, size < KEPT),
                Err(why) => FileContent::unreadable(&file, why),
            })
            .collect();
        let mut directory = Self {
            subjects: Vec::new(),
            garden: Snapshot::new(Knowledge::Everything),
            others: 0,
            ignored: BTreeMap::new(),
        };
        let mut named = Vec::new();
        for content in contents {
            directory.subjects.extend(content.subjects);
            named.extend(content.named);
            directory.others += content.others;
            for (kind, count) in content.ignored {
                *directory.ignored.entry(kind).or_default() += count;
            }
        }
        let unread = directory.subjects.iter().find(|it| it.key().is_none() && !it.has_problems());
        let unread = unread.map(Subject::place);
        directory.note_repeated();
        if unread.is_none() {
            directory.note_missing(name);
        }
        directory.check_control_plane();
        directory.set_garden(named, unread.as_deref());
        for subject in directory.subjects.iter_mut().filter(|it| it.lacks_namespace()) {
            subject.fails(
                "the manifest has no `metadata.namespace`, and gardenadm sets none; set it, for example to that of the Project"
                    .to_owned(),
            );
        }
        directory
    }

    /// Adds a problem to the second and all further objects of a kind of which `gardenadm` accepts one.
    fn note_repeated(&mut self) {
        let mut first: BTreeMap<Kind, String> = BTreeMap::new();
        for subject in &mut self.subjects {
            let kind = subject.key().map(|it| it.kind);
            let Some(kind) = kind.filter(|it| NEEDED.contains(it) || ONCE.contains(it)) else {
                continue;
            };
            match first.get(&kind) {
                None => {
                    first.insert(kind, subject.place());
                }
                Some(place) => subject.add_problem(DirectoryProblem {
                    kind: &OBJECT_REPEATED,
                    error: ErrorType::Duplicate,
                    field: FieldPath::new("kind"),
                    message: format!(
                        "gardenadm accepts one {kind}, and the first one is in {place}"
                    ),
                    help: "keep one of them; each self-hosted Shoot has its own directory"
                        .to_owned(),
                }),
            }
        }
    }

    /// Adds a problem for each missing object to the Shoot, the Project or the CloudProfile, otherwise to the directory.
    fn note_missing(&mut self, name: &str) {
        let has =
            |kind: Kind| self.subjects.iter().any(|it| it.key().is_some_and(|it| it.kind == kind));
        let missing: Vec<Kind> = NEEDED.into_iter().filter(|it| !has(*it)).collect();
        let owner = NEEDED.into_iter().find(|it| has(*it));
        let problems = missing.into_iter().map(|kind| DirectoryProblem {
            kind: &OBJECT_MISSING,
            error: ErrorType::Required,
            field: FieldPath::new("kind"),
            message: format!("gardenadm needs a {kind}, and `{name}` has none"),
            help: format!("add the {kind} as a `.yaml`, `.yml` or `.json` file"),
        });
        let mut problems = problems.peekable();
        if problems.peek().is_none() {
            return;
        }
        let own = |it: &&mut Subject| it.key().map(|it| it.kind) == owner && owner.is_some();
        match self.subjects.iter_mut().find(own) {
            Some(subject) => problems.for_each(|it| subject.add_problem(it)),
            None => {
                let mut subject = Subject::unreadable(name, String::new());
                problems.for_each(|it| subject.add_problem(it));
                self.subjects.insert(0, subject);
            }
        }
    }

    /// Adds a problem to each Shoot without a worker pool for its control plane.
    fn check_control_plane(&mut self) {
        for subject in of_kind(&mut self.subjects, Kind::Shoot) {
            let Some(shoot) = subject.content() else {
                continue;
            };
            if extensions::control_plane_pool(&shoot).is_none() {
                subject.add_problem(DirectoryProblem {
                    kind: &CONTROL_PLANE,
                    error: ErrorType::Required,
                    field: FieldPath::new("spec.provider.workers"),
                    message: "no worker pool sets `controlPlane`, and gardenadm needs one for the control plane".to_owned(),
                    help: "add `controlPlane: {}` to the pool of the control plane".to_owned(),
                });
            }
        }
    }

    /// Checks the extensions of the first Shoot, and sets the garden to the objects.
    ///
    /// `unread` is the position of a document that cannot be read, so that further objects may exist.
    fn set_garden(&mut self, named: Vec<NamedObject>, unread: Option<&str>) {
        let derived = extensions::derived(&self.subjects);
        extensions::check(&mut self.subjects, &derived, unread.is_none());
        let garden = &mut self.garden;
        for (kind, object) in derived.iter().flat_map(extensions::Derived::objects) {
            if let Some(object) = known(kind, object) {
                garden.apply(object);
            }
        }
        for subject in &mut self.subjects {
            let Some(key) = subject.key() else {
                continue;
            };
            match subject.take_kept() {
                Some(object) => garden.apply(object),
                None => {
                    let why = format!("{} cannot be decoded", subject.place());
                    garden.apply(GardenObject::Unreadable(key, why));
                }
            }
        }
        let all = || Kind::ALL.iter().copied();
        let mut names = FileNames::default();
        names.complete.extend(all());
        for NamedObject { key, data } in named {
            if key.kind == Kind::ConfigMap {
                names.add_data(key.clone(), data);
            }
            names.add(key, Named::default());
        }
        all().for_each(|kind| garden.complete(kind));
        if let Some(place) = unread {
            let why = format!("one may be in `{place}`, which cannot be read");
            for kind in USED {
                garden.note_gap(kind, || why.clone());
            }
            names.doubt = Some(why);
        }
        garden.file_names(names);
    }
}

/// Disables the rule about extensions that only a garden with an API server requires.
pub fn disable_rule_of_garden(config: &mut Config) {
    let findings = rules::find(OF_GARDEN).into_iter().flat_map(|rule| rule.findings);
    for id in findings.map(|it| it.id).chain([OF_GARDEN]) {
        config.levels.insert(id.to_owned(), Level::Off);
    }
}

/// Returns an object as a snapshot keeps it; `None` if it cannot be parsed.
fn known(kind: Kind, object: &Value) -> Option<GardenObject> {
    garden::read_with_configuration(kind, object.to_string().as_str()).ok().flatten()
}
