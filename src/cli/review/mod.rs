// SPDX-License-Identifier: Apache-2.0
//! `garden-gate review`: the verdicts of the server before a push.

mod baseline;
mod compare;
pub(crate) mod configuration;
pub(crate) mod format;
pub(crate) mod garden;
mod levels;
pub(crate) mod outputs;
mod user;
mod version_change;

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::Write;
use std::mem::{self, take};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use jiff::Timestamp;

pub(crate) use self::configuration::Configuration;
pub(crate) use self::levels::LevelArgs;
pub(crate) use self::user::RequestingUser;

pub(crate) use self::baseline::outcome;
use self::baseline::{Comparison, NewBaseline, Threshold};
use self::compare::VersionComparison;
use self::garden::{load_garden, note_missing_policies};
use self::outputs::{OutputArgs, Outputs};
use self::version_change::{Gardens, Judgement, VersionChange};
use super::Outcome;
use super::garden::GardenArgs;
use super::output::Inputs;
use super::policies::PolicyFiles;
use super::profile::ProfileArgs;
use super::versions::{Variant, VersionLookup};
use crate::config_files;
use crate::files::Trees;
use crate::garden::directory::{Reading, Wanted};
use crate::review::cluster::Live;
use crate::review::fixes::FileFixOptions;
use crate::review::live::ClusterState;
use crate::review::manifests::{ChangedObjects, Manifests};
use crate::review::notes::note;
use crate::review::paths::PathRules;
use crate::review::surroundings::Files;
use crate::review::{ask, fixes, gardenadm, live, parameters, silences, versions};
use garden_gate_core::admission::World;
use garden_gate_core::config::{Checked, Config, ReviewDefaults};
use garden_gate_core::garden::{Knowledge, Snapshot};
use garden_gate_core::policies::OwnPolicy;
use garden_gate_core::rules;
use garden_gate_products::report::{
    ConfigFile, JudgedExtension, JudgedGarden, Reviewed, SkippedInput, Summary,
};
use garden_gate_products::review::change_set::{Applier, ReviewOptions};
use garden_gate_products::review::silences::Silences;
use garden_gate_products::review::{
    self as judging, ProfileShoots, Subject, change, change_set, duplicates, fixes::remediated,
    shoot_filter,
};

/// The subjects and the snapshot of one garden.
struct Round<'l> {
    /// The garden directory; empty if there is only one.
    garden: String,
    snapshot: Snapshot,
    /// The version of Gardener that the garden publishes.
    published: VersionLookup,
    /// The live cluster, and the objects that it returned.
    shown: Option<(&'l Live, ClusterState)>,
    /// The Shoots that profiles of the change may affect.
    shoots: ProfileShoots,
    subjects: Vec<Subject>,
}

impl Round<'_> {
    /// Returns objects that are the whole garden.
    fn of_objects(subjects: Vec<Subject>, snapshot: Snapshot) -> Self {
        Self {
            garden: String::new(),
            snapshot,
            published: VersionLookup::nowhere(),
            shown: None,
            shoots: ProfileShoots::default(),
            subjects,
        }
    }
}

/// The results of a review, as they come.
struct ReviewResults<'o> {
    outputs: Outputs<'o>,
    summary: Summary,
    comparison: Comparison,
    silences: Silences,
    /// The diffs of fixed files.
    diffs: String,
}

impl ReviewResults<'_> {
    /// Writes the summary and the baseline, and returns the remaining results.
    fn end(mut self) -> anyhow::Result<(Summary, Silences, String)> {
        let (compared, new) = self.comparison.end();
        self.summary.baseline = compared;
        self.outputs.end(&self.summary)?;
        new.map(NewBaseline::write).transpose()?;
        Ok((self.summary, self.silences, self.diffs))
    }
}

/// Arguments of `garden-gate review`.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Input",
    after_help = "\
Examples:
  garden-gate review --garden dump/ shoots/
  garden-gate review --garden dump/ --git origin/main
  kustomize build . | garden-gate review --garden dump/ -
  garden-gate review --live --context landscape shoots/
  garden-gate review --live --ask-server --git origin/main
  garden-gate review --garden gardens/qa --garden gardens/prod shoots/
  garden-gate review --garden dump/ --namespace garden-dev shoot.yaml
  garden-gate review --gardenadm self-hosted/

