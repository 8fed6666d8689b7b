// SPDX-License-Identifier: Apache-2.0
//! Files with policies of operators, as commands and the server load them.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::{self, Found, Ignoring, Trees};
use garden_gate_core::policies::{OwnPolicy, PolicyDocument, PolicyError, policies_in};
use garden_gate_products::policy_texts;
pub use garden_gate_products::policy_texts::line;

/// Maximum size of all files together, in bytes.
const MOST_BYTES: usize = 16 << 20;

/// The errors in files with policies, or the error that prevents reading them.
#[derive(Debug, Error)]
#[error("{}", .0.join("; "))]
pub struct PolicyFilesError(Vec<String>);

impl PolicyFilesError {
    fn new(message: impl Into<String>) -> Self {
        Self(vec![message.into()])
    }

    /// Returns nothing without errors.
    fn of(errors: Vec<String>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(Self(policy_texts::limited(errors))) }
    }
}

/// Loads and compiles the GardenPolicies in files and directories, in order.
///
/// # Errors
/// Fails with all errors and their positions, or if a path cannot be read.
pub fn load(paths: &[PathBuf]) -> Result<Vec<OwnPolicy>, PolicyFilesError> {
    policy_texts::load(texts_within(paths, MOST_BYTES)?).map_err(PolicyFilesError)
}

/// Loads policies like [`load`] for a server, which limits their cost.
///
/// `has_namespaces` is whether the garden may have Namespaces; the server does not watch them.
///
/// # Errors
/// Fails like [`load`], and for policies that a server cannot evaluate.
pub fn load_for_server(
    paths: &[PathBuf],
    has_namespaces: bool,
) -> Result<Vec<OwnPolicy>, PolicyFilesError> {
    let policies = load(paths)?;
    let refused = |policy: &OwnPolicy| {
        let needs_namespace = || {
            (!has_namespaces && policy.needs_namespace()).then(|| {
                "it depends on labels or annotations of Namespaces, which the server does not watch; use `request.namespace`, or the label `kubernetes.io/metadata.name`".to_owned()
            })
        };
        let why = policy.excessive_cost().or_else(needs_namespace)?;
        Some(format!("GardenPolicy `{}`: {why}", policy.label()))
    };
    PolicyFilesError::of(policies.iter().filter_map(refused).collect())?;
    Ok(policies)
}

/// Returns a number that changes with the files.
pub fn fingerprint(paths: &[PathBuf]) -> u64 {
    let mut hasher = DefaultHasher::new();
    let texts = texts_within(paths, MOST_BYTES);
    texts.map_err(|error| error.0).hash(&mut hasher);
    hasher.finish()
}

/// Returns the files at or below paths with their texts, in order.
///
/// # Errors
/// Fails if a path cannot be read, or a named file is not text.
pub fn texts(paths: &[PathBuf]) -> Result<Vec<(PathBuf, String)>, PolicyFilesError> {
    texts_within(paths, usize::MAX)
}

/// Returns files like [`texts`], up to a size of all together in bytes.
fn texts_within(
    paths: &[PathBuf],
    most: usize,
) -> Result<Vec<(PathBuf, String)>, PolicyFilesError> {
    let mut texts = Vec::new();
    let mut left = most;
    let mut add = |path: PathBuf| {
        let text = text(&path)?;
        left = left.checked_sub(text.len()).ok_or_else(|| {
            PolicyFilesError::new(format!(
                "`{}` and the files before it are larger than {} MiB, the limit for policies; name a directory that holds only policies",
                path.display(),
                most >> 20
            ))
        })?;
        texts.push((path, text));
        Ok(())
    };
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| {
            PolicyFilesError::new(format!("cannot read `{}`: {error}", path.display()))
        })?;
        let resolved = Trees::default().resolve(path);
        resolved.map_err(|error| {
            PolicyFilesError::new(format!("cannot read `{}`: {error}", path.display()))
        })?;
        if !metadata.is_dir() {
            add(path.clone())?;
            continue;
        }
        for found in files::below(path, Ignoring::Within) {
            match found {
                Found::File(file) => add(file)?,
                Found::Closed(problem) => return Err(PolicyFilesError::new(problem.to_string())),
                Found::Loop(_) | Found::Outside(_) => {}
            }
        }
    }
    Ok(texts)
}

fn text(path: &Path) -> Result<String, PolicyFilesError> {
    let bytes = files::read(path).map_err(|problem| PolicyFilesError::new(problem.to_string()))?;
    let text = files::text(path, bytes);
    text.map_err(|(problem, _)| PolicyFilesError::new(problem.to_string()))
}

