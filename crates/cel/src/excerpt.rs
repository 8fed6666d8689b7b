// SPDX-License-Identifier: Apache-2.0
use std::fmt::{self, Write};

/// Maximum length of a value in a message, in bytes.
const LONGEST: usize = 2048;

/// A string that accepts no more than [`LONGEST`] bytes.
struct Excerpt(String);

impl Write for Excerpt {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let rest = LONGEST.saturating_sub(self.0.len());
        if text.len() <= rest {
            self.0.push_str(text);
            return Ok(());
        }
        let kept = text.floor_char_boundary(rest);
        self.0.push_str(text.get(..kept).unwrap_or_default());
        // Ends the printing of the value.
        Err(fmt::Error)
    }
}

/// Prints the beginning of a value, for messages; the time does not depend on the size of the value.
pub(super) fn excerpt(value: &impl fmt::Display) -> String {
    let mut excerpt = Excerpt(String::new());
    match write!(excerpt, "{value}") {
        Ok(()) => excerpt.0,
        Err(fmt::Error) => excerpt.0 + "…",
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, excerpt};
    use crate::Value;

    #[test]
    fn excerpt_is_bounded() {
        assert_eq!(excerpt(&Value::from("short")), "short");
        let long = Value::from("ä".repeat(LONGEST));
        assert_eq!(excerpt(&long).len(), LONGEST + "…".len());
        let list = Value::list(vec![long; 100_000]);
        assert!(excerpt(&list).len() <= LONGEST + "…".len());
    }
}
