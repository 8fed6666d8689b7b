// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use garden_gate_text::go::{
    CronSchedule, Network, Quantity, Selector, atoi, dns_label_error, dns_subdomain_error,
    go_duration, is_location, is_network, label_value_error, networks_intersect, parse_bool,
    parse_duration, parse_time, qualified_name_error, zone,
};
use jiff::{SignedDuration, Timestamp};

/// From `1000E` on, in billionths, Kubernetes prints other numbers.
const BEYOND_SUFFIXES: i128 = 10_i128.pow(30);
/// Number of times of a schedule that are computed.
const TIMES: usize = 5;

/// Parses two strings, one per line, with every parser of a short grammar, since each rejects input of another.
pub(crate) fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let (a, b) = text.split_once('\n').unwrap_or((text, ""));
    networks(a, b);
    quantities(a, b);
    schedule(a, b);
    duration(a);
    selector(a, b);
    numbers(a);
}

fn networks(a: &str, b: &str) {
    let is_common = networks_intersect(a, b);
    assert_eq!(is_common, networks_intersect(b, a));
    let [first, second] = [a, b].map(Network::read);
    assert_eq!(is_network(a), first.is_some());
    if let (Some(first), Some(second)) = (first, second) {
        assert_eq!(is_common, first.intersects(&second));
    }
}

fn quantities(a: &str, b: &str) {
    let Ok(a) = Quantity::parse(a) else {
        return;
    };
    let canonical = a.canonical();
    let again = Quantity::parse(&canonical).unwrap();
    assert!(Quantity::parse(&a.printed()).is_ok());
    let nanos = a.nanos();
    if nanos.abs() < BEYOND_SUFFIXES {
        assert_eq!(again, a);
    }
    // The first result is not canonical: `781.25Ki` is printed as `800000`, and that as `800k`.
    let canonical = again.canonical();
    let again = Quantity::parse(&canonical).unwrap();
    assert_eq!(again.canonical(), canonical);
    let nearest = (nanos / 1_000_000_000).saturating_add((nanos % 1_000_000_000).signum());
    let clamped = nearest.clamp(-i128::from(i64::MAX), i128::from(i64::MAX));
    assert_eq!(i128::from(a.ceiling()), clamped, "{canonical}");
    if let Ok(b) = Quantity::parse(b) {
        assert_eq!(a == b, a.number() == b.number());
        assert_eq!(a == b, b.eq(&a));
        assert!(a != b || nanos == b.nanos());
    }
}

fn schedule(text: &str, from: &str) {
    let Ok(schedule) = CronSchedule::parse(text) else {
        return;
    };
    let mut time = parse_time(from).unwrap_or(Timestamp::UNIX_EPOCH);
    for _ in 0..TIMES {
        let Some(next) = schedule.next_after(time) else {
            return;
        };
        assert!(next > time);
        assert_eq!(next.subsec_nanosecond(), 0);
        // The next time is the same from any second in between; `@every` depends on the start.
        let before = next - SignedDuration::from_secs(1);
        if before > time && !text.starts_with('@') {
            assert_eq!(schedule.next_after(before), Some(next));
        }
        time = next;
    }
}

fn duration(text: &str) {
    let Ok(duration) = parse_duration(text) else {
        return;
    };
    if duration.unsigned_abs().as_secs() > 0 || duration.is_zero() {
        assert_eq!(parse_duration(&go_duration(duration)), Ok(duration));
    }
    if !text.starts_with(['-', '+']) {
        let negative = parse_duration(&format!("-{text}"));
        assert_eq!(negative.ok(), duration.checked_neg());
    }
}

fn selector(key: &str, value: &str) {
    let labels = BTreeMap::from([(key.to_owned(), value.to_owned())]);
    let values: Vec<String> = value.split(',').map(str::to_owned).collect();
    let none = BTreeMap::new();
    let matches = |operator: &str, values: &[String]| {
        let selector = Selector::compile(&none, [(key, operator, values)]);
        selector.map(|selector| selector.matches(&labels))
    };
    for (operator, opposite, values) in
        [("In", "NotIn", &values[..]), ("Exists", "DoesNotExist", &[][..])]
    {
        let [holds, not] = [operator, opposite].map(|operator| matches(operator, values));
        assert_eq!(holds.ok(), not.ok().map(|it| !it), "{key} {operator}");
    }
    let is_label = qualified_name_error(key).is_none() && label_value_error(value).is_none();
    let compiled = Selector::compile(&labels, []);
    assert_eq!(compiled.is_ok(), is_label);
    assert!(compiled.is_ok_and(|selector| selector.matches(&labels)) == is_label);
    // A label is a subdomain, unless the subdomain is too long.
    assert!(dns_label_error(key).is_some() || dns_subdomain_error(key).is_none());
}

fn numbers(text: &str) {
    assert_eq!(zone(text).is_some(), is_location(text), "{text:?}");
    assert_eq!(atoi(text), text.parse::<i64>().ok());
    assert!(parse_bool(text).is_none() || text.len() <= 5);
    if let Some(time) = parse_time(text) {
        let printed = time.to_string();
        // An offset may lead to the year before 0, which has another format.
        let again = parse_time(&printed);
        assert!(again == Some(time) || printed.starts_with('-'), "{printed}");
    }
}
