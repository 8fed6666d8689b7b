// SPDX-License-Identifier: Apache-2.0
//! `garden-gate plan`: what a change does to the machines of Shoots.

mod format;
mod windows;
mod workload;

use std::io::Write;
use std::mem::take;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ColorChoice};

use self::format::{Format, PlanView};
use super::Outcome;
use super::garden::GardenArgs;
use super::horizon::{Horizon, Length};
use super::output::{self, Inputs, Output, WholeFile};
use super::project_filter::ProjectFilter;
use super::review::Configuration;
use super::review::garden::load_garden;
use super::versions::VersionLookup;
use crate::files::Trees;
use crate::garden::directory::{Reading, Wanted};
use crate::garden::live::Target;
use crate::review::cluster::Live;
use crate::review::live;
use crate::review::manifests::{ChangedObjects, Manifests};
use crate::review::notes::{note, note_some};
use crate::review::paths::PathRules;
use crate::review::progress::Progress;
use garden_gate_core::admission::World;
use garden_gate_core::config::Config;
use garden_gate_core::garden::{Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_core::workload::{Readiness, Workload};
use garden_gate_products::report::SkippedInput;
use garden_gate_products::review::{
    OtherObjects, OtherShoots, PlannedChange, Subject, change, change_plan, change_set,
};

/// Arguments of `garden-gate plan`.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Input",
    after_help = "\
Examples:
  garden-gate plan --garden dump/ --git origin/main
  garden-gate plan --old before/ after/
  garden-gate plan --garden dump/ shoot.yaml
  garden-gate plan --live shoot.yaml
  garden-gate plan --garden dump/ --git origin/main --format markdown=plan.md
  garden-gate plan --garden dump/ --workload apps/ shoot.yaml
  garden-gate plan --live --shoot shoot-kubeconfig.yaml shoot.yaml
  garden-gate plan --windows dev/web --live --for 14d
  garden-gate plan --windows --garden dump/ --with cloudprofile.yaml
  garden-gate plan --windows --garden dump/ --with cloudprofile.yaml --spread 14d

Exit codes:
  0  the plan was written
  2  the command failed
  3  there are no Shoots
  4  a Shoot, a pool or an unreadable file has no plan, or a check of workload is undetermined"
)]
pub(super) struct PlanCommand {
    /// Files or directories with manifests (YAML or JSON) or AdmissionReviews (JSON); `-` is standard input.
    ///
    /// A file may have several documents. In directories, .gitignore and .garden-gate-ignore exclude files.
    /// With --windows, these are Shoots, by name, or by Project or namespace and name [default: all].
    #[arg(default_value = ".", value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Plan the maintenance windows of the Shoots in the garden instead of a change.
    #[arg(long, conflicts_with_all = ["old", "git", "namespace"], help_heading = "Windows")]
    windows: bool,

    /// Plan the windows as if the CloudProfiles and NamespacedCloudProfiles of this file were in the garden.
    ///
    /// May be given several times.
    #[arg(long = "with", value_name = "FILE", requires = "windows", help_heading = "Windows")]
    with: Vec<PathBuf>,

    /// Propose expiration dates for the versions of the profiles of --with, so that fewer machines change on the same day.
    ///
    /// No date is earlier than that of the profile, and none is later than this time after the start of the forecast, such as `14d`.
    #[arg(long, value_name = "TIME", requires = "with", help_heading = "Windows")]
    spread: Option<Length>,

    #[command(flatten, next_help_heading = "Windows")]
    whose: ProjectFilter,

    #[command(flatten, next_help_heading = "Windows")]
    horizon: Horizon,

    #[command(flatten)]
    garden: GardenArgs,

    /// Old state of the manifests: a file or directory.
    ///
    /// Shoots that exist only in the old state are planned as deletions.
    #[arg(long, value_name = "PATH", conflicts_with = "git", help_heading = "Input")]
    old: Option<PathBuf>,

    /// Old state from Git: the merge base of REV and HEAD, as for a pull request; `REV..` selects REV itself.
    #[arg(long, value_name = "REV", help_heading = "Input")]
    git: Option<String>,

