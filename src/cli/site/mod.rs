//! `garden-gate site`: writes the site of a landscape into a folder.

mod folder;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;

use self::folder::SiteFolder;
use super::Outcome;
use super::audit::{Source, StoredObject};
use super::garden::GardenArgs;
use super::horizon::Horizon;
use super::policies::PolicyFiles;
use super::profile::ProfileArgs;
use super::project_filter::ProjectFilter;
use super::review::{Configuration, LevelArgs};
use crate::review::progress::Progress;
use garden_gate_core::garden::ObjectKey;
use garden_gate_products::audit::Auditor;
use garden_gate_products::forecast::Owner;
use garden_gate_products::report::{self, LandscapeBuilder, Lines, Lookups, Naming};

/// Arguments of `garden-gate site`.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Selection",
    after_help = "\
The folder has index.html and a folder for its data. Browsers open it from a
disk or from any web server; it loads nothing from elsewhere. A folder with an
earlier site is updated, another one must be empty.

Examples:
  garden-gate site --garden dump/ public/
  garden-gate site --live public/ && open public/index.html
  garden-gate site --live --project dev --for 30d public/

Exit codes:
  0  written
  2  the command failed
  3  written, but there are no Shoots
  4  written, but an unreadable file may contain objects"
)]
pub(super) struct Site {
    /// The folder to write.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    #[command(flatten)]
    garden: GardenArgs,

    #[command(flatten)]
    whose: ProjectFilter,

    #[command(flatten, next_help_heading = "Period")]
    horizon: Horizon,

    #[command(flatten)]
    configuration: Configuration,

    #[command(flatten)]
    policies: PolicyFiles,

    #[command(flatten)]
    profile: ProfileArgs,

    #[command(flatten)]
    levels: LevelArgs,
}

impl Site {
    /// Forecasts and audits the garden, and writes the site.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        if self.configuration.versions().len() > 1 {
            bail!(
                "--gardener-version takes one version here; `review` and `audit` compare several"
            );
        }
        let own_policies = self.policies.load()?;
        let known = self.policies.known_ids(&own_policies);
        let (mut checked, _) = self.configuration.load(&[], &known)?;
        self.profile.apply(&mut checked.config);
        self.levels.apply(&mut checked.config, &own_policies)?;
        let directory = self.garden.directory_or(&checked.review)?;
        let (at, until) = self.horizon.times()?;
        let folder = SiteFolder::open(&self.folder, directory.map(PathBuf::as_path), at)?;
        let live = self.garden.live()?;
        let source = match (&live, directory) {
            (Some(live), _) => Source::Live(live),
            (None, Some(directory)) => Source::Directory(directory),
            (None, None) => bail!("no garden is set; use --garden DIR or --live"),
        };
        let loaded = source.garden(&checked.config, &self.whose, self.garden.is_whole)?;
        self.whose.warn_of_unknown(&loaded.garden);
        loaded.published.apply(&mut checked.config);
        let lookups = Lookups::default();
        let auditor = Auditor::new(&loaded.garden, &checked.config, at)
            .with_policies(own_policies.into())
            .with_profiles(Arc::clone(&lookups.profiles));
        let builder = LandscapeBuilder::new(&auditor, until, lookups);
        let mut collecting = builder.begin();
        let progress = Progress::counting("collecting");
        let is_wanted = |key: &ObjectKey, owner: &Owner| {
            self.whose.is_all() || self.whose.takes(&key.namespace, owner)
        };
        let part = |StoredObject { key, stored, reviewed }: StoredObject<'_>| {
            let is_wanted = is_wanted(&key, &builder.owner(&key));
            is_wanted.then(|| builder.part(&key, stored, &reviewed))
        };
        let refused = source.each(&auditor, &self.whose.namespaces(), part, |parts| {
            progress.add(parts.len());
            parts.into_iter().flatten().try_for_each(|part| {
                collecting.add(part?);
                Ok(())
            })
        })?;
        drop(progress);
        // Their texts have paths, and values of objects that may not be selected.
        let count = loaded.problems.len();
        collecting.note((count > 0).then(|| {
            format!("{count} parts of the garden could not be read; the command names them, and what they contain is not known")
        }));
        collecting.note(refused);
        let landscape = builder.end(collecting, is_wanted)?;
        let site = report::Site::of(&landscape, Naming::Numbers);
        let (index, summary) = (folder.write(&site)?, site.summary());
        let mut out = Lines::plain(out);
        out.line(format_args!("wrote {}", index.display()))?;
        out.line(format_args!("{summary}"))?;
        Ok(match (landscape.shoots(), loaded.is_partial) {
            (_, true) => Outcome::Undetermined,
            (0, false) => Outcome::Nothing,
            _ => Outcome::Clean,
        })
    }
}
