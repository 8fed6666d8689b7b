// SPDX-License-Identifier: Apache-2.0
//! Properties of all versions and constraints, for any input.

use garden_gate_text::go::{Constraint, Version};
use proptest::prelude::*;

/// Mostly versions, with typical errors.
fn version() -> impl Strategy<Value = String> {
    "v?(0|[1-9][0-9]{0,2}|18446744073709551615)(\\.[0-9]{1,3}){0,3}(-[0-9a-zA-Z.-]{1,12})?(\\+[0-9a-z.-]{1,6})?"
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in ".{0,80}") {
        let version = Version::parse(&text);
        let constraint = Constraint::parse(&text);
        if let (Ok(version), Ok(constraint)) = (version, constraint) {
            let _ = constraint.matches(&version);
        }
    }

    #[test]
    fn constraint_like_text_never_panics(text in "[0-9xX*v|=!<>~^,. +a-]{0,60}") {
        if let Ok(constraint) = Constraint::parse(&text) {
            for version in ["0.0.0", "1.2.3-a", "18446744073709551615.0.0"] {
                let _ = constraint.matches(&Version::parse(version).expect("a version"));
            }
        }
    }

    #[test]
    fn what_is_printed_reads_as_the_same_version(text in version()) {
        if let Ok(version) = Version::parse(&text) {
            let printed = version.to_string();
            let again = Version::parse(&printed).expect("a printed version");
            prop_assert_eq!(&version, &again);
            prop_assert_eq!(&version.build, &again.build);
            prop_assert_eq!(&printed, &again.to_string());
        }
    }

    #[test]
    fn versions_are_totally_ordered(a in version(), b in version(), c in version()) {
        if let (Ok(a), Ok(b), Ok(c)) = (Version::parse(&a), Version::parse(&b), Version::parse(&c)) {
            prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
            prop_assert!(a == a);
            if a <= b && b <= c {
                prop_assert!(a <= c);
            }
        }
    }

    #[test]
    fn a_bare_version_is_a_constraint_that_it_meets(text in "[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}(-[a-z]{1,5})?") {
        let version = Version::parse(&text).expect("a version");
        let constraint = Constraint::parse(&text).expect("a constraint");
        prop_assert!(constraint.matches(&version));
    }
}
