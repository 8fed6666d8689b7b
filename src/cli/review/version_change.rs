// SPDX-License-Identifier: Apache-2.0
//! Component vectors that a change modifies: the stored objects, judged by the new versions and compared with the old ones.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;

use super::baseline::Comparison;
use super::outputs::Outputs;
use crate::cli::audit::{Source, StoredObject};
use crate::cli::project_filter::ProjectFilter;
use crate::cli::versions::{Variant, VersionArgs};
use crate::review::cluster::Live;
use crate::review::git::Revision;
use crate::review::notes::note;
use garden_gate_core::config::Config;
use garden_gate_core::garden::ObjectKey;
use garden_gate_core::policies::OwnPolicy;
use garden_gate_products::audit::Auditor;
use garden_gate_products::report::{ChangedVersion, ChangedVersions, Reviewed, Summary};

/// The change of component vectors since a revision.
pub(super) struct VersionChange {
    /// The versions before the change.
    pub(super) old: Variant,
    changed: Vec<ChangedVersion>,
    /// Whether the change affects verdicts.
    is_judged: bool,
}

/// How stored objects are judged.
pub(super) struct Judgement {
    /// The configurations with the old and the new versions.
    pub(super) configs: [Config; 2],
    pub(super) own_policies: Arc<[OwnPolicy]>,
    pub(super) at: Timestamp,
}

/// The gardens whose stored objects are judged.
pub(super) struct Gardens<'a> {
    pub(super) live: Option<&'a Live>,
    pub(super) directories: &'a [PathBuf],
    /// Whether objects missing from a directory do not exist.
    pub(super) is_whole: bool,
}

impl<'a> Gardens<'a> {
    /// Returns the gardens, with names if there are several.
    fn sources(&self) -> Vec<(String, Source<'a>)> {
        match (self.live, self.directories) {
            (Some(live), _) => vec![(String::new(), Source::Live(live))],
            (None, [only]) => vec![(String::new(), Source::Directory(only))],
            (None, several) => {
                let named =
                    several.iter().map(|it| (it.display().to_string(), Source::Directory(it)));
                named.collect()
            }
        }
    }
}

impl VersionChange {
    /// Returns the change of the named component vectors since a revision; `None` if no version changed.
    ///
    /// `at` is any path of the work tree.
    ///
    /// # Errors
    /// Fails if an old vector cannot be read or is not valid.
    pub(super) fn find(
        versions: &VersionArgs,
        new: &Variant,
        (at, revision): (&Path, Option<&str>),
    ) -> anyhow::Result<Option<Self>> {
        let Some(revision) = revision.filter(|_| versions.has_components()) else {
            return Ok(None);
        };
        let before = versions.components_at(&Revision::find(at, revision)?)?;
        let after = new.components();
        let changed: Vec<ChangedVersion> =
            after.changed_since(&before).iter().map(ChangedVersion::of).collect();
        let is_judged = after.judges_differently(&before);
        let change = Self { old: versions.with_components(before), changed, is_judged };
        Ok((!change.changed.is_empty()).then_some(change))
    }

    /// Audits the stored objects of the gardens, and adds the results.
    ///
    /// # Errors
    /// Fails if a garden cannot be read, or the output fails.
    pub(super) fn audit(
        self,
        gardens: &Gardens<'_>,
        judgement: &Judgement,
        (outputs, summary, comparison): (&mut Outputs<'_>, &mut Summary, &mut Comparison),
    ) -> anyhow::Result<()> {
        let Self { changed, is_judged, .. } = self;
        summary.versions = Some(ChangedVersions { changed, ..ChangedVersions::default() });
        if !is_judged {
            return Ok(());
        }
        let sources = gardens.sources();
        if sources.is_empty() {
            note(format_args!(
                "note: a component vector changes, but no stored object is judged by the new versions, since there is no garden; use --garden DIR or --live"
            ));
        }
        let all = ProjectFilter::default();
        for (garden, source) in sources {
            let [mut old, mut new] = judgement.configs.clone();
            let loaded = source.garden_again(&new, &all, gardens.is_whole)?;
            loaded.published.apply_quietly(&mut old);
            loaded.published.apply_quietly(&mut new);
            let auditor = Auditor::new(&loaded.garden, &new, judgement.at)
                .with_policies(Arc::clone(&judgement.own_policies))
                .compared_with(&old);
            let mut seen: HashSet<ObjectKey> = HashSet::new();
            let audited = |it: StoredObject<'_>| (it.key, it.reviewed);
            let add = |objects: Vec<(ObjectKey, Reviewed)>| {
                let mut remarkable = Vec::new();
                for (key, mut object) in objects {
                    if !seen.insert(key) {
                        continue;
                    }
                    object.garden.clone_from(&garden);
                    comparison.mark(&mut object);
                    summary.add_stored(&object);
                    if object.is_remarkable() {
                        remarkable.push(object);
                    }
                }
                outputs.write(remarkable.iter())
            };
            for why in source.each(&auditor, &BTreeSet::new(), audited, add)? {
                note(format_args!("warning: {why}"));
            }
            if loaded.is_partial {
                summary.note_partial();
            }
        }
        Ok(())
    }
}
