// SPDX-License-Identifier: Apache-2.0
//! A folder that may be a Git repository, and runs of the built program in it.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder;

/// A working folder.
pub(crate) struct Repository(TempDir);

/// The exit code, standard output and standard error.
pub(crate) type Printed = (Option<i32>, String, String);

impl Repository {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self(folder::folder(files))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        folder::write(self.path(), name, text);
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        let output = Command::new("git")
            .args(["-c", "user.name=n", "-c", "user.email=e@example.com"])
            .args(["-c", "init.defaultBranch=main"])
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .current_dir(self.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    /// Commits all files.
    pub(crate) fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "m"]);
    }

    pub(crate) fn review(&self, arguments: &[&str]) -> Printed {
        let mut command = garden_gate(&["review"]);
        command.args(arguments).current_dir(self.path());
        printed(command.output().unwrap())
    }
}
