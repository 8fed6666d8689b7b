// SPDX-License-Identifier: Apache-2.0
//! The landscape of a command: its objects, rules and period.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use jiff::Timestamp;
use tokio::runtime::Runtime;

use super::audit::{Source, StoredObject};
use super::garden::GardenArgs;
use super::horizon::Horizon;
use super::judging::{Judging, JudgingArgs};
use super::project_filter::ProjectFilter;
use crate::review::cluster::Live;
use crate::review::progress::Progress;
use garden_gate_core::config::Config;
use garden_gate_core::garden::ObjectKey;
use garden_gate_core::policies::OwnPolicy;
use garden_gate_products::audit::Auditor;
use garden_gate_products::forecast::Owner;
use garden_gate_products::report::{Landscape, LandscapeBuilder, Lookups};

/// The flags of a command that forecasts and audits a garden.
#[derive(Args, Debug)]
pub(super) struct LandscapeArgs {
    #[command(flatten)]
    garden: GardenArgs,

    #[command(flatten)]
    whose: ProjectFilter,

    #[command(flatten, next_help_heading = "Period")]
    horizon: Horizon,

    #[command(flatten)]
    judging: JudgingArgs,
}

/// A selected garden, which is not loaded yet.
pub(super) struct SelectedGarden<'a> {
    arguments: &'a LandscapeArgs,
    config: Config,
    own_policies: Arc<[OwnPolicy]>,
    directory: Option<PathBuf>,
    live: Option<Live>,
    at: Timestamp,
    until: Timestamp,
}

/// A landscape with what is known of its completeness.
pub(super) struct LoadedLandscape {
    pub(super) landscape: Landscape,
    /// Whether an unreadable part of the directory may contain objects.
    pub(super) is_partial: bool,
    /// Whether all objects of the selected Projects are known.
    pub(super) is_complete: bool,
}

impl LandscapeArgs {
    /// Loads the configuration, and finds the garden.
    ///
    /// # Errors
    /// Fails if the arguments or the configuration are not valid, or no garden is set.
    pub(super) fn select(&self) -> anyhow::Result<SelectedGarden<'_>> {
        let versions = self.judging.versions().only()?;
        let Judging { checked, own_policies, .. } = self.judging.load(&versions)?;
        let directory = self.garden.directory_or(&checked.review)?.cloned();
        let (at, until) = self.horizon.times()?;
        Ok(SelectedGarden {
            arguments: self,
            config: checked.config,
            own_policies: own_policies.into(),
            directory,
            live: self.garden.live()?,
            at,
            until,
        })
    }

    /// Reports whether all Projects are selected.
    pub(super) fn has_all_projects(&self) -> bool {
        self.whose.is_all()
    }
}

impl SelectedGarden<'_> {
    /// Returns the garden directory; `None` with `--live`.
    pub(super) fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// Returns the start of the forecast.
    pub(super) fn at(&self) -> Timestamp {
        self.at
    }

    /// Returns the live garden cluster, if `--live` is set.
    pub(super) fn live(&self) -> Option<&Live> {
        self.live.as_ref()
    }

    /// Runs a future to its end.
    ///
    /// # Errors
    /// Fails if no threads can be started.
    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> anyhow::Result<T> {
        match &self.live {
            // Its client belongs to its runtime.
            Some(live) => Ok(live.block_on(future)),
            None => Ok(Runtime::new().context("failed to start threads")?.block_on(future)),
        }
    }

    /// Forecasts and audits the garden.
    ///
    /// # Errors
    /// Fails if no garden is set, or it cannot be read.
    pub(super) fn load(&self) -> anyhow::Result<LoadedLandscape> {
        let Self { arguments, own_policies, directory, live, at, until, .. } = self;
        let mut config = self.config.clone();
        let LandscapeArgs { whose, garden, .. } = arguments;
        let source = Source::of(live.as_ref(), directory.as_ref())?;
        let loaded = source.garden(&config, whose, garden.is_whole)?;
        whose.warn_of_unknown(&loaded.garden);
        loaded.published.apply(&mut config);
        let lookups = Lookups::default();
        let auditor = Auditor::new(&loaded.garden, &config, *at)
            .foreseeing(*until)
            .with_policies(Arc::clone(own_policies))
            .with_profiles(Arc::clone(&lookups.profiles));
        let builder = LandscapeBuilder::new(&auditor, *until, lookups);
        let mut collecting = builder.begin();
        let progress = Progress::counting("collecting");
        let is_wanted =
            |key: &ObjectKey, owner: &Owner| whose.is_all() || whose.takes(&key.namespace, owner);
        let part = |StoredObject { key, stored, mut reviewed }: StoredObject<'_>| {
            let is_wanted = is_wanted(&key, &builder.owner(&key));
            is_wanted.then(|| builder.part(&key, stored, &mut reviewed))
        };
        let refused = source.each(&auditor, &whose.namespaces(), part, |parts| {
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
        let is_complete = count == 0 && refused.is_empty() && !loaded.is_partial;
        collecting.note(refused);
        let landscape = builder.end(collecting, is_wanted)?;
        // A garden without Shoots may be one that is being written.
        let is_complete = is_complete && landscape.shoots() > 0;
        Ok(LoadedLandscape { landscape, is_partial: loaded.is_partial, is_complete })
    }
}
