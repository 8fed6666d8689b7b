// SPDX-License-Identifier: Apache-2.0
use super::base64::decoded_base64;

/// Reports whether a string has a public key in the format of `authorized_keys`.
///
/// Mirrors ParseAuthorizedKey in `golang.org/x/crypto/ssh`; of an elliptic curve only the length of the point is checked.
pub fn is_ssh_public_key(text: &str) -> bool {
    text.split('\n').map(str::trim).any(is_key_line)
}

fn is_key_line(line: &str) -> bool {
    if line.is_empty() || line.starts_with('#') {
        return false;
    }
    let Some((_, rest)) = line.split_once([' ', '\t']) else {
        return false;
    };
    // Options may precede the type of the key.
    is_key(rest)
        || after_options(line)
            .and_then(|it| it.split_once([' ', '\t']))
            .is_some_and(|(_, rest)| is_key(rest))
}

/// Returns the text after the options at the begin of a line, which may be quoted.
fn after_options(line: &str) -> Option<&str> {
    let (mut is_quoted, mut before) = (false, '\0');
    for (index, character) in line.char_indices() {
        match character {
            ' ' | '\t' if !is_quoted => return Some(line[index..].trim_start_matches([' ', '\t'])),
            '"' if before != '\\' => is_quoted = !is_quoted,
            _ => {}
        }
        before = character;
    }
    None
}

/// Reports whether a text begins with a key in base64.
fn is_key(text: &str) -> bool {
    let key = text.trim().split([' ', '\t']).next().unwrap_or_default();
    decoded_base64(key).is_some_and(|key| is_key_in_wire_format(&key))
}

fn is_key_in_wire_format(key: &[u8]) -> bool {
    let mut reader = Reader(key);
    let Some(algorithm) = reader.string() else {
        return false;
    };
    let mut read = |count: usize| (0..count).all(|_| reader.string().is_some());
    let is_read = match algorithm {
        b"ssh-rsa" => return is_rsa(reader),
        b"ssh-dss" => read(4),
        b"ssh-ed25519" => {
            return reader.string().is_some_and(|it| it.len() == 32) && reader.0.is_empty();
        }
        b"sk-ssh-ed25519@openssh.com" => {
            let has_point = reader.string().is_some_and(|it| it.len() == 32);
            has_point && reader.string().is_some()
        }
        b"ecdsa-sha2-nistp256" => is_point(&mut reader, b"nistp256", 32),
        b"ecdsa-sha2-nistp384" => is_point(&mut reader, b"nistp384", 48),
        b"ecdsa-sha2-nistp521" => is_point(&mut reader, b"nistp521", 66),
        b"sk-ecdsa-sha2-nistp256@openssh.com" => {
            is_point(&mut reader, b"nistp256", 32) && reader.string().is_some()
        }
        // The contents of certificates are not checked.
        other => return other.ends_with(b"-cert-v01@openssh.com"),
    };
    is_read && reader.0.is_empty()
}

/// Checks the exponent, which is an odd number from 3 on of at most 24 bits, and the modulus.
fn is_rsa(mut reader: Reader<'_>) -> bool {
    let (Some(exponent), Some(_)) = (reader.string(), reader.string()) else {
        return false;
    };
    let is_negative = exponent.first().is_some_and(|it| it & 0x80 != 0);
    let digits = exponent.iter().skip_while(|it| **it == 0);
    let is_small = digits.clone().count() <= 3;
    let number = digits.take(4).fold(0_u32, |number, it| number << 8 | u32::from(*it));
    !is_negative && is_small && number >= 3 && number & 1 == 1 && reader.0.is_empty()
}

fn is_point(reader: &mut Reader<'_>, curve: &[u8], bytes: usize) -> bool {
    let is_curve = reader.string() == Some(curve);
    let point = reader.string();
    is_curve && point.is_some_and(|it| it.len() == 1 + 2 * bytes && it.first() == Some(&4))
}

/// A text in the wire format of SSH.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Reads a string that follows its length.
    fn string(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.0.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (string, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some(string)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_ssh_public_key;

    const KEY: &str =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKVNyhglMLsdbRMs3tYjey7ZHj9yH8sZcRdElNZJPJ1c";

    #[rstest]
    #[case::key(KEY.to_owned(), true)]
    #[case::comment(format!("{KEY} me@example.com"), true)]
    #[case::options(format!("from=\"a b\",no-pty {KEY}"), true)]
    #[case::later_line(format!("# my key\n\n{KEY}"), true)]
    #[case::other_type(KEY.replace("ssh-ed25519", "ssh-rsa"), true)]
    #[case::cut(KEY[..KEY.len() - 4].to_owned(), false)]
    #[case::longer(format!("{KEY}AAAA"), false)]
    #[case::only_base64(KEY[12..].to_owned(), false)]
    #[case::word("ssh-ed25519 abc".to_owned(), false)]
    #[case::nothing(String::new(), false)]
    fn public_keys(#[case] text: String, #[case] expected: bool) {
        assert_eq!(is_ssh_public_key(&text), expected);
    }
}
