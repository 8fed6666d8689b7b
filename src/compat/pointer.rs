use std::borrow::Cow;

/// One step of a JSON pointer, as it is written there.
#[must_use]
pub fn escape_step(step: &str) -> Cow<'_, str> {
    // Of all letters together, which the processor does many at a time.
    let is_plain = |byte| byte != b'~' && byte != b'/';
    match step.bytes().fold(true, |all, byte| all & is_plain(byte)) {
        true => step.into(),
        false => step.replace('~', "~0").replace('/', "~1").into(),
    }
}

/// What a step of a JSON pointer stands for.
#[must_use]
pub fn unescape_step(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
