/// One step of a JSON pointer, as it is written there.
#[must_use]
pub fn escape_step(step: &str) -> String {
    let mut escaped = String::with_capacity(step.len());
    push_escaped(&mut escaped, step);
    escaped
}

/// Takes a JSON pointer one step further.
pub fn push_step(pointer: &mut String, step: &str) {
    pointer.push('/');
    push_escaped(pointer, step);
}

fn push_escaped(pointer: &mut String, step: &str) {
    for character in step.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// What a step of a JSON pointer stands for.
#[must_use]
pub fn unescape_step(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
