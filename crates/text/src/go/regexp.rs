// SPDX-License-Identifier: Apache-2.0
use regex::Error;
use regex::bytes::RegexBuilder;

/// Maximum length of a checked expression, in bytes.
const LONGEST: usize = 1024;
/// Maximum number of groups in a checked expression, below the limits of both libraries for nested groups.
const MOST_GROUPS: usize = 200;
/// Maximum count of a repetition in Go.
const MOST_REPETITIONS: u32 = 1000;
/// Maximum size of a compiled expression, in bytes.
const SIZE_LIMIT: usize = 1 << 20;
/// The classes in classes, such as `[[:digit:]]`.
const CLASSES: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];
/// What follows `(?` with the same meaning in both libraries; neither accepts the last four.
const GROUPS: [&str; 13] =
    [":", "i)", "i:", "m)", "m:", "s)", "s:", "U)", "U:", "=", "!", "<=", "<!"];

/// Reports whether a string is a regular expression for Go's `regexp.Compile`.
///
/// Returns `None` if it is too long, or has constructs that Go and the crate `regex` treat differently.
pub fn is_regexp(expression: &str) -> Option<bool> {
    let groups = expression.bytes().filter(|it| *it == b'(').count();
    let is_small = expression.len() <= LONGEST && groups <= MOST_GROUPS;
    if !is_small || !expression.is_ascii() || !is_portable(expression) {
        return None;
    }
    let mut builder = RegexBuilder::new(expression);
    match builder.unicode(false).size_limit(SIZE_LIMIT).build() {
        Ok(_) => Some(true),
        Err(Error::CompiledTooBig(_)) => None,
        Err(_) => Some(false),
    }
}

/// Reports whether a string in quotes, as by Go's `strconv.Quote`, is a regular expression for `regexp.CompilePOSIX`.
///
/// In quotes, a backslash is a literal one. Returns `None` as [`is_regexp`], and for control characters.
pub fn is_quoted_posix_regexp(expression: &str) -> Option<bool> {
    if expression.bytes().any(|byte| byte.is_ascii_control()) {
        return None;
    }
    // POSIX has no special groups, so nothing is repeated after `(`.
    if expression.contains("(?") {
        return (!expression.contains('[')).then_some(false);
    }
    let escaped = expression.replace('\\', r"\\").replace('"', "\\\"");
    is_regexp(&format!("\"{escaped}\""))
}

/// Reports whether both libraries parse an ASCII string in the same way.
fn is_portable(expression: &str) -> bool {
    // Go limits the product of nested repetitions.
    if expression.contains("){") && expression.matches('{').count() > 1 {
        return false;
    }
    let mut rest = expression;
    let mut is_in_class = false;
    let mut repetitions = 0;
    while let Some(next) = first(&mut rest) {
        // Go refuses to repeat a repetition, but has lazy ones, such as `a*?`.
        let repeats = !is_in_class && matches!(next, '*' | '+' | '?' | '{');
        if repeats && (repetitions == 2 || repetitions == 1 && next != '?') {
            return false;
        }
        repetitions = if repeats { repetitions + 1 } else { 0 };
        let is_portable = match next {
            '\\' => skip_escape(&mut rest, is_in_class),
            '[' if is_in_class => skip_class(&mut rest),
            '[' => {
                is_in_class = true;
                rest = rest.strip_prefix('^').unwrap_or(rest);
                rest = rest.strip_prefix(']').unwrap_or(rest);
                true
            }
            ']' => {
                is_in_class = false;
                true
            }
            '&' | '-' | '~' if is_in_class => !rest.starts_with(next),
            '(' if !is_in_class => {
                let prefix = skip_prefix(&mut rest);
                // A repetition after flags repeats the item before them in Go, and is an error in the crate.
                if prefix.is_some_and(|it| it.ends_with(')')) {
                    repetitions = 2;
                }
                prefix.is_some()
            }
            '{' if !is_in_class => skip_count(&mut rest),
            _ => true,
        };
        if !is_portable {
            return false;
        }
    }
    true
}

/// Takes the first character.
fn first(rest: &mut &str) -> Option<char> {
    let mut characters = rest.chars();
    let first = characters.next();
    *rest = characters.as_str();
    first
}

/// Skips an escape sequence after `\`, and reports whether it is portable.
fn skip_escape(rest: &mut &str, is_in_class: bool) -> bool {
    match first(rest) {
        // Go ends a class before `-`, where a range is an error in the crate.
        Some('d' | 'D' | 's' | 'S' | 'w' | 'W') => !(is_in_class && begins_range(rest)),
        Some('a' | 'f' | 'n' | 'r' | 't' | 'v') | None => true,
        Some('A' | 'b' | 'B' | 'z') => !is_in_class,
        Some(other) => other.is_ascii_punctuation() && !matches!(other, '<' | '>'),
    }
}

