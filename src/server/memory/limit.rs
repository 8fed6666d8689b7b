// SPDX-License-Identifier: Apache-2.0
//! The memory limit of the process and its distribution.
//!
//! A quarter is for requests, a quarter for connections in the worst case.
//! If forecasts are published, three sixteenths are for them and their pages.
//! The rest is for the garden, caches and allocator overhead.

use std::fs;
use std::path::Path;

use crate::platform::open_file_limit;

/// Memory limit if none is configured or detected, in bytes.
const ASSUMED: u64 = 512 << 20;
/// Upper bound for requests in bytes, which fits thousands of ordinary reviews.
const MOST_FOR_REQUESTS: u64 = 1 << 30;
/// Divisor for the number of connections, in bytes.
///
/// A connection takes 62 KiB when idle, and more than twice that with full buffers.
const PER_CONNECTION: u64 = 448 << 10;
/// Upper bound for connections, regardless of memory.
const MOST_CONNECTIONS: u64 = 10_000;
/// Number of open files other than connections of the main port.
const OTHER_FILES: u64 = 192;
/// Mount point of cgroups.
const CGROUPS: &str = "/sys/fs/cgroup";

/// The memory limit of the process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    bytes: u64,
}

impl Memory {
    /// Uses the given limit, or that of the cgroup, or 512 MiB.
    pub(crate) fn new(given: Option<u64>) -> Self {
        let bytes = given.or_else(of_own_cgroup).unwrap_or(ASSUMED);
        Self { bytes }
    }

    /// Subtracts what the process holds all the time, in bytes; at least half of the limit stays.
    pub(crate) fn without(self, held: u64) -> Self {
        Self { bytes: self.bytes - held.min(self.bytes / 2) }
    }

    /// Returns the budget of all requests together, in bytes.
    pub(crate) fn for_requests(self) -> u64 {
        (self.bytes / 4).min(MOST_FOR_REQUESTS)
    }

    /// Returns the limit for one published forecast of all Shoots, in bytes.
    /// A new one is computed while the previous one is published.
    pub(crate) fn for_forecasts(self) -> u64 {
        self.bytes / 16
    }

    /// Returns the budget of all pages that are rendered and sent, in bytes.
    pub(crate) fn for_pages(self) -> u64 {
        self.bytes / 16
    }

    /// Returns the maximum number of connections of the main port.
    /// The limit of open files also applies.
    pub(crate) fn connections(self) -> usize {
        let limit = open_file_limit().unwrap_or(u64::MAX);
        let files = limit.saturating_sub(OTHER_FILES).max(limit / 2);
        let most = (self.bytes / PER_CONNECTION).min(MOST_CONNECTIONS);
        usize::try_from(most.min(files)).unwrap_or(usize::MAX)
    }
}

fn of_own_cgroup() -> Option<u64> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    of_cgroup(Path::new(CGROUPS), &own)
}

/// Returns the lowest memory limit that applies to a process in these cgroups, if any.
fn of_cgroup(root: &Path, own: &str) -> Option<u64> {
    own.lines()
        .filter_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let (controllers, path) = (parts.next()?, parts.next()?);
            let v1 = controllers.split(',').any(|it| it == "memory");
            match (controllers.is_empty(), v1) {
                (true, _) => lowest(root, path, "memory.max"),
                (_, true) => lowest(&root.join("memory"), path, "memory.limit_in_bytes"),
                _ => None,
            }
        })
        .min()
}

/// Returns the lowest limit from `path` up to the root.
///
/// Inside a container, the path may be that of the host. Then only the root exists, and it is the container's cgroup.
fn lowest(root: &Path, path: &str, file: &str) -> Option<u64> {
    let path = Path::new(path.trim_start_matches('/'));
    path.ancestors()
        .filter_map(|group| fs::read_to_string(root.join(group).join(file)).ok())
        // `max` is not a number, and cgroup v1 uses an impossibly large number for "unlimited".
        .filter_map(|text| text.trim().parse::<u64>().ok())
        .filter(|limit| (1..1 << 60).contains(limit))
        .min()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rstest::rstest;

    use super::{Memory, of_cgroup};

    const PODS: &str = "kubepods/pod1/gate";

    #[rstest]
    #[case::v2("0::/kubepods/pod1/gate", &[("kubepods/pod1/gate/memory.max", "1000\n"), ("kubepods/memory.max", "max")], Some(1000))]
    #[case::v2_of_a_parent("0::/kubepods/pod1/gate", &[("kubepods/pod1/gate/memory.max", "max"), ("kubepods/memory.max", "500")], Some(500))]
    #[case::v2_in_a_container("0::/", &[("memory.max", "7\n")], Some(7))]
    #[case::v1("5:cpu,cpuacct:/x\n4:memory:/kubepods/pod1/gate", &[("memory/kubepods/pod1/gate/memory.limit_in_bytes", "300")], Some(300))]
    #[case::v1_in_a_container("4:memory:/host/path\n0::/", &[("memory/memory.limit_in_bytes", "200")], Some(200))]
    #[case::v1_without_limit("4:memory:/", &[("memory/memory.limit_in_bytes", "9223372036854771712")], None)]
    #[case::none("0::/", &[], None)]
    fn the_lowest_limit_of_all_groups_counts(
        #[case] own: &str,
        #[case] files: &[(&str, &str)],
        #[case] limit: Option<u64>,
    ) {
        let root = tempfile::TempDir::new().unwrap();
        fs::create_dir_all(root.path().join(PODS)).unwrap();
        fs::create_dir_all(root.path().join("memory").join(PODS)).unwrap();
        for (path, text) in files {
            fs::write(root.path().join(path), text).unwrap();
        }
        assert_eq!(of_cgroup(root.path(), own), limit);
    }

    #[test]
    fn what_is_given_counts() {
        let memory = Memory::new(Some(64 << 20));
        assert_eq!(memory.for_requests(), 16 << 20);
        assert!((1..=170).contains(&memory.connections()));
    }
}
