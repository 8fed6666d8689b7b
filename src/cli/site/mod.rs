// SPDX-License-Identifier: Apache-2.0
//! `garden-gate site`: writes the site of a landscape into a folder.

mod folder;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use self::folder::SiteFolder;
use super::Outcome;
use super::landscape::{LandscapeArgs, LoadedLandscape};
use crate::playground::PlaygroundFiles;
use crate::review::notes::note;
use garden_gate_products::report::{self, Lines, Naming};

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
  garden-gate site --live --playground playground/ public/

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

    /// A built playground, which is copied to FOLDER/playground; the site links to it.
    #[arg(long, value_name = "FOLDER")]
    playground: Option<PathBuf>,

    #[command(flatten)]
    landscape: LandscapeArgs,
}

impl Site {
    /// Forecasts and audits the garden, and writes the site.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let selected = self.landscape.select()?;
        // Before the garden is read, which may take minutes.
        let playground = self.playground.as_deref().map(read_playground).transpose()?;
        let folder = SiteFolder::open(&self.folder, selected.directory(), selected.at())?;
        let LoadedLandscape { landscape, is_partial, .. } = selected.load()?;
        let landscape = landscape.with_playground(playground.as_ref().map(PlaygroundFiles::shown));
        let site = report::Site::of(&landscape, Naming::Numbers);
        let (index, summary) = (folder.write(&site, playground.as_ref())?, site.summary());
        let mut out = Lines::plain(out);
        out.line(format_args!("wrote {}", index.display()))?;
        out.line(format_args!("{summary}"))?;
        Ok(match (landscape.shoots(), is_partial) {
            (_, true) => Outcome::Undetermined,
            (0, false) => Outcome::Nothing,
            _ => Outcome::Clean,
        })
    }
}

/// Reads a built playground, and warns if it is of another version.
///
/// # Errors
/// Fails if the folder is no playground, or one of its files is not valid.
pub(super) fn read_playground(folder: &Path) -> anyhow::Result<PlaygroundFiles> {
    let playground = PlaygroundFiles::read(folder)?;
    if let Some(warning) = playground.warning() {
        note(format_args!("warning: {warning}"));
    }
    Ok(playground)
}
