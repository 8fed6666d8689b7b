// SPDX-License-Identifier: Apache-2.0
mod keeping;
mod tampering;

use jiff::{SignedDuration, Timestamp};

use super::contents::Contents;
use super::issue::take;
use super::pair::Pair;
use super::plan::{Lifetimes, Step, step};

const DAYS: i64 = 86_400;
/// The seconds after which a published CA may be used.
const SETTLED: i64 = 3_600;

fn lifetimes() -> Lifetimes {
    Lifetimes::of_leaf(SignedDuration::from_hours(90 * 24))
}

fn names() -> Vec<String> {
    vec!["gate.garden.svc".to_owned()]
}

fn start() -> Timestamp {
    "2026-03-01T00:00:00Z".parse().unwrap()
}

fn after(seconds: i64) -> Timestamp {
    start() + SignedDuration::from_secs(seconds)
}

fn fresh() -> Contents {
    after_step(Step::Create, Contents::default(), 0)
}

fn after_step(step: Step, contents: Contents, seconds: i64) -> Contents {
    take(step, contents, &names(), lifetimes(), after(seconds)).unwrap()
}

fn leaf(contents: &Contents) -> &Pair {
    contents.leaf.as_ref().unwrap()
}

fn authority(contents: &Contents) -> &Pair {
    contents.authority.as_ref().unwrap()
}

/// Returns the step after `seconds`, if the bundle has been published for some seconds.
fn due(contents: &Contents, published: Option<i64>, seconds: i64) -> Step {
    step(contents, &names(), published.map(SignedDuration::from_secs), lifetimes(), after(seconds))
}

#[test]
fn what_is_due_follows_from_ages() {
    let contents = fresh();
    let cases = [
        (0, Step::Keep),
        (59 * DAYS, Step::Keep),
        (60 * DAYS, Step::RenewLeaf),
        (200 * DAYS, Step::RenewLeaf),
        (240 * DAYS, Step::AddAuthority),
        (359 * DAYS, Step::AddAuthority),
        (360 * DAYS, Step::Create),
        (1000 * DAYS, Step::Create),
    ];
    for (seconds, expected) in cases {
        assert_eq!(
            due(&contents, Some(SETTLED), seconds),
            expected,
            "after {} days",
            seconds / DAYS
        );
    }
    assert_eq!(due(&Contents::default(), Some(SETTLED), 0), Step::Create);
    let others = ["other.garden.svc".to_owned()];
    assert_eq!(step(&contents, &others, None, lifetimes(), start()), Step::RenewLeaf);
}

#[test]
fn a_new_authority_is_trusted_for_a_while_before_it_is_used() {
    let now = 240 * DAYS;
    let renewed = after_step(Step::RenewLeaf, fresh(), now);
    let added = after_step(Step::AddAuthority, renewed.clone(), now);
    assert_eq!(added.leaf, renewed.leaf);
    let cases = [
        (now, Some(0), Step::Keep),
        (now + SETTLED, None, Step::Keep),
        (now + SETTLED, Some(SETTLED - 1), Step::Keep),
        (now + SETTLED, Some(SETTLED), Step::UseNextAuthority),
        // Further waiting has no advantage.
        (360 * DAYS, None, Step::UseNextAuthority),
    ];
    for (seconds, published, expected) in cases {
        assert_eq!(due(&added, published, seconds), expected, "{seconds} {published:?}");
    }
}

#[test]
fn an_old_authority_is_trusted_until_everything_that_it_signed_has_expired() {
    let (mut contents, mut seconds) = (fresh(), 0);
    let mut signed_by = Vec::new();
    let mut authorities = 1;
    while seconds < 3 * 360 * DAYS {
        let now = after(seconds);
        let step = due(&contents, Some(SETTLED), seconds);
        if step != Step::Keep {
            authorities += usize::from(step == Step::AddAuthority);
            assert_ne!(step, Step::Create, "after {} days", seconds / DAYS);
            contents = after_step(step, contents, seconds);
        }
        let (leaf, authority) = (leaf(&contents), authority(&contents));
        assert!(!leaf.validity.is_over(now));
        assert!(leaf.validity.not_after <= authority.validity.not_after);
        signed_by.push((leaf.clone(), authority.clone()));
        signed_by.dedup();
        signed_by.retain(|(leaf, _)| !leaf.validity.is_over(now));
        let bundle = contents.bundle(now);
        for (_, authority) in &signed_by {
            assert!(bundle.contains(&authority.certificate), "after {} days", seconds / DAYS);
        }
        assert!(bundle.matches("BEGIN").count() <= 3, "the bundle only grows");
        seconds += 3_600;
    }
    assert!(authorities >= 4, "{authorities}");
}

#[test]
fn what_is_written_is_what_is_read() {
    let now = 240 * DAYS;
    let added = after_step(Step::AddAuthority, fresh(), now);
    let used = after_step(Step::UseNextAuthority, added.clone(), now + 7_200);
    let old = &authority(&added).certificate;
    assert_eq!(used.previous, std::slice::from_ref(old));
    for contents in [fresh(), added, used] {
        let (read, problems) = Contents::read(&contents.write(), after(now + 7_200));
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(read, contents);
    }
}

#[test]
fn an_authority_stays_in_the_bundle_for_a_day_after_its_end() {
    let now = 240 * DAYS;
    let added = after_step(Step::AddAuthority, fresh(), now);
    let used = after_step(Step::UseNextAuthority, added.clone(), now + 7_200);
    let old = &authority(&added).certificate;
    for (seconds, there) in [(361 * DAYS - 1, true), (361 * DAYS, false)] {
        assert_eq!(used.bundle(after(seconds)).contains(old), there);
        assert_eq!(used.retired([&None, &None], after(seconds)).contains(old), there);
    }
}
