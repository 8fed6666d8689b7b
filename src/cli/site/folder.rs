// SPDX-License-Identifier: Apache-2.0
//! The folder of a site.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail};
use jiff::Timestamp;
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::files::{self, cannot_write};
use crate::playground::{self, PlaygroundFiles};
use garden_gate_products::report::Site;
use garden_gate_text::hexadecimal;

const INDEX: &str = "index.html";
/// The file that marks the folder of a site, and each folder of a run in it.
const MARK: &str = ".garden-gate-site";
/// The folder of the playground.
const PLAYGROUND: &str = "playground";
/// The folder that file systems have for lost files.
const LOST: &str = "lost+found";
/// Number of random bytes in the name of the folder of a run.
const RANDOM: usize = 12;

/// A folder for a site, locked against other runs.
///
/// A run writes its files into a new folder, then replaces `index.html`. The files of the previous page stay for browsers that show
/// it; others are removed.
pub(super) struct SiteFolder {
    path: PathBuf,
    /// The name of the folder with the files of this run.
    ///
    /// It has a random part, since other sites may load scripts from a web server, but not read `index.html`.
    run: String,
    _lock: File,
}

impl SiteFolder {
    /// Locks a folder, and creates it if it does not exist.
    ///
    /// # Errors
    /// Fails if it is neither empty nor that of a site, if it is in the garden directory or contains it, or if another run has it.
    pub(super) fn open(path: &Path, garden: Option<&Path>, at: Timestamp) -> anyhow::Result<Self> {
        let shown = path.display();
        if garden.is_some_and(|garden| overlap(path, garden)) {
            bail!("`{shown}` is in the garden directory, or contains it; name a folder elsewhere");
        }
        fs::create_dir_all(path).with_context(|| cannot_write(path))?;
        let mark = path.join(MARK);
        if !is_file(&mark) {
            for entry in fs::read_dir(path).with_context(|| cannot_write(path))? {
                let name = entry.with_context(|| cannot_write(path))?.file_name();
                if name != LOST {
                    let name = name.display();
                    bail!(
                        "`{shown}` has other files than those of a site, such as `{name}`; name an empty folder"
                    );
                }
            }
        }
        let lock = File::create(&mark).with_context(|| cannot_write(&mark))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => {
                bail!("another run writes `{shown}`; wait until it ends")
            }
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut random = [0; RANDOM];
        SystemRandom::new().fill(&mut random).ok().context("the system has no random numbers")?;
        let run = format!("{}-{}", at.strftime("%Y%m%dT%H%M%SZ"), hexadecimal(&random));
        if !is_run(&run) {
            bail!("--at must be a time in the years 0 to 9999");
        }
        let folder = Self { path: path.to_owned(), run, _lock: lock };
        // Those of runs that were interrupted.
        folder.remove(|name| name.starts_with('.'))?;
        Ok(folder)
    }

    /// Writes the site and its playground, and returns the path of its page.
    ///
    /// # Errors
    /// Fails if a file cannot be written; the site that was there stays. Fails if the folder has something else than a playground
    /// under the name of one.
    pub(super) fn write(
        &self,
        site: &Site<'_>,
        playground: Option<&PlaygroundFiles>,
    ) -> anyhow::Result<PathBuf> {
        let new = self.path.join(format!(".{}", self.run));
        let written = self.write_run(&new, site).and_then(|()| match playground {
            Some(playground) => self.replace_playground(&new, playground),
            None => Ok(()),
        });
        if written.is_err() {
            // The first error counts.
            let _ = fs::remove_dir_all(&new);
        }
        written?;
        let index = self.path.join(INDEX);
        let before = files::read(&index).unwrap_or_default();
        let before = String::from_utf8_lossy(&before);
        let run = self.path.join(&self.run);
        fs::rename(&new, &run).with_context(|| cannot_write(&run))?;
        // Readers get the previous page or this one.
        fs::rename(run.join(INDEX), &index).with_context(|| cannot_write(&index))?;
        self.remove(|name| name != self.run && !before.contains(&format!("data-run=\"{name}\"")))?;
        Ok(index)
    }

