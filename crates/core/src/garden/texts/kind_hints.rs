// SPDX-License-Identifier: Apache-2.0
//! Kinds of objects that texts mention, for texts that cannot be read as YAML.

use std::borrow::Cow;

use garden_gate_model::api::{Kind, Retrieval};

/// Returns the kinds of which unreadable text may contain an object.
///
/// May return too many, never too few.
///
/// Objects name their group and kind unless a template generates them. ConfigMaps and Secrets matter only with a label.
pub fn mentioned(text: &str) -> Vec<Kind> {
    // Probably UTF-16, in which the search below finds nothing, or a tag such as `!!binary` for encoded text.
    if ["\0", "!!", "!<", "%TAG"].iter().any(|it| text.contains(it)) {
        return possible().collect();
    }
    let text = &*unescaped(text);
    let any_group = is_templated("apiVersion", text);
    let any_kind = is_templated("kind", text);
    possible()
        .filter(|kind| any_group || text.contains(mark(*kind)))
        .filter(|kind| any_kind || text.contains(kind.as_str()))
        .collect()
}

/// Characters that end a line in YAML 1.1.
const LINE_BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// Replaces the escapes of YAML and JSON for characters by their codes, such as `\x53` and `\u0053`, and joins lines that end
/// with a backslash.
pub fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split('\\');
    let mut unescaped = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = match part.as_bytes().first() {
            Some(b'x') => 2,
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let code = part
            .get(1..=digits)
            .filter(|_| digits > 0)
            .and_then(|it| u32::from_str_radix(it, 16).ok());
        match (code.and_then(char::from_u32), part.get(digits + 1..)) {
            (Some(character), Some(rest)) => {
                unescaped.push(character);
                unescaped.push_str(rest);
            }
            _ if part.starts_with(LINE_BREAKS) => {
                unescaped.push_str(part.trim_start_matches(LINE_BREAKS).trim_start());
            }
            _ => {
                unescaped.push('\\');
                unescaped.push_str(part);
            }
        }
    }
    Cow::Owned(unescaped)
}

/// Like [`mentioned`], for text that may be truncated before the kind.
///
/// Then every kind of a mentioned group may be meant.
pub(super) fn mentioned_if_cut(text: &str) -> Vec<Kind> {
    match mentioned(text) {
        kinds if kinds.is_empty() && !text.contains("kind") => {
            let is_named = |kind: &Kind| !mark(*kind).is_empty() && text.contains(mark(*kind));
            kept().filter(is_named).collect()
        }
        kinds => kinds,
    }
}

/// Returns the kinds that lookups may refer to, and those that only reviews judge, in the garden or in the runtime cluster.
fn possible() -> impl Iterator<Item = Kind> {
    let is_of_runtime = |kind: Kind| kind.is_outside_garden() && !kind.is_of_shoot_cluster();
    let reviewed = Kind::judged().filter(move |kind| kind.is_of_review() || is_of_runtime(*kind));
    kept().chain(reviewed.filter(|it| matches!(it.known(), Retrieval::Never | Retrieval::Optional)))
}

/// Returns the kinds that lookups may refer to.
pub(super) fn kept() -> impl Iterator<Item = Kind> {
    let all = Kind::ALL.iter().copied();
    all.filter(|kind| {
        !matches!(kind.known(), Retrieval::Never | Retrieval::Counted | Retrieval::Optional)
    })
}

/// Returns a string, in addition to the kind, that every relevant object contains.
fn mark(kind: Kind) -> &'static str {
    match kind.known() {
        Retrieval::Labelled { label, .. } => label.0,
        _ => kind.api().0,
    }
}

/// Reports whether a template generates the value of a field, as in `kind: {{ .kind }}`.
fn is_templated(field: &str, text: &str) -> bool {
    let mut lines = text.lines().map(|line| line.trim_start_matches([' ', '-', '"']));
    lines.any(|line| {
        let rest = line.strip_prefix(field).map(|rest| rest.trim_start_matches('"').trim_start());
        let value = rest.and_then(|rest| rest.strip_prefix(':'));
        value.is_some_and(|value| value.contains("{{"))
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{mentioned, mentioned_if_cut, possible};
    use garden_gate_model::api::Kind;

    #[rstest]
    #[case::of_no_garden("apiVersion: apps/v1\nkind: Deployment\nname: {{ .x }}", &[])]
    #[case::values("shoot:\n  seed: {{ a", &[])]
    #[case::a_seed("apiVersion: core.gardener.cloud/v1beta1\nkind: Seed\n  x: {{", &[Kind::Seed])]
    #[case::json("{\"kind\":\"Seed\",\"apiVersion\":\"core.gardener.cloud/v1beta1\"", &[Kind::Seed])]
    #[case::of_the_operator("apiVersion: operator.gardener.cloud/v1alpha1\nkind: Garden\nspec: [", &[Kind::Garden])]
    #[case::another_group("apiVersion: example.com/v1\nkind: Seed\n  x: {{", &[])]
    #[case::escaped(r#"apiVersion: "core.gar\x64ener.cloud/v1beta1"
kind: "\u0053eed"
a: [1"#, &[Kind::Seed])]
    #[case::folded("apiVersion: \"core.garde\\\r\n  ner.cloud/v1beta1\"\nkind: \"Se\\\n\ted\"\na: [1", &[Kind::Seed])]
    #[case::a_group_that_is_templated("apiVersion: {{ .a }}\nkind: Seed\n", &[Kind::Seed])]
    #[case::a_secret("apiVersion: v1\nkind: Secret\ndata: {{ .a }}", &[])]
    #[case::a_secret_for_a_domain("kind: Secret\nmetadata: {labels: {gardener.cloud/role: default-domain}\n", &[Kind::Secret])]
    fn a_text_mentions(#[case] text: &str, #[case] expected: &[Kind]) {
        assert_eq!(mentioned(text), expected);
    }

    #[test]
    fn cut_text_without_a_kind_mentions_all_kinds_of_its_group() {
        let kinds = mentioned_if_cut("items:\n- apiVersion: core.gardener.cloud/v1beta1\n  ki");
        assert!(kinds.contains(&Kind::Shoot) && !kinds.contains(&Kind::Namespace));
        assert_eq!(mentioned_if_cut("some: [text"), []);
    }

    #[test]
    fn what_says_nothing_may_hold_everything() {
        let open = "apiVersion: {{ .a }}\n- \"kind\": \"{{ .k }}\"\n";
        assert!(mentioned(open).into_iter().eq(possible()));
        assert!(mentioned("k\0i\0n\0d\0").into_iter().eq(possible()));
        assert!(mentioned("kind: !!binary U2hvb3Q=").into_iter().eq(possible()));
        let core = mentioned("apiVersion: core.gardener.cloud/v1beta1\nkind: {{ .k }}\n");
        assert!(core.contains(&Kind::Project) && !core.contains(&Kind::ClusterRole));
    }
}
