// SPDX-License-Identifier: Apache-2.0
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::programs::Program;

/// The chart has no default for the image.
const IMAGE: &str = "--set=image.repository=registry.example.com/garden-gate";

/// Helm with the chart of this repository, released as `garden-gate` in the namespace of that name.
pub(crate) struct Helm {
    program: PathBuf,
}

impl Helm {
    /// Returns `None` if Helm is not available, which is a failure with `CI=true`.
    pub(crate) fn find() -> Option<Helm> {
        Program::Helm.find().map(|program| Helm { program })
    }

    /// Returns the output of `helm lint`.
    pub(crate) fn lint(&self, arguments: &[&str]) -> Output {
        self.run(&["lint", "--strict", "."], arguments)
    }

    /// Returns the rendered YAML, or Helm's error.
    pub(crate) fn template(&self, arguments: &[&str]) -> Result<String, String> {
        let command = ["template", "garden-gate", ".", "--namespace=garden-gate", IMAGE];
        let output = self.run(&command, arguments);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    /// Renders another chart with its own values.
    pub(crate) fn render(&self, chart: &Path) -> String {
        let output = self.run(&["template", chart.to_str().unwrap(), IMAGE], &[]);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Packages the chart into the folder, and returns the path.
    pub(crate) fn package(&self, folder: &Path) -> PathBuf {
        let folder = folder.to_str().unwrap();
        let output = self.run(&["package", ".", "--destination", folder], &[]);
        assert!(output.status.success(), "{output:?}");
        let mut packages = std::fs::read_dir(folder).unwrap();
        packages.next().unwrap().unwrap().path()
    }

    /// Installs or upgrades the chart as a user of a cluster; returns Helm's error.
    pub(crate) fn upgrade(&self, kubeconfig: &Path, arguments: &[&str]) -> Result<(), String> {
        let kubeconfig = kubeconfig.to_str().unwrap();
        let command =
            ["upgrade", "--install", "garden-gate", ".", "--namespace=garden-gate", IMAGE];
        let arguments = [&["--kubeconfig", kubeconfig], arguments].concat();
        let output = self.run(&command, &arguments);
        if output.status.success() {
            Ok(())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    fn run(&self, command: &[&str], arguments: &[&str]) -> Output {
        Command::new(&self.program)
            .args(command)
            .args(arguments)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("charts/garden-gate"))
            // Settings, plugins and clusters of the developer are ignored.
            .env_remove("KUBECONFIG")
            .envs(
                ["HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME"]
                    .map(|home| (home, env!("CARGO_TARGET_TMPDIR"))),
            )
            .output()
            .unwrap()
    }
}