    /// Namespace of manifests without one, as for kubectl [default with --live: the namespace of the context].
    #[arg(short, long, value_name = "NAME", help_heading = "Input")]
    namespace: Option<String>,

    /// Manifests of the workload of the Shoot, which are checked before the change: a file or directory.
    ///
    /// May be given several times.
    #[arg(long, value_name = "PATH", conflicts_with = "windows", help_heading = "Input")]
    workload: Vec<PathBuf>,

    /// Kubeconfig of the Shoot cluster, whose workload is checked before the change; objects are listed, and nothing is
    /// changed.
    #[arg(
        long,
        value_name = "KUBECONFIG",
        conflicts_with_all = ["windows", "workload"],
        help_heading = "Input"
    )]
    shoot: Option<PathBuf>,

    #[command(flatten)]
    configuration: Configuration,

    /// Output format: text, json or markdown; with `=FILE` to a file.
    ///
    /// May be given several times; at most one format goes to standard output.
    #[arg(
        long = "format",
        value_name = "FORMAT[=FILE]",
        default_value = "text",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    formats: Vec<Output<Format>>,

    /// Use of colours in text output; `auto` enables them on a terminal. NO_COLOR, CLICOLOR_FORCE and TERM=dumb change that.
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    color: ColorChoice,
}

/// The reason why it is unknown whether a Shoot exists.
const NO_OLD_STATE: &str = "the command has no old state; add --old, --git, --garden or --live";

/// The garden of a plan.
struct Garden {
    snapshot: Snapshot,
    published: VersionLookup,
}

