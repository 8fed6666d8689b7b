use std::borrow::Cow;

/// One step of a JSON pointer, as it is written there.
#[must_use]
pub fn escape_step(step: &str) -> Cow<'_, str> {
    match step.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        true => step.replace('~', "~0").replace('/', "~1").into(),
        false => step.into(),
    }
}

/// What a step of a JSON pointer stands for.
#[must_use]
pub fn unescape_step(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
