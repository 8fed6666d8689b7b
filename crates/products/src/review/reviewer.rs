// SPDX-License-Identifier: Apache-2.0
//! The review of manifests whose texts the caller passes.

use std::collections::HashSet;
use std::convert::Infallible;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;

use super::change;
use super::change_set::{self, Applier, ReviewOptions};
use super::completion::{Completion, leave_out, need_namespaces};
use super::duplicates;
use super::garden::Garden;
use super::other_objects::OtherObjects;
use super::parameters::from_directory;
use super::profile_shoots::{ProfileShoots, shoot_filter};
use super::subject::{self, ChangeForms, Subject};
use crate::forecast::{Outlook, Owner, StoredShoot};
use crate::report::{
    ConfigFile, JsonWriter, JudgedGarden, LeftOutFile, Reviewed, SkippedInput, Summary, Writer,
};
use garden_gate_core::admission::World;
use garden_gate_core::config::Config;
use garden_gate_core::garden::ObjectKey;
use garden_gate_core::garden::texts::{ShootFilter, Wanted};
use garden_gate_core::rules;
use garden_gate_model::api::Kind;

/// A file of a review.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The name of the file, for messages and positions.
    pub name: String,
    /// The text: YAML or JSON, also with several objects.
    pub text: String,
    /// The text before the change; `None` for a new file, or if nothing is compared.
    pub old: Option<String>,
}

impl Manifest {
    /// Returns a file that is not compared with an old state.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), old: None }
    }

    /// Returns a file that is compared with its text before the change.
    ///
    /// The text of a deleted file is empty.
    pub fn with_old(self, old: impl Into<String>) -> Self {
        Self { old: Some(old.into()), ..self }
    }
}

/// Reviews manifests as `garden-gate review` does.
#[derive(Debug)]
pub struct Reviewer<'a> {
    /// The garden, whose objects are the old states of manifests.
    pub garden: &'a Garden,
    /// The configuration.
    pub config: &'a Config,
    /// The time of the review.
    pub now: Timestamp,
    /// The requested time of the review, for commands in the result; `None` for the current time.
    pub at: Option<Timestamp>,
    /// The requesting user, and the policies of operators.
    pub applier: Applier<'a>,
    /// The namespace of manifests without one.
    pub namespace: Option<&'a str>,
    /// The forms of changes and fixes in the result.
    pub shows: ChangeForms,
    /// The name of the old state of files, such as a revision.
    pub origin: &'a str,
    /// The file of the configuration, for the result.
    pub config_file: Option<ConfigFile>,
}

/// The result of a review.
#[derive(Debug)]
pub struct ReviewedManifests {
    /// The objects, in the order of the files, and then deletions.
    pub objects: Vec<Reviewed>,
    /// The counts, the version of Gardener, and the skipped objects and files.
    pub summary: Summary,
    /// Warnings and notes on the input as a whole, one sentence each.
    pub notes: Vec<String>,
}

impl ReviewedManifests {
    /// Returns the document of `garden-gate review --format json`.
    ///
    /// # Errors
    /// Fails if `serde_json` fails, which does not happen for strings.
    pub fn json(&self) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        self.write(&mut JsonWriter::default(), &mut out)?;
        Ok(out)
    }

    /// Writes the result in a format.
    ///
    /// # Errors
    /// Fails if `out` fails.
    pub fn write(&self, writer: &mut dyn Writer, out: &mut dyn io::Write) -> io::Result<()> {
        writer.begin(out)?;
        writer.objects(out, &self.objects.iter().collect::<Vec<_>>())?;
        writer.end(out, &self.summary)
    }
}

/// What the files of a review contain.
#[derive(Default)]
struct Read {
    new: Vec<Subject>,
    others: OtherObjects,
    left_out: SkippedInput,
    notes: Vec<String>,
    /// Files whose objects are not all known.
    unread: HashSet<String>,
    /// Files of which some documents are templates, and the others are judged.
    partial: HashSet<String>,
}

impl<'a> Reviewer<'a> {
    /// Returns a reviewer for a user who is not named, so that needed permissions are noted, not judged.
    pub fn new(garden: &'a Garden, config: &'a Config, now: Timestamp) -> Self {
        Self {
            garden,
            config,
            now,
            at: None,
            applier: Applier::default(),
            namespace: None,
            shows: ChangeForms { patch: true, fixes: true, ..ChangeForms::default() },
            origin: "the old state",
            config_file: None,
        }
    }