    fn write_run(&self, new: &Path, site: &Site<'_>) -> anyhow::Result<()> {
        for folder in ["", "project", "shoots", "rule"] {
            let folder = new.join(folder);
            fs::create_dir(&folder).with_context(|| cannot_write(&folder))?;
        }
        fs::write(new.join(MARK), "").with_context(|| cannot_write(&new.join(MARK)))?;
        site.files(&self.run, |file| {
            let in_run = Path::new(&file.path).strip_prefix(&self.run);
            let path = new.join(in_run.unwrap_or(Path::new(INDEX)));
            fs::write(&path, file.content).with_context(|| cannot_write(&path))
        })
    }

    /// Writes a playground into the folder of a run, and puts it in the place of the previous one.
    fn replace_playground(&self, run: &Path, playground: &PlaygroundFiles) -> anyhow::Result<()> {
        let place = self.path.join(PLAYGROUND);
        let is_there = fs::symlink_metadata(&place).is_ok();
        if is_there && !(is_folder(&place) && is_file(&place.join(playground::LIST))) {
            bail!(
                "`{}` is not a playground, and would be replaced by one; remove or rename it",
                place.display()
            );
        }
        let (new, old) = (run.join(PLAYGROUND), run.join("previous"));
        let write = |path: &str, content: &[u8]| {
            let path = new.join(path);
            let parent = path.parent().unwrap_or(&new);
            fs::create_dir_all(parent).with_context(|| cannot_write(parent))?;
            fs::write(&path, content).with_context(|| cannot_write(&path))
        };
        for (path, file) in &playground.files {
            write(path, &file.content)?;
        }
        write(playground::LIST, &playground.list)?;
        if is_there {
            fs::rename(&place, &old).with_context(|| cannot_write(&place))?;
        }
        if let Err(error) = fs::rename(&new, &place) {
            if is_there {
                // The first error counts.
                let _ = fs::rename(&old, &place);
            }
            return Err(error).with_context(|| cannot_write(&place));
        }
        if is_there {
            fs::remove_dir_all(&old).with_context(|| cannot_write(&old))?;
        }
        Ok(())
    }

    /// Removes folders of runs, also interrupted ones, whose names are `unwanted`.
    fn remove(&self, unwanted: impl Fn(&str) -> bool) -> anyhow::Result<()> {
        let entries = fs::read_dir(&self.path).with_context(|| cannot_write(&self.path))?;
        let names = entries.filter_map(|it| it.ok()?.file_name().into_string().ok());
        for name in names.filter(|it| is_run(it.strip_prefix('.').unwrap_or(it)) && unwanted(it)) {
            let run = self.path.join(name);
            if is_folder(&run) && is_file(&run.join(MARK)) {
                match fs::remove_dir_all(&run) {
                    Err(error) if error.kind() != ErrorKind::NotFound => {
                        return Err(error).with_context(|| cannot_write(&run));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// Reports whether one of two folders is in the other one; the first one may not exist yet.
fn overlap(path: &Path, garden: &Path) -> bool {
    let mut missing = Vec::new();
    let existing = path.ancestors().find_map(|it| {
        let existing = if it.as_os_str().is_empty() { Path::new(".") } else { it };
        let found = fs::canonicalize(existing).ok();
        if found.is_none() {
            missing.extend(it.components().next_back());
        }
        found
    });
    let (Some(existing), Ok(garden)) = (existing, fs::canonicalize(garden)) else {
        return false;
    };
    // A part that does not exist yet can lead anywhere with `..`.
    let is_unclear = missing.contains(&Component::ParentDir);
    let is_outer = missing.is_empty() && garden.starts_with(&existing);
    is_unclear || is_outer || existing.starts_with(&garden)
}

/// Reports whether a name is that of a run.
fn is_run(name: &str) -> bool {
    let Some((time, random)) = name.split_once('-') else { return false };
    let (time, is_hexadecimal) = (time.as_bytes(), random.bytes().all(|it| it.is_ascii_hexdigit()));
    let is_digits =
        |range| time.get(range).is_some_and(|it: &[u8]| it.iter().all(u8::is_ascii_digit));
    let is_time = time.len() == 16 && is_digits(0..8) && time[8] == b'T' && is_digits(9..15);
    is_time && time[15] == b'Z' && is_hexadecimal && random.len() == 2 * RANDOM
}

/// Reports whether a path is a folder, and no link.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|it| it.is_dir())
}

/// Reports whether a path is a regular file, and no link.
fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|it| it.is_file())
}
