//! A garden that is read from a directory of manifests: what is said of one that is not all known, and what is taken of changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::state::State;
use crate::garden::directory::{Listed, LoadedGarden, Problem};

/// The files of the garden that is in use, so that a file that gets broken is told from one that always was.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// Something is wrong in these.
    troubled: BTreeSet<PathBuf>,
    /// Objects come from these.
    sources: BTreeSet<PathBuf>,
}

impl Files {
    /// The files of a garden.
    pub(super) fn of(garden: &LoadedGarden) -> Self {
        let troubled = garden.problems.iter().map(|it| it.file.clone());
        Self {
            troubled: troubled.collect(),
            sources: garden.sources.clone(),
        }
    }

    /// What got broken since; empty if nothing did.
    pub(super) fn broken(&self, garden: &LoadedGarden) -> Vec<Problem> {
        let problems = garden.problems.iter();
        let problems = problems.filter(|it| !self.troubled.contains(&it.file));
        let emptied = garden.no_manifests.iter();
        let emptied = emptied.filter(|it| self.sources.contains(&it.file));
        problems.chain(emptied).cloned().collect()
    }
}

/// Says in the log and in readiness what of a garden is not known.
pub(super) fn tell(state: &State, directory: &Path, garden: &LoadedGarden) {
    let directory = directory.display();
    for (kind, count) in &garden.skipped {
        tracing::debug!("left out {count} of kind `{kind}`");
    }
    if garden.files == 0 {
        tracing::warn!("there are no manifests below `{directory}`");
    }
    let mut unknown = Vec::new();
    if !garden.problems.is_empty() {
        let problems = Listed(&garden.problems);
        tracing::warn!("the garden directory `{directory}` has {problems}");
        tracing::warn!("what cannot be read is unknown to every rule, never absent");
        let count = garden.problems.len();
        unknown.push(format!("{count} of its parts cannot be read"));
    }
    if !garden.lacking.is_empty() {
        let kinds: Vec<&str> = garden.lacking.iter().map(|kind| kind.as_str()).collect();
        let kinds = kinds.join(", ");
        tracing::warn!(
            "the garden directory `{directory}` holds no {kinds}: nothing is known of these; --whole-garden says that there are none"
        );
        unknown.push(format!("nothing is known of {kinds}"));
    }
    let unknown = (!unknown.is_empty())
        .then(|| format!("of the garden `{directory}` {}", unknown.join(" and ")));
    state.ready.set_unknown_garden(unknown);
}
