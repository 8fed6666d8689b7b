// SPDX-License-Identifier: Apache-2.0
//! All inputs up to a bound, compared with the answers of the original Go functions.
//!
//! `docs/development/exhaustive-comparison.md` describes the inputs and the files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};

use flate2::read::GzDecoder;
use garden_gate_text::go::{
    Constraint, CronSchedule, Network, Quantity, Selector, Version, dns_label_error,
    dns_subdomain_error, go_duration, is_network, is_strict_address, is_strict_network,
    label_value_error, networks_intersect, parse_duration, qualified_name_error,
};
use jiff::Timestamp;
use serde::Deserialize;

const FOLDER: &str = "tests/exhaustive";
/// Maximum number of differences in the message of a failed test.
const NAMED: usize = 20;

#[derive(Deserialize)]
struct Inputs {
    versions: Vec<String>,
    times: Vec<Timestamp>,
    labels: Vec<BTreeMap<String, String>>,
    functions: BTreeMap<String, Vec<Family>>,
}

/// Inputs with the same beginning and end, and one token of each slot in between.
#[derive(Deserialize)]
struct Family {
    #[serde(default)]
    before: String,
    #[serde(flatten)]
    middle: Middle,
    #[serde(default)]
    after: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Middle {
    Slots { slots: Vec<Vec<String>> },
    Sequences { alphabet: Vec<String>, up_to: usize },
}

impl Family {
    /// Calls `test` with each input in the order of the recording: the last token changes first.
    fn each(&self, test: &mut impl FnMut(&str)) {
        let mut text = self.before.clone();
        match &self.middle {
            Middle::Slots { slots } => {
                product(&mut text, &self.after, &slots.iter().collect::<Vec<_>>(), test);
            }
            Middle::Sequences { alphabet, up_to } => {
                for length in 0..=*up_to {
                    product(&mut text, &self.after, &vec![alphabet; length], test);
                }
            }
        }
    }
}

fn product(text: &mut String, after: &str, slots: &[&Vec<String>], test: &mut impl FnMut(&str)) {
    let length = text.len();
    let Some((tokens, slots)) = slots.split_first() else {
        text.push_str(after);
        test(text);
        text.truncate(length);
        return;
    };
    for token in *tokens {
        text.push_str(token);
        product(text, after, slots, test);
        text.truncate(length);
    }
}

fn inputs() -> Inputs {
    serde_json::from_str(&fs::read_to_string(format!("{FOLDER}/inputs.json")).unwrap()).unwrap()
}

/// Compares the answers to all inputs of a function; the answer to an invalid input is empty.
fn compare(function: &str, mut answer: impl FnMut(&str, &mut String) -> Option<()>) {
    let families = inputs().functions.remove(function).unwrap();
    let file = File::open(format!("{FOLDER}/{function}.txt.gz")).unwrap();
    let mut recorded = BufReader::new(GzDecoder::new(file));
    let (mut expected, mut got) = (String::new(), String::new());
    let (mut count, mut different, mut message) = (0, 0, String::new());
    for family in &families {
        family.each(&mut |input| {
            expected.clear();
            got.clear();
            recorded.read_line(&mut expected).unwrap();
            let expected = expected.strip_suffix('\n').expect("an answer is missing");
            if answer(input, &mut got).is_none() {
                got.clear();
            }
            count += 1;
            if got != expected {
                different += 1;
                if different <= NAMED {
                    let _ = writeln!(message, "{input:?}: {got:?} instead of {expected:?}");
                }
            }
        });
    }
    assert!(count > 10_000);
    assert_eq!(recorded.read_line(&mut expected).unwrap(), 0, "more answers than inputs");
    assert!(different == 0, "{different} of {count} inputs of {function}:\n{message}");
}

/// Answer: `=` or the quantity as printed, the canonical form if it differs, and the value.
#[test]
fn exhaustive_quantity_as_kubernetes() {
    compare("quantity", |input, answer| {
        let quantity = Quantity::parse(input).ok()?;
        let (printed, canonical) = (quantity.printed(), quantity.canonical());
        answer.push_str(if printed == input { "=" } else { &printed });
        if printed != canonical {
            write!(answer, " {canonical}").ok()?;
        }
        write!(answer, " {}", quantity.value()).ok()
    });
}

/// Answer: -1, 0 or 1.
#[test]
fn exhaustive_comparison_as_kubernetes() {
    compare("comparison", |input, answer| {
        let (a, b) = input.split_once('&')?;
        let [a, b] = [a, b].map(|text| Quantity::parse(text).unwrap());
        assert_eq!(a == b, a.cmp(&b).is_eq());
        write!(answer, "{}", a.cmp(&b) as i8).ok()
    });
}

/// Answer: nanoseconds, and the duration as printed from a second on.
#[test]
fn exhaustive_duration_as_go() {
    compare("duration", |input, answer| {
        let duration = parse_duration(input).ok()?;
        write!(answer, "{}", duration.as_nanos()).ok()?;
        if duration.unsigned_abs().as_secs() > 0 {
            write!(answer, " {}", go_duration(duration)).ok()?;
        }
        Some(())
    });
}

/// Answer: the version as printed.
#[test]
fn exhaustive_version_as_masterminds() {
    compare("version", |input, answer| {
        let version = Version::parse(input).ok()?;
        write!(answer, "{version}").ok()
    });
}

/// Answer: -1, 0 or 1.
#[test]
fn exhaustive_order_as_masterminds() {
    compare("order", |input, answer| {
        let (a, b) = input.split_once('&')?;
        let [a, b] = [a, b].map(|text| Version::parse(text).unwrap());
        write!(answer, "{}", a.cmp(&b) as i8).ok()
    });
}

/// Answer: for each of the versions whether it matches.
#[test]
fn exhaustive_constraint_as_masterminds() {
    let versions: Vec<_> =
        inputs().versions.iter().map(|text| Version::parse(text).unwrap()).collect();
    compare("constraint", |input, answer| {
        let constraint = Constraint::parse(input).ok()?;
        answer.extend(versions.iter().map(|version| bit(constraint.matches(version))));
        Some(())
    });
}

fn bit(matches: bool) -> char {
    if matches { '1' } else { '0' }
}

/// Answer: address, network and prefix length of a CIDR, and whether Kubernetes accepts it as strict CIDR or address.
#[test]
fn exhaustive_cidr_as_go() {
    compare("cidr", |input, answer| {
        let network = Network::read(input);
        assert_eq!(is_network(input), network.is_some());
        let mut parts = Vec::new();
        if let Some(network) = network {
            parts.extend([network.address().to_string(), network.to_string()]);
            parts.push(network.prefix().to_string());
        }
        let strict = [(is_strict_network(input), "strict"), (is_strict_address(input), "address")];
        parts.extend(strict.iter().filter(|(is, _)| *is).map(|(_, word)| (*word).to_owned()));
        answer.push_str(&parts.join(" "));
        Some(())
    });
}

/// Answer: whether the CIDRs overlap, and if both are valid, whether the first contains the second.
#[test]
fn exhaustive_overlap_as_gardener() {
    compare("overlap", |input, answer| {
        let (a, b) = input.split_once('&')?;
        answer.push(bit(networks_intersect(a, b)));
        let networks = Network::read(a).zip(Network::read(b));
        answer.extend(networks.map(|(a, b)| bit(a.contains(&b))));
        Some(())
    });
}

/// Answer: the next time after each of the times.
#[test]
fn exhaustive_schedule_as_cron() {
    let times = inputs().times;
    compare("cron", |input, answer| {
        let schedule = CronSchedule::parse(input).ok()?;
        let next = times.iter().map(|time| {
            let next = schedule.next_after(*time);
            next.map_or("never".to_owned(), |next| next.to_string())
        });
        answer.push_str(&next.collect::<Vec<_>>().join(" "));
        Some(())
    });
}

/// Answer: `k` for a label key, `v` for a label value, `l` for a DNS label, `s` for a DNS subdomain.
#[test]
fn exhaustive_label_as_kubernetes() {
    let checks: [(_, fn(&str) -> _); 4] = [
        ('k', qualified_name_error),
        ('v', label_value_error),
        ('l', dns_label_error),
        ('s', dns_subdomain_error),
    ];
    compare("label", |input, answer| {
        let valid = checks.iter().filter(|(_, error)| error(input).is_none());
        answer.extend(valid.map(|(letter, _)| letter));
        Some(())
    });
}

/// Answer: for each of the label sets whether it matches.
///
/// An input is `key=value` of `matchLabels`, and expressions `key operator values`: values with commas, or `~` for none.
#[test]
fn exhaustive_selector_as_kubernetes() {
    let sets = inputs().labels;
    compare("selector", |input, answer| {
        let mut parts = input.split(';');
        let label = parts.next().and_then(|label| label.split_once('='));
        let labels = label.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let labels = labels.into_iter().collect();
        let expressions: Vec<_> = parts
            .map(|part| {
                let fields: Vec<_> = part.splitn(3, ' ').collect();
                let values = Some(fields[2]).filter(|values| *values != "~");
                let values = values.into_iter().flat_map(|it| it.split(',')).map(str::to_owned);
                (fields[0], fields[1], values.collect::<Vec<_>>())
            })
            .collect();
        let expressions = expressions.iter().map(|(key, op, values)| (*key, *op, &values[..]));
        let selector = Selector::compile(&labels, expressions).ok()?;
        answer.extend(sets.iter().map(|set| bit(selector.matches(set))));
        Some(())
    });
}