    /// Judges every object of the files as if the other changes were applied, too.
    ///
    /// If a file has an old text, all files are compared with theirs: unchanged objects are left out, and missing ones are judged as
    /// deletions.
    ///
    /// # Errors
    /// Fails if an object cannot be serialized as JSON, which does not happen for objects that were parsed.
    pub fn review(
        &self,
        manifests: impl IntoIterator<Item = Manifest>,
    ) -> serde_json::Result<ReviewedManifests> {
        self.review_as(&self.applier, manifests)
    }

    /// Judges files as [`Self::review`], with the user and the compiled policies of a caller that keeps them.
    ///
    /// # Errors
    /// Fails as [`Self::review`].
    pub fn review_as(
        &self,
        applier: &Applier<'_>,
        manifests: impl IntoIterator<Item = Manifest>,
    ) -> serde_json::Result<ReviewedManifests> {
        let manifests: Vec<Manifest> = manifests.into_iter().collect();
        let is_change = manifests.iter().any(|it| it.old.is_some());
        let completion = Completion { namespace: self.namespace, is_change };
        let (mut read, old) = self.read(manifests, completion);
        let (mut subjects, mut unchanged) = (read.new, Vec::new());
        if is_change {
            let place = |subject: &Subject, _| PathBuf::from(&*subject.file);
            let compared = change::compare(subjects, old, self.origin, place)?;
            (subjects, unchanged) = (compared.changed, compared.unchanged);
            read.notes.extend(compared.notes);
        }
        need_namespaces(&mut subjects);
        read.left_out.unchanged = unchanged.len();
        duplicates::note(&mut subjects, &unchanged);
        let filter = shoot_filter(&subjects);
        let mut snapshot = self.garden.snapshot.clone();
        if self.garden.is_known() {
            let keys = subjects.iter().filter_map(Subject::key);
            let keys = keys.filter(|it| !it.kind.is_of_shoot_cluster());
            let stored = self.garden.stored(keys);
            change::apply(&mut subjects, &stored, &self.garden.name)?;
            change::doubt(&mut subjects, &snapshot);
        } else {
            snapshot = change_set::with_unchanged(&snapshot, &mut unchanged);
        }
        let directory =
            self.garden.is_known().then_some((&*self.garden.name, self.garden.is_whole));
        let changed = (&read.others.parameters, &subjects[..]);
        let snapshot =
            from_directory(read.others.applied_to(&snapshot), directory, changed, |kinds| {
                self.garden.raw_objects(kinds)
            });
        let (config, judged) = self.versioned(&mut read.notes);
        let mut summary = Summary::new(read.left_out, self.config_file.clone());
        summary.judged.push(judged);
        let world =
            World { rules: rules::ALL.into(), garden: &snapshot, config: &config, now: self.now };
        let telling = ReviewOptions { shows: self.shows, ..ReviewOptions::default() };
        let mut effects = self.shoots(filter).effects(&subjects, &world, self.at).into_iter();
        let mut objects = Vec::new();
        let Ok::<_, Infallible>(_) =
            change_set::judge(subjects, applier, &world, &telling, |mut judged| {
                for (_, object) in &mut judged {
                    object.shoots = effects.next().flatten();
                }
                leave_out(&mut judged, &mut summary.left_out, &());
                for (_, object) in judged {
                    summary.add(&object);
                    objects.push(object);
                }
                Ok(())
            });
        Ok(ReviewedManifests { objects, summary, notes: read.notes })
    }

    /// Predicts the maintenance of the Shoots in the files, or of all Shoots of the garden if the files contain none.
    ///
    /// # Errors
    /// Fails if an object cannot be serialized as JSON, which does not happen for objects that were parsed.
    pub fn forecast(
        &self,
        manifests: impl IntoIterator<Item = Manifest>,
        until: Timestamp,
    ) -> serde_json::Result<Outlook> {
        let completion = Completion { namespace: self.namespace, is_change: false };
        let (read, _) = self.read(manifests.into_iter().collect(), completion);
        let of_shoot = |it: &Subject| it.key().is_some_and(|key| key.kind == Kind::Shoot);
        let mut subjects: Vec<Subject> = read.new.into_iter().filter(of_shoot).collect();
        let garden = &self.garden.snapshot;
        let shoots = if subjects.is_empty() {
            let wanted = Wanted { kinds: vec![Kind::Shoot], ..Wanted::default() };
            StoredShoot::all(garden, self.garden.kept(&wanted))
        } else {
            let stored = self.garden.stored(subjects.iter().filter_map(Subject::key));
            change::apply(&mut subjects, &stored, &self.garden.name)?;
            let shoots = subjects.iter().filter_map(|it| {
                let ObjectKey { namespace, name, .. } = it.key()?;
                let owner = Owner::of_namespace(&namespace, garden);
                Some(StoredShoot::new((namespace, name), owner, Ok(it.content()?)))
            });
            shoots.collect()
        };
        let (config, _) = self.versioned(&mut Vec::new());
        // Fractions of a second are not relevant.
        let now = Timestamp::from_second(self.now.as_second()).unwrap_or(self.now);
        let world = World { rules: rules::ALL.into(), garden, config: &config, now };
        Ok(Outlook::of(shoots, &world, until, || ()))
    }

