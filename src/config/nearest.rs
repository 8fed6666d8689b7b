/// "did you mean `…`?" for a mistyped word, if one of the known words is near enough.
///
/// Rule ids are also compared without their kind, so that `tolerations-invalid` finds `shoot/tolerations-invalid`.
#[must_use]
pub fn did_you_mean(word: &str, known: &[&str]) -> Option<String> {
    let nearest = known
        .iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .min_by_key(|(distance, _)| *distance)?;
    let (distance, candidate) = nearest;
    (distance <= tolerated(word)).then(|| format!("did you mean `{candidate}`?"))
}

/// The longest word that is compared at all; comparing costs the product of both lengths.
const LONGEST: usize = 100;

fn distance(word: &str, candidate: &str) -> usize {
    if word.len() > LONGEST {
        return usize::MAX;
    }
    let word = word.to_lowercase();
    let whole = strsim::osa_distance(&word, &candidate.to_lowercase());
    let name = candidate.split_once('/').map(|(_, name)| name);
    name.map_or(whole, |name| whole.min(strsim::osa_distance(&word, name)))
}

/// One typing mistake in three letters is still recognizably the same word.
fn tolerated(word: &str) -> usize {
    word.chars().count().div_ceil(3)
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn near_words_are_suggested_and_others_are_not() {
        let known = ["shoot/tolerations-invalid", "project/owner-verb", "profile"];
        let cases = [
            (
                "shoot/toleration-invalid",
                Some("shoot/tolerations-invalid"),
            ),
            ("tolerations-invalid", Some("shoot/tolerations-invalid")),
            ("project/owner_verb", Some("project/owner-verb")),
            ("Profile", Some("profile")),
            ("seed/network-overlap", None),
            ("x", None),
            ("", None),
        ];
        for (word, expected) in cases {
            let expected = expected.map(|id| format!("did you mean `{id}`?"));
            assert_eq!(did_you_mean(word, &known), expected, "{word}");
        }
    }

    #[test]
    fn a_very_long_word_has_no_suggestion() {
        assert_eq!(did_you_mean(&"x".repeat(1_000_000), &["profile"]), None);
    }
}