impl PlanCommand {
    /// Plans the change of every Shoot, and writes the plan.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        output::check(&self.formats)?;
        if self.windows {
            return self.run_windows(out);
        }
        let is_standard_input = |paths: &[PathBuf]| paths.iter().any(|it| it == Path::new("-"));
        if is_standard_input(&self.paths) && is_standard_input(&self.workload) {
            bail!(
                "standard input has either the manifests of Shoots or the workload; name a file for one of them"
            );
        }
        if !self.whose.is_all() {
            bail!("--project and --owner select Shoots of the garden; add --windows");
        }
        let versions = self.configuration.versions.only()?;
        let (mut checked, file) =
            self.configuration.load(&self.paths, &rules::known_ids(), &versions)?;
        let live = self.garden.live()?;
        let directory = self.garden.directory_or(&checked.review)?.filter(|_| live.is_none());
        let has_old_state = self.old.is_some() || self.git.is_some();
        if !has_old_state && live.is_none() && directory.is_none() && !self.has_workload() {
            bail!("nothing to compare with; use --old, --git, --garden or --live");
        }
        let directories: Vec<PathBuf> = directory.cloned().into_iter().collect();
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
            is_strict: false,
        };
        let mut changed = manifests.read(&mut left_out, file.as_ref())?;
        let mut inputs = take(&mut changed.files);
        inputs.extend(file.iter().map(|it| PathBuf::from(&it.path)));
        inputs.extend(self.workload.iter().filter(|it| it.is_file()).cloned());
        inputs.extend(self.shoot.iter().chain(self.garden.files()).cloned());
        let folders = self.paths.iter().chain(&self.workload).filter(|it| it.is_dir());
        let inputs = Inputs {
            files: inputs,
            directories: folders.chain(&directories).chain(&self.old).cloned().collect(),
        };
        inputs.check_outputs(self.formats.iter().filter_map(|it| it.file.as_deref()))?;
        let trees = Trees::of_outputs(self.paths.iter().chain(&directories).chain(&self.workload));
        let files = output::open_whole(&self.formats, &trees)?;
        let ChangedObjects { mut subjects, mut unchanged, others, unclear, .. } = changed;
        let shoots = OtherShoots::new(&unchanged, unclear);
        note_some(
            "note: no manifests are in",
            left_out.files.iter().map(|it| format!("`{}` ({})", it.file, it.why)),
        );
        let workload = self.read_workload()?;
        let garden = match (&live, directory) {
            (Some(live), _) => live_garden(live, &mut subjects, &checked.config)?,
            (None, Some(directory)) => self.read(directory, &mut subjects)?,
            (None, None) => {
                let nothing = Snapshot::new(Knowledge::Nothing);
                if !has_old_state {
                    change::doubt_all(&mut subjects, NO_OLD_STATE);
                }
                Garden {
                    snapshot: change_set::with_unchanged(&nothing, &mut unchanged),
                    published: VersionLookup::nowhere(),
                }
            }
        };
        let PlannedChange { plan, cluster } =
            self.plan(subjects, shoots, (garden, &others), &mut checked.config)?;
        let workload = workload.zip(cluster).map(|(workload, cluster)| {
            rules::readiness(&workload, cluster.as_ref().map_err(String::as_str), &checked.config)
        });
        self.write(files, PlanView::Change(&plan, workload.as_ref()), out)?;
        let is_undetermined = plan.is_undetermined()
            || !left_out.incomplete.is_empty()
            || workload.as_ref().is_some_and(Readiness::is_undetermined);
        Ok(match (plan.is_empty() && workload.is_none(), is_undetermined) {
            (_, true) => Outcome::Undetermined,
            (true, false) => Outcome::Nothing,
            (false, false) => Outcome::Clean,
        })
    }

    fn has_workload(&self) -> bool {
        !self.workload.is_empty() || self.shoot.is_some()
    }

    /// Reads the workload from manifests or the Shoot cluster; `None` if it is not checked.
    fn read_workload(&self) -> anyhow::Result<Option<Workload>> {
        if let Some(kubeconfig) = &self.shoot {
            let target = Target { kubeconfig: Some(kubeconfig.clone()), context: None };
            return Live::find(&target)?.workload().map(Some);
        }
        (!self.workload.is_empty()).then(|| workload::read(&self.workload)).transpose()
    }

    fn write(
        &self,
        files: Vec<Option<WholeFile>>,
        plan: PlanView<'_>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let text = |format: Format, look| format.text(plan, look);
        output::write_whole(files, &self.formats, self.color, out, text)
    }

    fn plan(
        &self,
        subjects: Vec<Subject>,
        shoots: OtherShoots,
        (garden, others): (Garden, &OtherObjects),
        config: &mut Config,
    ) -> anyhow::Result<PlannedChange> {
        let judged = garden.published.apply(config).judged;
        if let Some(why) = judged.note() {
            note(format_args!("note: {why}"));
        }
        let snapshot = others.applied_to(&garden.snapshot);
        let (now, _) = self.horizon.times()?;
        let world = World { rules: rules::ALL.into(), garden: &snapshot, config, now };
        let progress = Progress::until("planning", subjects.len());
        Ok(change_plan(subjects, shoots, self.has_workload(), &world, || progress.add(1)))
    }

    /// Reads a garden directory, and applies manifests to existing objects.
    fn read(&self, directory: &Path, subjects: &mut [Subject]) -> anyhow::Result<Garden> {
        let keys = subjects.iter().filter_map(Subject::key);
        let reading = Reading {
            wanted: Wanted {
                objects: keys.filter(|key| !key.kind.is_of_shoot_cluster()).collect(),
                config_map_data: true,
                ..Wanted::default()
            },
            is_whole: self.garden.is_whole,
        };
        let loaded = load_garden(directory, reading)?;
        let published = VersionLookup::in_directory(&loaded);
        change::apply(subjects, &loaded.kept, &directory.display().to_string())?;
        change::doubt(subjects, &loaded.snapshot);
        Ok(Garden { snapshot: loaded.snapshot, published })
    }
}

/// Looks up the objects of a live cluster, and applies manifests to them.
fn live_garden(live: &Live, subjects: &mut [Subject], config: &Config) -> anyhow::Result<Garden> {
    let look = live::Look { config, writes_versions: None, shoots: None };
    let shown = live::look(live, subjects, look)?;
    let published = VersionLookup::in_cluster(&shown.snapshot, &shown.unknown);
    Ok(Garden { snapshot: shown.snapshot, published })
}
