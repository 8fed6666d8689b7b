// SPDX-License-Identifier: Apache-2.0
//! Values that every rule reads do not allocate on the heap.

use allocation_counter::measure;
use garden_gate_text::go::Version;

fn allocations(run: impl FnOnce()) -> u64 {
    measure(run).count_total
}

#[test]
fn versions_without_a_prerelease_allocate_nothing() {
    let read_and_compare = || {
        let versions =
            ["1.31.7", "v1.31", "1", "20240101.10.0"].map(|it| Version::parse(it).unwrap());
        assert!(versions[0] > versions[1] && versions[3] > versions[0].clone());
    };
    assert_eq!(allocations(read_and_compare), 0);
    let long = || assert!(Version::parse("1.31.7-a.long.prerelease").is_ok());
    assert_ne!(allocations(long), 0, "allocations are counted");
}