Exit codes:
  0  no refusals; with --fail-on warn, no warnings either
  1  refusals that are not in the baseline, or with --fail-on warn also
     warnings; with --ask-server, also refusals by the API server
  2  the command failed
  3  there are no objects to review
  4  a verdict is undetermined; with --ask-server, also a missing answer"
)]
pub(super) struct Review {
    /// Files or directories with manifests (YAML or JSON) or AdmissionReviews (JSON); `-` is standard input.
    ///
    /// A file may have several documents. In directories, .gitignore and .garden-gate-ignore exclude files.
    #[arg(default_value = ".", value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    garden: GardenArgs,

    /// Also send every object to the API server as a dry run, impersonating the user of --as.
    ///
    /// Nothing is stored. The response is printed next to the verdict, marked with `disagrees` if they differ.
    #[arg(long, requires = "live", help_heading = "Garden")]
    ask_server: bool,

    /// Review PATH as the directory of `gardenadm init`: it has the whole garden of one self-hosted Shoot.
    ///
    /// The files are those that gardenadm reads: ignore files and `exclude` have no effect.
    #[arg(long, help_heading = "Input")]
    gardenadm: bool,

    /// Old state of the manifests: a file or directory.
    ///
    /// Objects that exist only in the old state are reviewed as deletions; unchanged objects are skipped.
    #[arg(long, value_name = "PATH", conflicts_with = "git", help_heading = "Input")]
    old: Option<PathBuf>,

    /// Old state from Git: the merge base of REV and HEAD, as for a pull request; `REV..` selects REV itself.
    #[arg(long, value_name = "REV", help_heading = "Input")]
    git: Option<String>,

    /// Time of the review, such as 2026-12-24T18:00:00Z, or a date (UTC) [default: now].
    #[arg(long, value_name = "TIME", value_parser = crate::cli::time::time, help_heading = "Input")]
    at: Option<Timestamp>,

    /// Namespace of manifests without one, as for kubectl [default with --live: the namespace of the context].
    #[arg(short, long, value_name = "NAME", help_heading = "Input")]
    namespace: Option<String>,

    /// Also report files in directories that are neither YAML nor JSON as errors, not only named files.
    #[arg(long, help_heading = "Input")]
    strict_files: bool,

    /// Add annotations with this reason to the manifests to silence the warnings of this review; comments are kept.
    #[arg(long, value_name = "REASON", num_args = 0..=1, require_equals = true, default_missing_value = "added by --add-silences", help_heading = "Fixes")]
    add_silences: Option<String>,

    #[command(flatten)]
    configuration: Configuration,

    #[command(flatten)]
    policies: PolicyFiles,

    #[command(flatten)]
    profile: ProfileArgs,

    #[command(flatten, next_help_heading = "Rules")]
    levels: LevelArgs,

    #[command(flatten, next_help_heading = "Baseline and exit code")]
    threshold: Threshold,

    #[command(flatten)]
    user: RequestingUser,

    #[command(flatten, next_help_heading = "Output")]
    outputs: OutputArgs,
}

