// SPDX-License-Identifier: Apache-2.0
//! Suggestions for mistyped words.

/// Suggests known words for a mistyped one: those with it as a prefix, or else a similar one.
///
/// Rule ids are also compared without their kind, so that `tolerations-invalid` matches `shoot/tolerations-invalid`.
pub fn did_you_mean(word: &str, known: &[&str]) -> Option<String> {
    suggestion(&meant(word, known))
}

/// Formats words from [`meant`] as a question; `None` if there are none.
pub fn suggestion(meant: &[&str]) -> Option<String> {
    let meant: Vec<String> = meant.iter().map(|it| format!("`{it}`")).collect();
    let (last, others) = meant.split_last()?;
    Some(match others {
        [] => format!("did you mean {last}?"),
        _ => format!("did you mean {} or {last}?", others.join(", ")),
    })
}

/// Returns the known words that a mistyped one may mean, as [`did_you_mean`] suggests them.
pub fn meant<'a>(word: &str, known: &[&'a str]) -> Vec<&'a str> {
    let begun = begun(word, known);
    if begun.is_empty() { nearest(word, known).into_iter().collect() } else { begun }
}

/// Reports whether a word can only be a typo of `candidate`: the case or a single letter differs, but no digit.
pub fn is_typo(word: &str, candidate: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let is_long = candidate.len() > SHORTEST || word.eq_ignore_ascii_case(candidate);
    let is_near = || distance_within(&word.to_lowercase(), candidate, 1).is_some();
    is_long && digits(word) == digits(candidate) && is_near()
}

/// Minimum length of a prefix; shorter ones match too many words.
const SHORTEST: usize = 3;
/// Maximum number of suggestions.
const MOST: usize = 3;

/// Returns the first words in alphabetical order that start with `word`.
fn begun<'a>(word: &str, known: &[&'a str]) -> Vec<&'a str> {
    let typed = name(word).unwrap_or(word);
    if typed.len() < SHORTEST {
        return Vec::new();
    }
    let begins = |it: &str| it.starts_with(word) || name(it).is_some_and(|it| it.starts_with(word));
    let mut begun: Vec<&str> = known.iter().copied().filter(|it| begins(it)).collect();
    begun.sort_unstable();
    begun.dedup();
    begun.truncate(MOST);
    begun
}

fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let mut nearest = None;
    // Each candidate must be nearer than those before it.
    let mut limit = tolerated(&lower);
    for candidate in known {
        if let Some(distance) = distance_within(&lower, candidate, limit) {
            nearest = Some(*candidate);
            match distance.checked_sub(1) {
                Some(nearer) => limit = nearer,
                None => break,
            }
        }
    }
    nearest
}

/// Returns the part of an id after its kind.
fn name(id: &str) -> Option<&str> {
    id.split_once('/').map(|(_, name)| name)
}

/// Maximum length of compared words, since the cost is the product of both lengths.
const LONGEST: usize = 100;

/// Returns the edit distance of a lower-case word and a candidate, or its name alone, if it is at most `limit`.
fn distance_within(word: &str, candidate: &str, limit: usize) -> Option<usize> {
    if word.len() > LONGEST || candidate.len() > LONGEST {
        return None;
    }
    // A letter has up to four bytes.
    let is_as_long = |it: &&str| it.len().abs_diff(word.len()) <= 4 * limit;
    let forms = [Some(candidate), name(candidate)].into_iter().flatten().filter(is_as_long);
    let near = forms.map(str::to_lowercase).filter(|it| least_distance(word, it) <= limit);
    let distance = near.map(|it| strsim::osa_distance(word, &it)).min()?;
    (distance <= limit).then_some(distance)
}

