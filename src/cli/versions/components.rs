// SPDX-License-Identifier: Apache-2.0
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use crate::files::{Limit, Trees, read_text_in};
use crate::review::git::{Committed, Revision};
use garden_gate_core::config::{Components, read_components};

/// The files of one `--components`, of which each belongs to another judgement.
#[derive(Clone, Debug)]
pub(super) struct ComponentFiles(pub(super) Vec<PathBuf>);

/// Parses the value of `--components`: a file, or several that are compared.
///
/// # Errors
/// Fails if a name is empty.
pub(super) fn parse(text: &str) -> Result<ComponentFiles, String> {
    let files: Vec<PathBuf> = text.split(',').map(PathBuf::from).collect();
    if files.iter().any(|it| it.as_os_str().is_empty()) {
        return Err("write a file, or several as in old.yaml,new.yaml".to_owned());
    }
    Ok(ComponentFiles(files))
}

/// Reads a component vector.
///
/// # Errors
/// Fails if it cannot be read or is not valid.
pub(super) fn read(file: &Path) -> anyhow::Result<Components> {
    let shown = file.display().to_string();
    let text = read_text_in(&Trees::default(), file, Limit::COMPONENTS)
        .with_context(|| format!("cannot read the component vector `{shown}`"))?;
    read_components(&shown, &text)
        .with_context(|| format!("`{shown}` is not a valid component vector"))
}

/// Reads a component vector as of a commit, which is empty if the commit lacks it; `None` outside of the work tree.
///
/// # Errors
/// Fails if it cannot be read or is not valid there.
pub(super) fn read_committed(
    file: &Path,
    revision: &Revision,
) -> anyhow::Result<Option<Components>> {
    let shown = format!("{} in {}", file.display(), revision.name);
    let unread = || format!("cannot read the component vector `{shown}`");
    let text = match revision.content(file).with_context(unread)? {
        Committed::Outside => return Ok(None),
        Committed::Absent => return Ok(Some(Components::default())),
        Committed::Text(text) => {
            text.map_err(|why| anyhow!("{}", why.why())).with_context(unread)?
        }
    };
    Limit::COMPONENTS.check(text.len()).with_context(unread)?;
    let read = read_components(&shown, &text);
    read.map(Some).with_context(|| format!("`{shown}` is not a valid component vector"))
}