/// Returns the policies of a file that may also contain other documents.
///
/// # Errors
/// Fails with the position of the first error.
pub fn documents(path: &Path, text: &str) -> Result<Vec<PolicyDocument>, PolicyFilesError> {
    policies_in(text).map_err(|error| PolicyFilesError::new(line(path, &error)))
}

/// Formats errors like [`line()`]: equal ones once with their count, and a limited number.
pub fn lines(path: &Path, errors: &[PolicyError]) -> Vec<String> {
    policy_texts::limited(errors.iter().map(|it| line(path, it)).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use tempfile::TempDir;

    use garden_gate_products::policy_texts::MOST_POLICIES;

    use super::{fingerprint, load, load_for_server};

    fn policy(name: &str, spec: &str) -> String {
        format!(
            "apiVersion: garden-gate.dev/v1alpha1\nkind: GardenPolicy\nmetadata: {{name: {name}}}\nspec:\n  {spec}\n  matchConstraints:\n    resourceRules:\n    - {{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [shoots]}}\n"
        )
    }

    fn folder(files: &[(&str, &str)]) -> (TempDir, [PathBuf; 1]) {
        let folder = TempDir::new().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let path = folder.path().to_owned();
        (folder, [path])
    }

    #[test]
    fn errors_of_all_files_are_returned() {
        let valid = policy("a", "validations: [{expression: 'true'}]");
        let invalid = policy("b", "validations: [{expression: '1'}, {expression: 'x'}]");
        let (_folder, paths) = folder(&[
            ("a.yaml", &valid),
            ("b.yaml", &invalid),
            ("c.yaml", &valid),
            ("d.yaml", "a: ["),
        ]);
        let error = load(&paths).unwrap_err().to_string();
        for message in [
            "b.yaml:5:30: GardenPolicy `b`: `spec.validations[0].expression` does not compile",
            "b.yaml:5:49: GardenPolicy `b`: `spec.validations[1].expression` does not compile",
            "c.yaml: the id `policy/a` is also in",
            "d.yaml:",
        ] {
            assert!(error.contains(message), "{message}: {error}");
        }
    }

    /// The files of a mounted ConfigMap are links into a hidden directory, which is replaced at once.
    #[cfg(unix)]
    #[test]
    fn mounted_files_are_read_once() {
        use std::os::unix::fs::symlink;
        let (folder, paths) = folder(&[]);
        let at = |name: &str| folder.path().join(name);
        for (version, name) in [("..1", "a"), ("..2", "b")] {
            fs::create_dir(at(version)).unwrap();
            let text = policy(name, "validations: [{expression: 'true'}]");
            fs::write(at(version).join("a.yaml"), text).unwrap();
        }
        symlink("..1", at("..data")).unwrap();
        symlink("..data/a.yaml", at("a.yaml")).unwrap();
        let ids = || {
            let policies = load(&paths).unwrap();
            policies.iter().map(|it| it.id()).collect::<Vec<_>>()
        };
        assert_eq!(ids(), ["policy/a"]);
        let before = fingerprint(&paths);
        symlink("..2", at("..new")).unwrap();
        fs::rename(at("..new"), at("..data")).unwrap();
        assert_eq!(ids(), ["policy/b"]);
        assert_ne!(fingerprint(&paths), before);
    }

    #[test]
    fn number_of_policies_is_limited() {
        let policies = (0..=MOST_POLICIES).map(|index| {
            let policy = policy(&format!("p{index}"), "validations: [{expression: 'true'}]");
            format!("{policy}---\n")
        });
        let (_folder, paths) = folder(&[("a.yaml", &policies.collect::<String>())]);
        let error = load(&paths).unwrap_err().to_string();
        assert!(error.contains("1001 GardenPolicies; the limit is 1000"), "{error}");
    }

    #[test]
    fn server_without_namespaces_refuses_policies_about_them() {
        let policy = policy("a", "validations: [{expression: 'namespaceObject == null'}]");
        let (_folder, paths) = folder(&[("a.yaml", &policy)]);
        assert_eq!(load_for_server(&paths, true).unwrap().len(), 1);
        let error = load_for_server(&paths, false).unwrap_err().to_string();
        assert!(error.starts_with("GardenPolicy `a`: it depends on"), "{error}");
    }

    #[test]
    fn fingerprint_changes_with_contents_and_errors() {
        let (folder, paths) = folder(&[("a.yaml", "a: b"), ("a.txt", "b")]);
        let first = fingerprint(&paths);
        fs::write(folder.path().join("a.txt"), "c").unwrap();
        assert_eq!(fingerprint(&paths), first);
        fs::write(folder.path().join("a.yaml"), "a: c").unwrap();
        let second = fingerprint(&paths);
        fs::remove_file(folder.path().join("a.yaml")).unwrap();
        let third = fingerprint(&paths);
        assert!(second != first && third != second);
    }
}
