/// One step of a JSON pointer, as it is written there.
#[must_use]
pub fn escape_step(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

/// Takes a JSON pointer one step further.
pub fn push_step(pointer: &mut String, step: &str) {
    pointer.push('/');
    pointer.push_str(&escape_step(step));
}

/// What a step of a JSON pointer stands for.
#[must_use]
pub fn unescape_step(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