    /// Returns the Shoots of the garden that profiles under review may affect.
    fn shoots(&self, filter: Option<Arc<ShootFilter>>) -> ProfileShoots {
        let Some(filter) = filter.filter(|_| self.garden.is_known()) else {
            return ProfileShoots::default();
        };
        let mut garden = vec!["--garden".to_owned(), self.garden.name.clone()];
        garden.extend(self.garden.is_whole.then(|| "--whole-garden".to_owned()));
        let wanted = Wanted { shoots: Some(Arc::clone(&filter)), ..Wanted::default() };
        ProfileShoots { stored: self.garden.kept(&wanted), filter: Some(filter), garden }
    }

    /// Parses the files and their old texts; returns the objects of the old texts, too.
    fn read(&self, manifests: Vec<Manifest>, completion: Completion<'_>) -> (Read, Vec<Subject>) {
        let (mut read, mut before) = (Read::default(), Vec::new());
        for Manifest { name, text, old } in manifests {
            read.add(&name, text);
            before.extend(old.map(|old| (name, old)));
        }
        let (new, incomplete) = completion.apply(std::mem::take(&mut read.new), &());
        for file in incomplete {
            if !new.iter().any(|it| *it.file == *file.file) {
                read.unread.insert(file.file.clone());
            }
            read.left_out.incomplete.push(file);
        }
        read.new = new;
        if let Some(namespace) = self.namespace {
            read.others.set_namespace(namespace);
        }
        // An object in a file that cannot be read may still exist.
        before.retain(|(name, _)| !read.unread.contains(name));
        let old = before.into_iter().flat_map(|(name, text)| self.old(&mut read, &name, text));
        let old: Vec<Subject> = old.collect();
        let (mut old, _) = completion.apply(old, &());
        let keys: HashSet<_> = read.new.iter().filter_map(Subject::key).collect();
        old.retain(|it| {
            let is_known = it.key().is_some_and(|key| keys.contains(&key));
            is_known || !read.partial.contains(&*it.file)
        });
        (read, old)
    }

    /// Returns the objects of a file in its old state, or none with a note if it cannot be parsed.
    fn old(&self, read: &mut Read, name: &str, text: String) -> Vec<Subject> {
        let mut held = subject::read(name, text, false);
        held.leave_templates();
        let mut uncompared = |why: &str| {
            read.notes.push(format!(
                "`{name}` in {} cannot be compared: {why}; its objects count as new",
                self.origin
            ));
        };
        if let Some(placeholder) = held.template {
            uncompared(&placeholder.why(None));
        }
        match held.subjects.iter().find_map(Subject::why_unreadable) {
            Some(why) => {
                uncompared(&why);
                Vec::new()
            }
            None => held.subjects,
        }
    }

    /// Returns the configuration with the version of Gardener that the garden publishes.
    fn versioned(&self, notes: &mut Vec<String>) -> (Config, JudgedGarden) {
        let mut config = self.config.clone();
        let published = self.garden.snapshot.published_version().unwrap_or_else(|why| {
            notes.extend(config.invalid_garden_version(&self.garden.version_at, &why));
            None
        });
        config.set_garden_version(published.as_ref().map(|it| it.version));
        let judged =
            JudgedGarden { judged: config.judged_as(), published, ..JudgedGarden::default() };
        (config, judged)
    }
}

impl Read {
    /// Adds the objects of a file.
    fn add(&mut self, name: &str, text: String) {
        let mut held = subject::read(name, text, true);
        held.leave_templates();
        if let Some(placeholder) = held.template {
            let why = placeholder.why(None);
            self.left_out.incomplete.push(LeftOutFile { file: name.to_owned(), why });
            self.partial.insert(name.to_owned());
        }
        if held.subjects.iter().any(|it| it.why_unreadable().is_some()) {
            self.unread.insert(name.to_owned());
        }
        self.left_out.others += held.others;
        self.notes.extend(self.others.take(&mut held));
        self.new.extend(held.subjects);
    }
}
