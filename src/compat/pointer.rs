/// One step of a JSON pointer, as it is written there.
#[must_use]
pub fn escape_step(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

/// What a step of a JSON pointer stands for.
#[must_use]
pub fn unescape_step(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