/// Skips a class in a class after `[`, and reports whether it is portable.
fn skip_class(rest: &mut &str) -> bool {
    let Some((name, after)) = rest.strip_prefix(':').and_then(|it| it.split_once(":]")) else {
        return false;
    };
    *rest = after;
    CLASSES.contains(&name.strip_prefix('^').unwrap_or(name)) && !begins_range(rest)
}

/// Reports whether a `-` follows that is not the last character of a class.
fn begins_range(rest: &str) -> bool {
    rest.starts_with('-') && !rest.starts_with("-]")
}

/// Skips `?` and the special beginning of a group after `(`, and returns it without `?`; `None` if it is not portable.
fn skip_prefix(rest: &mut &str) -> Option<&'static str> {
    let Some(special) = rest.strip_prefix('?') else {
        return Some("");
    };
    let prefix = GROUPS.into_iter().find(|it| special.starts_with(it))?;
    *rest = special.strip_prefix(prefix)?;
    Some(prefix)
}

/// Skips the count of a repetition after `{`, and reports whether it is portable: Go regards other braces as literals.
fn skip_count(rest: &mut &str) -> bool {
    let Some((count, after)) = rest.split_once('}') else {
        return false;
    };
    *rest = after;
    let is_number = |text: &str| {
        let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit());
        is_decimal && text.parse().is_ok_and(|it: u32| it <= MOST_REPETITIONS)
    };
    match count.split_once(',') {
        None => is_number(count),
        Some((least, most)) => is_number(least) && (most.is_empty() || is_number(most)),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_quoted_posix_regexp, is_regexp};

    use rstest::rstest;

    // Each answer is Go's, or unknown.
    #[rstest]
    #[case::empty("", Some(true))]
    #[case::list("docker.*,cali.*", Some(true))]
    #[case::range("^ens[0-9]{1,2}$", Some(true))]
    #[case::lazy("eth.*?", Some(true))]
    #[case::posix("eth[[:digit:]]+", Some(true))]
    #[case::bracket_in_class("[]a]", Some(true))]
    #[case::flag("(?i)ETH0", Some(true))]
    #[case::escapes(r"\beth\d\.[\w-]+\z", Some(true))]
    #[case::open_class("eth[", Some(false))]
    #[case::open_group("(", Some(false))]
    #[case::closed_group(")", Some(false))]
    #[case::nothing_repeated("*", Some(false))]
    #[case::look_ahead("(?!eth)", Some(false))]
    #[case::look_behind("(?<=eth)0", Some(false))]
    #[case::end("eth\\", Some(false))]
    #[case::reversed_range("[z-a]", Some(false))]
    #[case::reversed_count("a{2,1}", Some(false))]
    // Only Go accepts these.
    #[case::literal_brace("a{", None)]
    #[case::literal_bracket("[[]", None)]
    #[case::quoted(r"\Qa.b\E", None)]
    #[case::range_of_class(r"[\d-z]", None)]
    #[case::repeated_flags("a(?i)*", None)]
    #[case::named_by_digit("(?P<1>a)", None)]
    // Only the crate accepts these.
    #[case::repeated_twice("a**", None)]
    #[case::repeated_lazy("a*?+", None)]
    #[case::many("a{1001}", None)]
    #[case::operator_after_class("[[:alpha:]&&b]", None)]
    #[case::repeated_group("(a){2}", Some(true))]
    #[case::product("(a{100}){100}", None)]
    #[case::comments("(?x)a", None)]
    #[case::hexadecimal(r"\u0061", None)]
    // Not parsed.
    #[case::unicode("é", None)]
    fn regexp_as_in_go(#[case] expression: &str, #[case] expected: Option<bool>) {
        assert_eq!(is_regexp(expression), expected);
    }

    #[rstest]
    #[case::empty("", Some(true))]
    #[case::plain("^Created by .*$", Some(true))]
    #[case::class("[[:digit:]]{3}", Some(true))]
    #[case::leading_repetition("*", Some(true))]
    #[case::quotes("a \"word\"", Some(true))]
    #[case::perl(r"\d+\.", Some(true))]
    #[case::end(r"a\", Some(true))]
    #[case::escaped_group(r"\(", Some(false))]
    #[case::open_group("(", Some(false))]
    #[case::open_class("[a", Some(false))]
    #[case::flag("(?i)a", Some(false))]
    // Go repeats a repetition in POSIX.
    #[case::repeated_twice("a**", None)]
    #[case::flag_in_class("[(?]", None)]
    #[case::control("a\u{8}", None)]
    fn quoted_posix_regexp_as_in_go(#[case] expression: &str, #[case] expected: Option<bool>) {
        assert_eq!(is_quoted_posix_regexp(expression), expected);
    }

    #[test]
    fn regexp_too_large_is_unknown() {
        assert_eq!(is_regexp(&"a".repeat(1024)), Some(true));
        assert_eq!(is_regexp(&"a".repeat(1025)), None);
        assert_eq!(is_regexp(&"(".repeat(201)), None);
        assert_eq!(is_regexp(&r".{1000}".repeat(146)), None);
    }
}
