use std::collections::HashMap;
use std::fmt::Write as _;

use memchr::memchr_iter;
use serde_json::Value;
use similar::udiff::UnifiedHunkHeader;
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

use super::write::yaml_of_both;
use crate::escape::value;

/// So many lines that both have stand around those that differ.
const CONTEXT: usize = 3;

/// How two objects differ, as a unified diff of YAML; each comes with what it is called there.
///
/// # Errors
/// When an object cannot be written as YAML.
pub fn diff(
    (old_name, old): (&str, &Value),
    (new_name, new): (&str, &Value),
) -> Result<String, serde_saphyr::SerializeError> {
    let [old, new] = yaml_of_both(old, new)?;
    Ok(unified((old_name, &old), (new_name, &new)))
}

/// How two texts differ, all lines of which end.
fn unified((old_name, old): (&str, &str), (new_name, new): (&str, &str)) -> String {
    let [old, new] = [old, new].map(lines_of);
    let hunks = group_diff_ops(steps(&old, &new), CONTEXT);
    let mut diff = String::new();
    for hunk in &hunks {
        // Writing to a text cannot fail.
        if diff.is_empty() {
            let _ = writeln!(diff, "--- {}\n+++ {}", value(old_name), value(new_name));
        }
        let _ = writeln!(diff, "{}", UnifiedHunkHeader::new(hunk));
        for step in hunk {
            let (tag, removed, added) = step.as_tag_tuple();
            match tag {
                DiffTag::Equal => lines(&mut diff, ' ', &old[removed]),
                _ => {
                    lines(&mut diff, '-', &old[removed]);
                    lines(&mut diff, '+', &new[added]);
                }
            }
        }
    }
    diff
}

fn lines_of(text: &str) -> Vec<&str> {
    let mut begin = 0;
    let lines = memchr_iter(b'\n', text.as_bytes()).map(|end| {
        let line = &text[begin..=end];
        begin = end + 1;
        line
    });
    lines.collect()
}

fn lines(diff: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        diff.push(sign);
        diff.push_str(line);
    }
}

/// How one list of lines becomes the other one.
fn steps(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let hasher = foldhash::fast::RandomState::default();
    let mut numbers = HashMap::with_capacity_and_hasher(old.len() + new.len(), hasher);
    let [old, new] = [old, new].map(|lines| {
        let numbered = lines.iter().map(|line| {
            let next = numbers.len();
            *numbers.entry(*line).or_insert(next)
        });
        numbered.collect::<Vec<usize>>()
    });
    only_way(&old, &new, numbers.len())
        .unwrap_or_else(|| capture_diff_slices(Algorithm::Myers, &old, &new))
}

/// The steps, where those lines that are in both lists at all are the same lines in the same order: then there is no other shortest way, and none has to be
/// looked for. Of so many different lines.
fn only_way(old: &[usize], new: &[usize], different: usize) -> Option<Vec<DiffOp>> {
    let [in_old, in_new] = [old, new].map(|lines| {
        let mut is_there = vec![false; different];
        lines.iter().for_each(|line| is_there[*line] = true);
        is_there
    });
    let (mut steps, mut at) = (Vec::new(), (0, 0));
    loop {
        let removed = run(&old[at.0..], |line| !in_new[line]);
        let added = run(&new[at.1..], |line| !in_old[line]);
        if removed + added > 0 {
            steps.push(changed(at, removed, added));
            at = (at.0 + removed, at.1 + added);
        }
        let same = old[at.0..].iter().zip(&new[at.1..]);
        let len = same.take_while(|(old, new)| old == new).count();
        if len == 0 {
            break;
        }
        let (old_index, new_index) = at;
        steps.push(DiffOp::Equal {
            old_index,
            new_index,
            len,
        });
        at = (old_index + len, new_index + len);
    }
    (at == (old.len(), new.len())).then_some(steps)
}

/// How many lines at the beginning are such.
fn run(lines: &[usize], is_such: impl Fn(usize) -> bool) -> usize {
    lines.iter().take_while(|line| is_such(**line)).count()
}

fn changed((old_index, new_index): (usize, usize), old_len: usize, new_len: usize) -> DiffOp {
    match (old_len, new_len) {
        (0, _) => DiffOp::Insert {
            old_index,
            new_index,
            new_len,
        },
        (_, 0) => DiffOp::Delete {
            old_index,
            old_len,
            new_index,
        },
        _ => DiffOp::Replace {
            old_index,
            old_len,
            new_index,
            new_len,
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use similar::TextDiff;

    use super::unified;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn it_is_what_the_library_finds(
            common in prop::collection::vec("[a-h]\n", 0..60),
            old in prop::collection::vec((0..60_usize, "[a-z]{1,2}\n"), 0..4),
            new in prop::collection::vec((0..60_usize, "[a-z]{1,2}\n"), 0..12),
        ) {
            let [old, new] = [old, new].map(|added| {
                let mut lines = common.clone();
                for (at, line) in added {
                    lines.insert(at.min(lines.len()), line);
                }
                lines.concat()
            });
            let expected = TextDiff::from_lines(&old, &new);
            let expected = expected.unified_diff().header("old", "new").to_string();
            prop_assert_eq!(unified(("old", &old), ("new", &new)), expected);
        }
    }
}