/// Returns a lower bound of the edit distance: an edit changes at most one letter that both words have.
///
/// It is much faster than the distance, and excludes most candidates.
fn least_distance(a: &str, b: &str) -> usize {
    let mut left = [0_u8; 256];
    for byte in a.bytes() {
        left[usize::from(byte)] += 1;
    }
    let mut common = 0;
    for byte in b.bytes() {
        let count = &mut left[usize::from(byte)];
        if *count > 0 {
            *count -= 1;
            common += 1;
        }
    }
    // A letter has up to four bytes.
    let per_edit = if a.is_ascii() && b.is_ascii() { 1 } else { 4 };
    (a.len().max(b.len()) - common) / per_edit
}

/// Returns the maximum edit distance: one typo in three letters.
fn tolerated(word: &str) -> usize {
    word.chars().count().div_ceil(3)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{did_you_mean, is_typo, least_distance, name, nearest, tolerated};

    #[test]
    fn near_words_are_suggested_and_others_are_not() {
        let known = ["shoot/tolerations-invalid", "project/owner-verb", "profile"];
        let cases = [
            ("shoot/toleration-invalid", Some("shoot/tolerations-invalid")),
            ("tolerations-invalid", Some("shoot/tolerations-invalid")),
            ("project/owner_verb", Some("project/owner-verb")),
            ("Profile", Some("profile")),
            ("seed/network-overlap", None),
            ("x", None),
            ("", None),
        ];
        for (word, expected) in cases {
            let hint = expected.map(|id| format!("did you mean `{id}`?"));
            assert_eq!(did_you_mean(word, &known), hint, "{word}");
        }
    }

    #[test]
    fn typo_differs_in_case_or_in_one_letter() {
        let cases = [
            ("Region", "region", true),
            ("toleration", "tolerations", true),
            ("Gcp", "gcp", true),
            ("gp2", "gp3", false),
            ("m5.large", "m6.large", false),
            ("eu", "us", false),
            ("region", "version", false),
        ];
        for (word, candidate, expected) in cases {
            assert_eq!(is_typo(word, candidate), expected, "{word}");
        }
    }

    #[test]
    fn a_beginning_means_what_begins_like_it() {
        let known = [
            "shoot/tolerations-invalid",
            "shoot/toleration-not-whitelisted",
            "shoot/seed-name-change",
            "shoot/seed-name-missing",
            "shoot/seed-name-unknown",
            "shoot/seed-name-wrong",
        ];
        let cases = [
            (
                "shoot/tolerat",
                "did you mean `shoot/toleration-not-whitelisted` or `shoot/tolerations-invalid`?",
            ),
            ("toleration-", "did you mean `shoot/toleration-not-whitelisted`?"),
            (
                "shoot/seed",
                "did you mean `shoot/seed-name-change`, `shoot/seed-name-missing` or `shoot/seed-name-unknown`?",
            ),
        ];
        for (word, expected) in cases {
            assert_eq!(did_you_mean(word, &known).as_deref(), Some(expected));
        }
        assert_eq!(did_you_mean("shoot/se", &known), None);
    }

    proptest! {
        #[test]
        fn the_bound_is_at_most_the_distance(a in "[a-eé/-]{0,12}", b in "[a-eé/-]{0,12}") {
            prop_assert!(least_distance(&a, &b) <= strsim::osa_distance(&a, &b));
        }

        #[test]
        fn the_suggestion_is_the_first_of_the_nearest(
            word in "[a-c/]{1,9}",
            known in vec("[a-c]{1,3}/?[a-c]{0,6}", 0..6),
        ) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let distance = |it: &&str| {
                let whole = strsim::osa_distance(&word, it);
                name(it).map_or(whole, |name| whole.min(strsim::osa_distance(&word, name)))
            };
            let first = known.iter().copied().min_by_key(distance);
            let expected = first.filter(|it| distance(it) <= tolerated(&word));
            prop_assert_eq!(nearest(&word, &known), expected);
        }
    }

    #[test]
    fn a_very_long_word_has_no_suggestion() {
        assert_eq!(did_you_mean(&"x".repeat(1_000_000), &["profile"]), None);
    }
}
