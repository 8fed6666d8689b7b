/// Parses the name of a Kubernetes object.
pub(super) fn object_name(text: &str) -> Result<String, String> {
    let allowed = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit();
    let good = text.len() <= 253
        && text.starts_with(allowed)
        && text.ends_with(allowed)
        && text.chars().all(|it| allowed(it) || it == '-' || it == '.');
    match good {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "`{text}` is not a valid name; use lower-case letters, digits, `-` and `.`"
        )),
    }
}
