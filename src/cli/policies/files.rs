use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use clap::Args;

use crate::files::{self, Found, Ignoring};
use crate::policies::{OwnPolicy, PolicyDocument, PolicyError, own_policies, policies_in};

/// The policies of operators for a command.
#[derive(Args, Debug)]
pub(in crate::cli) struct PolicyFiles {
    /// File or directory with GardenPolicies that are evaluated; may be given several times.
    #[arg(long, value_name = "PATH")]
    policies: Vec<PathBuf>,
}

impl PolicyFiles {
    /// Returns the compiled policies.
    ///
    /// # Errors
    /// Fails with all errors in the first file that has any, or if a path cannot be read.
    pub(in crate::cli) fn load(&self) -> anyhow::Result<Vec<OwnPolicy>> {
        let mut policies = Vec::new();
        for (path, text) in texts(&self.policies)? {
            match own_policies(&documents(&path, &text)?) {
                Ok(own) => policies.extend(own),
                Err(errors) => {
                    let lines: Vec<String> = errors.iter().map(|it| line(&path, it)).collect();
                    bail!("{}", lines.join("; "));
                }
            }
        }
        Ok(policies)
    }
}

/// Returns the files at or below paths with their texts, in order.
///
/// # Errors
/// Fails if a path cannot be read, or a named file is not text.
pub(super) fn texts(paths: &[PathBuf]) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let mut texts = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path);
        let metadata = metadata.with_context(|| format!("cannot read `{}`", path.display()))?;
        if !metadata.is_dir() {
            texts.push((path.clone(), text(path)?));
            continue;
        }
        for found in files::below(path, Ignoring::Within) {
            match found {
                Found::File(file) => {
                    let text = text(&file)?;
                    texts.push((file, text));
                }
                Found::Closed(problem) => bail!("{problem}"),
                Found::Loop(_) | Found::Outside(_) => {}
            }
        }
    }
    Ok(texts)
}

fn text(path: &Path) -> anyhow::Result<String> {
    let bytes = files::read(path).map_err(|problem| anyhow!("{problem}"))?;
    files::text(path, bytes).map_err(|(problem, _)| anyhow!("{problem}"))
}

/// Returns the policies of a file that may also contain other documents.
///
/// # Errors
/// Fails with the position of the first error.
pub(super) fn documents(path: &Path, text: &str) -> anyhow::Result<Vec<PolicyDocument>> {
    policies_in(text).map_err(|error| anyhow!(line(path, &error)))
}

/// Formats an error as `file:line:column: message; help`.
pub(super) fn line(path: &Path, error: &PolicyError) -> String {
    let PolicyError {
        position,
        message,
        help,
    } = error;
    let separator = if help.is_empty() { "" } else { "; " };
    format!("{}:{position}: {message}{separator}{help}", path.display())
}