impl Review {
    /// Judges every object of every file, and writes the verdicts as they come.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        self.outputs.check()?;
        self.check_gardenadm()?;
        let variants = self.configuration.versions.variants()?;
        self.check_versions(&variants)?;
        let definitions = self.configuration.definitions(&self.paths)?;
        let own_policies: Arc<[OwnPolicy]> = self.policies.load(definitions)?.into();
        let last = variants.last().cloned().unwrap_or_default();
        let (checked, config) = self.configured(&own_policies, &last)?;
        let folder = Some(&checked.review.folder).filter(|it| !it.as_os_str().is_empty());
        let trees = Trees::of_outputs(self.paths.iter().chain(folder));
        let comparison = self.threshold.comparison(&checked.review, &trees)?;
        let live = self.garden.live()?;
        let directories = self.directories(live.is_some(), &checked.review)?;
        let path_rules = PathRules::new(&checked.review)?;
        let mut left_out = SkippedInput::default();
        let manifests = Manifests {
            paths: &self.paths,
            old: self.old.as_ref(),
            git: self.git.as_deref(),
            gardens: &directories,
            is_garden_configured: self.garden.directories.is_empty(),
            namespace: self.namespace.as_deref().or(live.as_ref().map(Live::namespace)),
            path_rules: &path_rules,
            is_strict: self.strict_files,
        };
        let (mut changed, gardenadm) = self.read(&manifests, &mut left_out, config.as_ref())?;
        duplicates::note(&mut changed.subjects, &changed.unchanged);
        let mut files = take(&mut changed.files);
        files.extend(config.iter().map(|it| PathBuf::from(&it.path)));
        self.check_outputs(files, &directories, &checked.review)?;
        let rounds = match (&live, gardenadm) {
            (Some(live), _) => vec![self.live_round(live, changed, &checked.config)?],
            (None, Some(garden)) => vec![Round::of_objects(changed.subjects, garden)],
            (None, None) => self.rounds(&directories, changed)?,
        };
        if let [round] = &rounds[..]
            && let Some(text) = versions::standard_input(&round.subjects)
            && self.prints_fixed(live.is_some() || !directories.is_empty())
        {
            out.write_all(text.as_bytes())?;
        }
        let change = self.version_change(&variants)?;
        let mut applier = self.user.applier(live.as_ref(), Arc::clone(&own_policies));
        applier.has_all_permissions = self.gardenadm;
        let now = self.at.unwrap_or_else(Timestamp::now);
        if variants.len() > 1 {
            let context = (&checked.config, &path_rules, now);
            let compared = self.compare(rounds, &variants, context, &applier)?;
            compared.write(out)?;
            return Ok(compared.outcome(self.threshold.fail_on(&checked.review), left_out));
        }
        let mut summary = Summary::new(left_out, config);
        summary.rule_url.clone_from(&checked.review.rule_url);
        let mut results = ReviewResults {
            outputs: self.outputs.open(&trees, out)?,
            summary,
            comparison,
            silences: Silences::default(),
            diffs: String::new(),
        };
        let count = rounds.iter().map(|it| it.subjects.len()).sum();
        let progress = self.outputs.progress(count);
        let add = progress.as_ref().map(|it| move |count| it.add(count));
        let mut telling = ReviewOptions {
            progress: add.as_ref().map(|it| it as &(dyn Fn(usize) + Sync)),
            shows: self.outputs.shows(),
            ..ReviewOptions::default()
        };
        for round in rounds {
            let context = (&checked.config, &path_rules, now);
            let extensions = last.extensions();
            let round = (round, extensions);
            self.judge_round(round, context, (&applier, &mut telling), &mut results)?;
        }
        if let Some(change) = change {
            let (old, _) = self.configured(&own_policies, &change.old)?;
            let judgement =
                Judgement { configs: [old.config, checked.config.clone()], own_policies, at: now };
            let gardens = Gardens {
                live: live.as_ref(),
                directories: &directories,
                is_whole: self.garden.is_whole,
            };
            let ReviewResults { outputs, summary, comparison, .. } = &mut results;
            change.audit(&gardens, &judgement, (outputs, summary, comparison))?;
        }
        let (summary, silences, diffs) = results.end()?;
        if self.outputs.prints_fixed() {
            out.write_all(diffs.as_bytes())?;
        }
        if let Some(reason) = &self.add_silences {
            silences::write(silences, reason, &self.paths)?;
        }
        Ok(self.threshold.outcome(&checked.review, &summary))
    }

    /// Reads the manifests, and with `--gardenadm` the garden that they are.
    fn read(
        &self,
        manifests: &Manifests<'_>,
        left_out: &mut SkippedInput,
        config: Option<&ConfigFile>,
    ) -> anyhow::Result<(ChangedObjects, Option<Snapshot>)> {
        match &self.paths[..] {
            [directory] if self.gardenadm => {
                let (changed, garden) = gardenadm::read(directory, left_out)?;
                Ok((changed, Some(garden)))
            }
            _ => Ok((manifests.read(left_out, config)?, None)),
        }
    }

    /// Finds the change of a component vector; `None` if several versions are compared.
    fn version_change(&self, variants: &[Variant]) -> anyhow::Result<Option<VersionChange>> {
        let [only] = variants else {
            return Ok(None);
        };
        let at = self.paths.first().map_or(Path::new("."), PathBuf::as_path);
        VersionChange::find(&self.configuration.versions, only, (at, self.git.as_deref()))
    }

    /// Refuses options that contradict `--gardenadm`.
    fn check_gardenadm(&self) -> anyhow::Result<()> {
        if !self.gardenadm {
            return Ok(());
        }
        let [path] = &self.paths[..] else {
            bail!(
                "--gardenadm takes one directory, as `gardenadm init` does; remove the other paths"
            );
        };
        if path == Path::new("-") {
            bail!("--gardenadm takes a directory, as `gardenadm init` does, not standard input");
        }
        let others = [
            ("--old", self.old.is_some()),
            ("--git", self.git.is_some()),
            ("--namespace", self.namespace.is_some()),
            ("--strict-files", self.strict_files),
            ("--as and --as-group", self.user.is_named()),
        ];
        let others = others.into_iter().filter_map(|(flag, is_set)| is_set.then_some(flag));
        let flags: Vec<&str> = self.garden.selected().chain(others).collect();
        if !flags.is_empty() {
            bail!(
                "with --gardenadm, the directory is the whole garden, its objects are new, and no user creates them; remove {}",
                flags.join(" and ")
            );
        }
        Ok(())
    }

    /// Refuses options that do not fit to several versions.
    fn check_versions(&self, variants: &[Variant]) -> anyhow::Result<()> {
        if variants.len() > 1 && !self.is_comparable() {
            bail!(
                "several versions in --gardener-version and --extension are compared as text; remove --format, --fix, --ask-server, --add-silences, --baseline and --write-baseline"
            );
        }
        Ok(())
    }

    /// Loads the configuration with the profile and levels of the command line, and returns its file.
    fn configured(
        &self,
        own: &[OwnPolicy],
        variant: &Variant,
    ) -> anyhow::Result<(Checked, Option<ConfigFile>)> {
        let known = self.policies.known_ids(own);
        let (mut checked, file) = self.configuration.load(&self.paths, &known, variant)?;
        self.profile.apply(&mut checked.config);
        if self.gardenadm {
            judging::disable_rule_of_garden(&mut checked.config);
        }
        self.levels.apply(&mut checked.config, own)?;
        Ok((checked, file))
    }

    /// Returns the garden directories of the command line, or else that of the configuration.
    fn directories(
        &self,
        is_live: bool,
        defaults: &ReviewDefaults,
    ) -> anyhow::Result<Vec<PathBuf>> {
        let directories = match &self.garden.directories[..] {
            [] if self.gardenadm => Vec::new(),
            [] if is_live => defaults.garden.iter().cloned().collect(),
            [] => config_files::garden(defaults)?.into_iter().cloned().collect(),
            directories => directories.to_vec(),
        };
        if directories.len() > 1 && self.outputs.fixes() {
            bail!("--fix takes versions from one garden; name one --garden");
        }
        Ok(directories)
    }

    /// Looks up the objects of a live cluster, and applies manifests to them.
    fn live_round<'l>(
        &self,
        live: &'l Live,
        changed: ChangedObjects,
        config: &Config,
    ) -> anyhow::Result<Round<'l>> {
        let ChangedObjects { mut subjects, others, .. } = changed;
        let filter = shoot_filter(&subjects);
        let look = live::Look {
            config,
            writes_versions: self.writes_versions().then_some(&self.paths[..]),
            shoots: filter.as_ref(),
        };
        let mut shown = live::look(live, &mut subjects, look)?;
        let stored = match &filter {
            Some(_) => shown.take_shoots(&subjects),
            None => HashMap::new(),
        };
        let snapshot = others.applied_to(&shown.snapshot);
        let namespaces = live::namespaces(&subjects);
        let changed = (&others.parameters, &subjects[..]);
        Ok(Round {
            garden: String::new(),
            snapshot: parameters::from_cluster(snapshot, (live, &namespaces), changed)?,
            published: VersionLookup::in_cluster(&shown.snapshot, &shown.unknown),
            shown: Some((live, shown)),
            shoots: ProfileShoots { stored, filter, garden: self.garden.live_words() },
            subjects,
        })
    }

    /// Judges the objects of a round, and adds the results.
    fn judge_round(
        &self,
        (round, extensions): (Round<'_>, Vec<JudgedExtension>),
        (config, path_rules, now): (&Config, &PathRules, Timestamp),
        (applier, telling): (&Applier<'_>, &mut ReviewOptions<'_>),
        results: &mut ReviewResults<'_>,
    ) -> anyhow::Result<()> {
        let mut config = config.clone();
        let judged = round.published.apply(&mut config);
        let judged = JudgedGarden { directory: round.garden.clone(), extensions, ..judged };
        results.summary.judged.push(judged);
        note_missing_policies(&round.garden, &round.snapshot, &config);
        let own = &applier.own_policies;
        let levels = (&config, |config: &mut _| self.levels.apply(config, own));
        telling.configs = path_rules.configs(&round.subjects, levels)?;
        let world =
            World { rules: rules::ALL.into(), garden: &round.snapshot, config: &config, now };
        let subjects = self.fixed(round.subjects, applier, &world, telling, &mut results.diffs)?;
        let mut effects = round.shoots.effects(&subjects, &world, self.at).into_iter();
        let mut asked = round
            .shown
            .as_ref()
            .filter(|_| self.ask_server)
            .map(|(live, shown)| ask::ask(live, &subjects, shown, applier, &world))
            .unwrap_or_default()
            .into_iter();
        let judged = change_set::judge(subjects, applier, &world, telling, |mut judged| {
            for (_, object) in &mut judged {
                object.shoots = effects.next().flatten();
                if let Some(asked) = asked.next().flatten() {
                    ask::add_answer(object, asked);
                }
            }
            self.leave_out(&mut judged, &mut results.summary.left_out);
            for (subject, object) in &mut judged {
                if self.outputs.fixes() {
                    object.fix = remediated(subject)?;
                }
                object.garden.clone_from(&round.garden);
                if self.add_silences.is_some() {
                    results.silences.add(subject, object);
                }
                results.comparison.mark(object);
                results.summary.add(object);
            }
            results.outputs.write(judged.iter().map(|(_, object)| object))
        });
        // The program is about to end, so the memory of each effect need not be released.
        judged.map(mem::forget)
    }

    /// Fixes the files of subjects, if that is requested, and adds the diffs.
    fn fixed(
        &self,
        subjects: Vec<Subject>,
        applier: &Applier<'_>,
        world: &World<'_>,
        telling: &ReviewOptions<'_>,
        diffs: &mut String,
    ) -> anyhow::Result<Vec<Subject>> {
        let Some(level) = self.outputs.fix_level() else {
            return Ok(subjects);
        };
        let writes = self.outputs.writes_fixes();
        let options = FileFixOptions { level, paths: &self.paths, writes };
        let fixed = fixes::fix(subjects, applier, world, telling, options)?;
        *diffs += &fixed.diffs;
        Ok(fixed.subjects)
    }

    /// Judges every object by each variant of the versions.
    fn compare(
        &self,
        rounds: Vec<Round<'_>>,
        variants: &[Variant],
        (config, path_rules, now): (&Config, &PathRules, Timestamp),
        applier: &Applier<'_>,
    ) -> anyhow::Result<VersionComparison> {
        let mut comparison = VersionComparison::of(variants);
        for round in rounds {
            let mut of_garden = config.clone();
            round.published.apply(&mut of_garden);
            note_missing_policies(&round.garden, &round.snapshot, &of_garden);
            for (index, variant) in variants.iter().enumerate() {
                let mut config = of_garden.clone();
                variant.apply(&mut config);
                let own = &applier.own_policies;
                let levels = (&config, |config: &mut _| self.levels.apply(config, own));
                let telling = ReviewOptions {
                    configs: path_rules.configs(&round.subjects, levels)?,
                    ..ReviewOptions::default()
                };
                let world = World {
                    rules: rules::ALL.into(),
                    garden: &round.snapshot,
                    config: &config,
                    now,
                };
                let mut objects = Vec::new();
                let subjects = round.subjects.clone();
                let Ok::<_, Infallible>(judged) =
                    change_set::judge(subjects, applier, &world, &telling, |mut judged| {
                        self.leave_out(&mut judged, &mut SkippedInput::default());
                        objects.extend(judged.into_iter().map(|(_, mut object)| {
                            object.garden.clone_from(&round.garden);
                            object
                        }));
                        Ok(())
                    });
                mem::forget(judged);
                comparison.add(index, objects);
            }
        }
        Ok(comparison)
    }

    /// Reports whether no option requires the results of a single version.
    fn is_comparable(&self) -> bool {
        let is_single = self.outputs.fixes() || self.ask_server || self.add_silences.is_some();
        !is_single && self.outputs.is_plain_text() && !self.threshold.has_baseline()
    }

    /// Reads each garden directory.
    ///
    /// Without a directory, only unchanged objects are known.
    fn rounds(
        &self,
        directories: &[PathBuf],
        changed: ChangedObjects,
    ) -> anyhow::Result<Vec<Round<'static>>> {
        let ChangedObjects { mut subjects, mut unchanged, others, .. } = changed;
        let is_whole = self.garden.is_whole;
        let round = |(garden, directory): (String, Option<&PathBuf>),
                     (snapshot, published, shoots): (Snapshot, _, ProfileShoots),
                     subjects: Vec<Subject>| {
            let directory = directory.map(|it| (it.as_path(), is_whole));
            let changed = (&others.parameters, &subjects[..]);
            let snapshot = others.applied_to(&snapshot);
            Round {
                garden,
                snapshot: parameters::from_directory(snapshot, directory, changed),
                published,
                shown: None,
                shoots,
                subjects,
            }
        };
        if directories.is_empty() {
            let nothing = Snapshot::new(Knowledge::Nothing);
            let snapshot = change_set::with_unchanged(&nothing, &mut unchanged);
            let garden = (snapshot, VersionLookup::nowhere(), ProfileShoots::default());
            return Ok(vec![round((String::new(), None), garden, subjects)]);
        }
        let mut rounds = Vec::new();
        for (index, directory) in directories.iter().enumerate() {
            let mut subjects =
                if index + 1 == directories.len() { take(&mut subjects) } else { subjects.clone() };
            let name = match directories.len() {
                1 => String::new(),
                _ => directory.display().to_string(),
            };
            let garden = self.garden(directory, &mut subjects)?;
            rounds.push(round((name, Some(directory)), garden, subjects));
        }
        Ok(rounds)
    }

    /// Checks that no output is a file that this review reads.
    fn check_outputs(
        &self,
        mut files: Vec<PathBuf>,
        gardens: &[PathBuf],
        defaults: &ReviewDefaults,
    ) -> anyhow::Result<()> {
        let (baseline, written) = self.threshold.files(defaults);
        files.extend(self.configuration.admission_config().cloned());
        files.extend(self.configuration.versions.paths().cloned());
        files.extend(baseline);
        files.extend(self.garden.files().cloned());
        files.extend(self.old.clone().filter(|it| it.is_file()));
        // This includes manifests that an ignore file excludes.
        let paths = self.paths.iter().filter(|it| it.is_dir());
        let inputs =
            Inputs { files, directories: paths.chain(gardens).chain(&self.old).cloned().collect() };
        inputs.check_outputs(self.outputs.files().chain(written))
    }

    /// Removes templates, and workload about which there is nothing to say, from the results, with notes.
    ///
    /// `gardenadm` replaces no placeholders, so that its manifests are no templates.
    fn leave_out(&self, judged: &mut Vec<(Subject, Reviewed)>, left_out: &mut SkippedInput) {
        if self.gardenadm {
            for (_, object) in &mut *judged {
                object.template = None;
            }
        }
        let known = left_out.incomplete.len();
        judging::leave_out(judged, left_out, &Files::new(None));
        for file in &left_out.incomplete[known..] {
            note(format_args!("note: `{}` {}", file.file, file.why));
        }
    }

    /// Reports whether the old state does not come from the garden.
    fn has_old_states(&self) -> bool {
        self.old.is_some() || self.git.is_some()
    }

    /// Reports whether newer versions of the garden are written into the files.
    fn writes_versions(&self) -> bool {
        self.outputs.writes_fixes() && !self.has_old_states()
    }

    /// Reports whether standard output is for fixed objects and files, not for their diff.
    ///
    /// This requires a garden.
    fn prints_fixed(&self, is_known: bool) -> bool {
        is_known && self.writes_versions() && self.outputs.prints_fixed()
    }

    /// Reads a garden directory, and applies manifests to existing objects.
    fn garden(
        &self,
        directory: &Path,
        subjects: &mut [Subject],
    ) -> anyhow::Result<(Snapshot, VersionLookup, ProfileShoots)> {
        let filter = shoot_filter(subjects);
        let keys = subjects.iter().filter_map(Subject::key);
        let reading = Reading {
            wanted: Wanted {
                objects: keys.filter(|key| !key.kind.is_of_shoot_cluster()).collect(),
                shoots: filter.clone(),
                config_map_data: true,
                ..Wanted::default()
            },
            is_whole: self.garden.is_whole,
        };
        let loaded = load_garden(directory, reading)?;
        let published = VersionLookup::in_directory(&loaded);
        let (kept, name) = (&loaded.kept, directory.display().to_string());
        change::apply(subjects, kept, &name)?;
        if self.writes_versions() {
            let apply = |again: &mut [Subject]| change::apply(again, kept, &name);
            versions::write_back(subjects, &self.paths, apply)?;
        }
        change::doubt(subjects, &loaded.snapshot);
        let stored = if filter.is_some() { loaded.kept } else { HashMap::new() };
        let mut garden = vec!["--garden".to_owned(), name];
        garden.extend(self.garden.is_whole.then(|| "--whole-garden".to_owned()));
        Ok((loaded.snapshot, published, ProfileShoots { stored, filter, garden }))
    }
}
