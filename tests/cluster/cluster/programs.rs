// SPDX-License-Identifier: Apache-2.0
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Environment variable for the folder with prepared binaries, as in Kubernetes' own test tools.
const ASSETS: &str = "KUBEBUILDER_ASSETS";
/// Environment variable for the folder in which built binaries are cached.
const CACHE: &str = "GARDEN_GATE_TEST_CACHE";

/// A program that tests run: taken from `KUBEBUILDER_ASSETS`, or built once from its Go module.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Program {
    /// The Kubernetes API server.
    KubeApiserver,
    /// The database of the API server.
    Etcd,
    /// The renderer of charts.
    Helm,
    /// The part of kubectl that reads manifests.
    KubectlReader,
}

impl Program {
    /// Returns the path of the program, or `None` without a prepared binary and without Go.
    ///
    /// # Panics
    /// Panics if the build fails. With `CI=true`, panics instead of returning `None`, since a skipped test is a failure in
    /// CI.
    pub(crate) fn find(self) -> Option<PathBuf> {
        let name = self.name();
        let prepared = std::env::var_os(ASSETS).map(|folder| PathBuf::from(folder).join(name));
        if let Some(path) = prepared.filter(|path| path.is_file()) {
            return Some(path);
        }
        if Command::new("go").arg("version").output().is_ok() {
            return Some(self.built());
        }
        left_out(&format!("needs `{name}`: install Go, or set {ASSETS} to a folder that has it"))
    }

    fn name(self) -> &'static str {
        match self {
            Program::KubeApiserver => "kube-apiserver",
            Program::Etcd => "etcd",
            Program::Helm => "helm",
            Program::KubectlReader => "kubectl-reader",
        }
    }

    fn package(self) -> &'static str {
        match self {
            Program::KubeApiserver | Program::Etcd | Program::KubectlReader => ".",
            Program::Helm => "helm.sh/helm/v4/cmd/helm",
        }
    }

    /// Returns the CPU time of a build, in minutes, with only the common dependencies cached.
    fn minutes(self) -> f32 {
        match self {
            Program::KubeApiserver => 5.5,
            Program::Etcd => 1.5,
            Program::Helm => 2.5,
            Program::KubectlReader => 0.5,
        }
    }

    /// Returns linker flags that set the version, as the program's own build scripts do.
    fn link_flags(self) -> &'static str {
        match self {
            Program::KubeApiserver => {
                "-s -w -X k8s.io/component-base/version.gitVersion=v1.36.1 \
                 -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36"
            }
            Program::Etcd | Program::KubectlReader => "-s -w",
            Program::Helm => "-s -w -X helm.sh/helm/v4/internal/version.version=v4.2.4",
        }
    }

    /// Returns the cached binary; a lock ensures that parallel tests build it once.
    fn built(self) -> PathBuf {
        let name = self.name();
        let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster/go").join(name);
        let folder = cache().join(format!("{name}-{}", self.fingerprint(&module)));
        let binary = folder.join(name);
        if binary.is_file() {
            return binary;
        }
        fs::create_dir_all(&folder).unwrap();
        let lock = File::create(folder.join("lock")).unwrap();
        lock.lock().unwrap();
        if !binary.is_file() {
            say(&format!(
                "building {name} from its Go module, once, about {} minutes of processor time",
                self.minutes(),
            ));
            let start = Instant::now();
            self.build(&module, &binary);
            say(&format!("{name} is there after {} s", start.elapsed().as_secs()));
        }
        binary
    }

    fn build(self, module: &Path, binary: &Path) {
        let unfinished = binary.with_extension("unfinished");
        let output = Command::new("go")
            .args(["build", "-mod=readonly", "-trimpath", "-buildvcs=false"])
            .args(["-ldflags", self.link_flags()])
            .arg("-o")
            .arg(&unfinished)
            .arg(self.package())
            .env("CGO_ENABLED", "0")
            .current_dir(module)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "failed to build {}: {errors}", self.name());
        fs::rename(&unfinished, binary).unwrap();
    }

    /// Returns a hash of all inputs of the build, so that a new version is never served an old binary.
    fn fingerprint(self, module: &Path) -> String {
        let mut hasher = DefaultHasher::new();
        self.link_flags().hash(&mut hasher);
        for file in ["go.mod", "go.sum", "main.go"] {
            fs::read(module.join(file)).ok().hash(&mut hasher);
        }
        format!("{:016x}", hasher.finish())
    }
}

/// Prints the names of skipped tests; panics in CI.
fn left_out(why: &str) -> Option<PathBuf> {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{why}");
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    say(&format!("test {test} DID NOT RUN: it {why}"));
    None
}

fn cache() -> PathBuf {
    std::env::var_os(CACHE).map_or_else(
        || Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("test-binaries"),
        PathBuf::from,
    )
}

/// Prints a line even if the test passes, which the test harness would hide.
fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}
