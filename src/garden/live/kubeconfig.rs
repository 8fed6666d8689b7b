// SPDX-License-Identifier: Apache-2.0
//! Checks kubeconfigs and referenced files before kube reads them.
//!
//! kube blocks on pipes and reads devices endlessly.

use std::env;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use kube::config::{Kubeconfig, KubeconfigError};

use super::error::complaint;
use crate::files::{Limit, Trees, check_within, is_passed_descriptor, read_text_in};

/// Reads a kubeconfig file.
///
/// # Errors
/// Fails with the reason if the file, or a file that it references, is invalid.
pub(super) fn read(path: &Path) -> Result<Kubeconfig, String> {
    if is_passed_descriptor(path) {
        // It can be read only once, and has no size.
        let text = read_text_in(&Trees::default(), path, Limit::KUBECONFIGS)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        return checked(Kubeconfig::from_yaml(&text));
    }
    check(path, Limit::KUBECONFIGS)?;
    checked(Kubeconfig::read_from(path))
}

/// Reads the kubeconfig files in `KUBECONFIG`; returns `None` if it lists none.
///
/// # Errors
/// Same as [`read`].
pub(super) fn read_environment() -> Result<Option<Kubeconfig>, String> {
    let paths = env::var_os("KUBECONFIG").unwrap_or_default();
    let paths: Vec<PathBuf> =
        env::split_paths(&paths).filter(|it| !it.as_os_str().is_empty()).collect();
    if let [path] = &paths[..] {
        return read(path).map(Some);
    }
    for path in &paths {
        if is_passed_descriptor(path) {
            return Err(format!(
                "{}: only a single kubeconfig can be a descriptor",
                path.display()
            ));
        }
        check(path, Limit::KUBECONFIGS)?;
    }
    match Kubeconfig::from_env() {
        Ok(None) => Ok(None),
        Ok(Some(kubeconfig)) => checked(Ok(kubeconfig)).map(Some),
        Err(error) => Err(complaint(&error)),
    }
}

/// Returns the certificate and key files that a kubeconfig references.
pub(super) fn references(kubeconfig: &Kubeconfig) -> Vec<PathBuf> {
    let clusters = kubeconfig.clusters.iter().filter_map(|it| it.cluster.as_ref());
    let users = kubeconfig.auth_infos.iter().filter_map(|it| it.auth_info.as_ref());
    let paths = clusters.filter_map(|cluster| cluster.certificate_authority.as_ref()).chain(
        users.flat_map(|user| [&user.client_certificate, &user.client_key].into_iter().flatten()),
    );
    paths.map(PathBuf::from).collect()
}

fn checked(read: Result<Kubeconfig, KubeconfigError>) -> Result<Kubeconfig, String> {
    let kubeconfig = read.map_err(|error| complaint(&error))?;
    let users = kubeconfig.auth_infos.iter();
    let tokens =
        users.filter_map(|it| it.auth_info.as_ref()?.token_file.as_ref()).map(PathBuf::from);
    for file in references(&kubeconfig).into_iter().chain(tokens) {
        check(&file, Limit::PEM)?;
    }
    Ok(kubeconfig)
}

/// Checks the type and size of a file. kube itself reports other errors, such as a missing file.
fn check(path: &Path, limit: Limit) -> Result<(), String> {
    let is_explained = |error: &io::Error| {
        !matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::FileTooLarge)
    };
    match check_within(path, limit) {
        Err(error) if !is_explained(&error) => Err(format!("`{}` is {error}", path.display())),
        _ => Ok(()),
    }
}
