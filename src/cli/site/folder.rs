//! The folder of a site.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use jiff::Timestamp;

use crate::files::cannot_write;
use garden_gate_products::report::{Landscape, site_files};

const INDEX: &str = "index.html";
/// The text by which a page is recognized as that of a site.
const MARK: &[u8] = b"<meta name=\"generator\" content=\"garden-gate\">";
/// Maximum number of bytes of a page before [`MARK`].
const HEAD: usize = 1_000;

/// A folder for a site.
///
/// A run writes its files into a folder of its own, then replaces `index.html`. The files of the run before stay for pages that
/// are open; older ones are removed.
pub(super) struct SiteFolder {
    path: PathBuf,
    /// The name of the folder with the files of this run, such as `20261210T000000Z`.
    run: String,
}

impl SiteFolder {
    /// Checks a folder, and creates it if it does not exist.
    ///
    /// # Errors
    /// Fails if it has files that are not those of a site, or is in the garden directory.
    pub(super) fn open(path: &Path, garden: Option<&Path>, at: Timestamp) -> anyhow::Result<Self> {
        let shown = path.display();
        if garden.is_some_and(|garden| is_within(path, garden)) {
            bail!("`{shown}` is in the garden directory; name a folder elsewhere");
        }
        fs::create_dir_all(path).with_context(|| cannot_write(path))?;
        for entry in fs::read_dir(path).with_context(|| cannot_write(path))? {
            let entry = entry.with_context(|| cannot_write(path))?;
            let name = entry.file_name();
            let is_ours = match name.to_str() {
                Some(INDEX) => is_index(&entry.path()),
                Some(name) => is_run(name.trim_start_matches('.')),
                None => false,
            };
            if !is_ours {
                let name = name.display();
                bail!(
                    "`{shown}` has other files than those of a site, such as `{name}`; name an empty folder"
                );
            }
        }
        let run = at.strftime("%Y%m%dT%H%M%SZ").to_string();
        if !is_run(&run) {
            bail!("--at must be a time in the years 0 to 9999");
        }
        Ok(Self { path: path.to_owned(), run })
    }

    /// Writes the site, and returns the path of its page.
    ///
    /// # Errors
    /// Fails if a file cannot be written; the site that was there stays.
    pub(super) fn write(&self, landscape: &Landscape) -> anyhow::Result<PathBuf> {
        let new = self.path.join(format!(".{}", self.run));
        let run = self.path.join(&self.run);
        remove(&new)?;
        for folder in ["", "project", "shoots", "rule"] {
            let folder = new.join(folder);
            fs::create_dir(&folder).with_context(|| cannot_write(&folder))?;
        }
        site_files(landscape, |file| {
            let in_run = Path::new(&file.path).strip_prefix(&self.run);
            let path = new.join(in_run.unwrap_or(Path::new(INDEX)));
            fs::write(&path, file.content).with_context(|| cannot_write(&path))
        })?;
        remove(&run)?;
        fs::rename(&new, &run).with_context(|| cannot_write(&run))?;
        // Replaced as a whole, so that nobody reads half of it.
        let index = self.path.join(INDEX);
        fs::rename(run.join(INDEX), &index).with_context(|| cannot_write(&index))?;
        self.remove_old()?;
        Ok(index)
    }

    /// Removes the files of all runs but this one and the one before.
    fn remove_old(&self) -> anyhow::Result<()> {
        let entries = fs::read_dir(&self.path).with_context(|| cannot_write(&self.path))?;
        let names = entries.filter_map(|it| it.ok()?.file_name().into_string().ok());
        let mut runs: Vec<String> =
            names.filter(|it| *it != self.run && is_run(it.trim_start_matches('.'))).collect();
        runs.sort_unstable();
        let kept = runs.iter().rposition(|it| !it.starts_with('.'));
        let old = runs.iter().enumerate().filter(|(index, _)| Some(*index) != kept);
        old.map(|(_, run)| self.path.join(run)).try_for_each(|run| remove(&run))
    }
}

/// Reports whether a folder, which may not exist yet, is within another one.
fn is_within(path: &Path, outer: &Path) -> bool {
    let existing = path.ancestors().find_map(|it| {
        let it = if it.as_os_str().is_empty() { Path::new(".") } else { it };
        fs::canonicalize(it).ok()
    });
    let outer = fs::canonicalize(outer).ok();
    existing.zip(outer).is_some_and(|(existing, outer)| existing.starts_with(outer))
}

/// Reports whether a name is that of a run.
fn is_run(name: &str) -> bool {
    let bytes = name.as_bytes();
    let is_digits =
        |range| bytes.get(range).is_some_and(|it: &[u8]| it.iter().all(u8::is_ascii_digit));
    bytes.len() == 16
        && is_digits(0..8)
        && bytes[8] == b'T'
        && is_digits(9..15)
        && bytes[15] == b'Z'
}

/// Reports whether a file is the page of a site.
fn is_index(path: &Path) -> bool {
    // A link would lead elsewhere.
    let is_file = fs::symlink_metadata(path).is_ok_and(|it| it.is_file());
    let text = if is_file { fs::read(path).unwrap_or_default() } else { Vec::new() };
    text[..text.len().min(HEAD)].windows(MARK.len()).any(|it| it == MARK)
}

fn remove(folder: &Path) -> anyhow::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| cannot_write(folder))
        }
        _ => Ok(()),
    }
}
