// SPDX-License-Identifier: Apache-2.0
//! The effect of reviewed profiles on the Shoots of a garden.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;

use super::Subject;
use crate::forecast::{ChangedProfile, Owner, PERIOD, StoredShoot, profile_effects};
use crate::report::ShootEffect;
use garden_gate_core::admission::{Kind, World};
use garden_gate_core::garden::texts::ShootFilter;
use garden_gate_core::garden::{Knowledge, ObjectKey};

/// Maximum number of files in a command.
const FILES: usize = 3;

/// Returns the filter for the Shoots that a forecast needs; `None` if no profile is reviewed.
pub fn shoot_filter(subjects: &[Subject]) -> Option<Arc<ShootFilter>> {
    let profiles: BTreeSet<ObjectKey> = subjects.iter().filter_map(Subject::profile_key).collect();
    (!profiles.is_empty()).then(|| Arc::new(ShootFilter::of_profiles(profiles)))
}

/// The stored Shoots of a garden that profiles under review may affect.
#[derive(Debug, Default)]
pub struct ProfileShoots {
    /// The Shoots, and other objects, as stored.
    pub stored: HashMap<ObjectKey, Value>,
    /// The filter by which they were selected.
    pub filter: Option<Arc<ShootFilter>>,
    /// The arguments that select the garden.
    pub garden: Vec<String>,
}

impl ProfileShoots {
    /// Returns the effect of each subject, in order; empty without a changed profile or a garden.
    ///
    /// `at` is the time of the review, if requested.
    pub fn effects(
        self,
        subjects: &[Subject],
        world: &World<'_>,
        at: Option<Timestamp>,
    ) -> Vec<Option<ShootEffect>> {
        let Some(filter) = self.filter.filter(|_| world.garden.knowledge() != Knowledge::Nothing)
        else {
            return Vec::new();
        };
        let profiles: Vec<Option<ChangedProfile>> =
            subjects.iter().map(Subject::changed_profile).collect();
        let changed: Vec<ChangedProfile> = profiles.iter().flatten().cloned().collect();
        // Fractions of a second are not relevant.
        let now = Timestamp::from_second(world.now.as_second()).unwrap_or(world.now);
        let (Ok(until), false) = (now.checked_add(PERIOD), changed.is_empty()) else {
            return Vec::new();
        };
        let shoots = shoots(self.stored, subjects);
        let effects = profile_effects(&shoots, &changed, &World { now, ..*world }, until);
        // With the new state in the garden, a forecast would find no difference.
        let is_applied = changed.iter().any(|it| it.is_in(world.garden));
        let command = if is_applied {
            String::new()
        } else {
            command(&self.garden, at, &files(subjects, &profiles))
        };
        let mut effects = effects.into_iter().map(|mut effect| {
            effect.is_partial |= filter.is_exceeded();
            ShootEffect { effect, command: command.clone() }
        });
        profiles.iter().map(|it| it.as_ref().and_then(|_| effects.next())).collect()
    }
}

/// Returns the files with changed profiles for a forecast, which reads manifests, but no AdmissionReviews.
fn files<'a>(subjects: &'a [Subject], profiles: &[Option<ChangedProfile>]) -> Vec<&'a str> {
    let reviewed = subjects.iter().zip(profiles).filter(|(_, profile)| profile.is_some());
    let file = |subject: &'a Subject| if subject.key().is_some() { &*subject.file } else { "-" };
    let files: BTreeSet<&str> = reviewed.map(|(subject, _)| file(subject)).collect();
    files.into_iter().collect()
}

/// Returns the Shoots after the change, sorted by key.
fn shoots(mut stored: HashMap<ObjectKey, Value>, subjects: &[Subject]) -> Vec<StoredShoot> {
    for subject in subjects {
        match subject.key().filter(|key| key.kind == Kind::Shoot) {
            Some(key) if !subject.exists_after() => {
                stored.remove(&key);
            }
            Some(key) => {
                stored.extend(subject.content().map(|shoot| (key, shoot)));
            }
            None => {}
        }
    }
    let mut shoots: Vec<(ObjectKey, Value)> =
        stored.into_iter().filter(|(key, _)| key.kind == Kind::Shoot).collect();
    shoots.sort_by(|(a, _), (b, _)| a.cmp(b));
    let shoots = shoots.into_iter().map(|(key, shoot)| {
        StoredShoot::new((key.namespace, key.name), Owner::default(), Ok(shoot))
    });
    shoots.collect()
}

/// Formats the command that lists the Shoots: `garden` are its arguments for the garden.
fn command(garden: &[String], at: Option<Timestamp>, files: &[&str]) -> String {
    let mut words = vec!["garden-gate".to_owned(), "forecast".to_owned()];
    words.extend(garden.iter().map(|it| word(it)));
    // Standard input and long lists are left to the reader.
    let are_named = files.len() <= FILES && !files.contains(&"-");
    if are_named {
        words.extend(files.iter().flat_map(|it| ["--with".to_owned(), word(it)]));
    } else {
        words.extend(["--with".to_owned(), "FILE".to_owned()]);
    }
    words.extend(at.into_iter().flat_map(|at| ["--at".to_owned(), at.to_string()]));
    words.join(" ")
}

/// Quotes a word for a shell if that is necessary.
fn word(text: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "/._-+:=@%,".contains(char);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::command;

    #[rstest]
    #[case::one_file(&["--garden", "dump"], &["cp.yaml"], "garden-gate forecast --garden dump --with cp.yaml")]
    #[case::quoted(&["--garden", "my dump"], &["it's.yaml"], r"garden-gate forecast --garden 'my dump' --with 'it'\''s.yaml'")]
    #[case::standard_input(&["--live"], &["-"], "garden-gate forecast --live --with FILE")]
    #[case::many_files(&["--live"], &["a", "b", "c", "d"], "garden-gate forecast --live --with FILE")]
    fn command_is_for_a_shell(
        #[case] garden: &[&str],
        #[case] files: &[&str],
        #[case] expected: &str,
    ) {
        let garden: Vec<String> = garden.iter().map(ToString::to_string).collect();
        assert_eq!(command(&garden, None, files), expected);
        let at = "2026-12-01T00:00:00Z".parse().unwrap();
        let expected = format!("{expected} --at 2026-12-01T00:00:00Z");
        assert_eq!(command(&garden, Some(at), files), expected);
    }
}
