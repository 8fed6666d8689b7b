// SPDX-License-Identifier: Apache-2.0
use std::path::{Path, PathBuf};
use std::{env, fmt};

use anyhow::{Context as _, anyhow, bail};
use schemars::JsonSchema;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files;

/// Maximum size of a secret in bytes.
const SIZE: usize = 64 << 10;
/// Minimum length of a part of a URL that is hidden in messages.
const SHORTEST: usize = 4;
/// Length from which a part of a path without digits and capital letters is hidden, too.
const RANDOM: usize = 12;
const HIDDEN: &str = "***";

/// A secret that is never printed.
#[derive(Clone, Eq, PartialEq)]
pub struct Secret(String);

/// The place of a secret: a file or an environment variable.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum SecretSource {
    /// The file, relative to the file of destinations.
    File(PathBuf),
    /// The environment variable.
    Env(String),
}

impl<'de> Deserialize<'de> for SecretSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Errors of serde would quote a secret that is written here.
        let value = Value::deserialize(deserializer)?;
        let fields = value.as_object().filter(|it| it.len() == 1);
        let field = |name: &str| Some(fields?.get(name)?.as_str()?.to_owned());
        match (field("file"), field("env")) {
            (Some(place), _) | (_, Some(place)) if place.contains("://") => Err(D::Error::custom(
                "a URL is a secret, which is read from elsewhere: write `{file: PATH}` or `{env: NAME}`",
            )),
            (Some(file), _) => Ok(Self::File(file.into())),
            (_, Some(name)) => Ok(Self::Env(name)),
            _ => Err(D::Error::custom(
                "a secret is read from elsewhere: write `{file: PATH}` or `{env: NAME}`",
            )),
        }
    }
}

impl SecretSource {
    /// Reads the secret; white space around it is removed.
    ///
    /// # Errors
    /// Fails if it cannot be read, is empty or is too large.
    pub(super) fn read(&self, folder: &Path) -> anyhow::Result<Secret> {
        let text = match self {
            Self::File(path) => {
                let path = folder.join(path);
                let bytes = files::read(&path).map_err(|problem| anyhow!("{problem}"))?;
                let text = String::from_utf8(bytes);
                text.ok().with_context(|| format!("`{}` is not UTF-8", path.display()))?
            }
            Self::Env(name) => match env::var(name) {
                Ok(text) => text,
                Err(_) => bail!("the environment variable `{name}` is not set, or is not UTF-8"),
            },
        };
        let text = text.trim();
        if text.contains(['\n', '\r']) {
            bail!("{self} has more than one line");
        }
        match text.len() {
            0 => bail!("{self} is empty"),
            SIZE.. => bail!("{self} has more than {SIZE} bytes"),
            _ => Ok(Secret(text.to_owned())),
        }
    }
}

impl fmt::Display for SecretSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "`{}`", path.display()),
            Self::Env(name) => write!(f, "the environment variable `{name}`"),
        }
    }
}

impl Secret {
    /// Returns the secret, for the receiver only.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }

    /// Reports whether a word is part of the secret.
    pub(super) fn contains(&self, word: &str) -> bool {
        self.0.to_ascii_lowercase().contains(word)
    }

    /// Replaces the secret, the parts of a URL that may be secret, and the token of an `authorization`, in a text.
    pub(super) fn redact(&self, text: &str) -> String {
        let mut text = text.replace(&self.0, HIDDEN);
        for part in self.parts() {
            text = text.replace(part, HIDDEN);
        }
        text
    }

    /// Returns the path of a URL with its parameters, their values, and the random parts of the path, longest first.
    /// Of other secrets, returns all words but the first one.
    fn parts(&self) -> Vec<&str> {
        let Some((_, rest)) = self.0.split_once("://") else {
            let words = self.0.split_whitespace().skip(1);
            return words.filter(|it| it.len() >= SHORTEST).collect();
        };
        let whole = rest.find('/').map(|at| &rest[at..]).unwrap_or_default();
        let (path, query) = whole.split_once(['?', '#']).unwrap_or((whole, ""));
        let is_random = |it: &&str| {
            it.len() >= RANDOM
                || it.bytes().any(|it| it.is_ascii_digit() || it.is_ascii_uppercase())
        };
        let values = query.split('&').map(|it| it.split_once('=').map_or(it, |(_, value)| value));
        let mut parts: Vec<&str> = path
            .split('/')
            .filter(is_random)
            .chain(values)
            .chain([whole])
            .filter(|it| it.len() >= SHORTEST)
            .collect();
        parts.sort_by_key(|it| std::cmp::Reverse(it.len()));
        parts
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Secret, SecretSource};

    #[rstest]
    #[case::value("s3cr3t", "a s3cr3t b", "a *** b")]
    #[case::token("Bearer abcd.ef", "not abcd.ef, Bearer", "not ***, Bearer")]
    #[case::url("https://e/hooks/abc1?k=word", "no hooks/abc1 or word", "no hooks/*** or ***")]
    #[case::whole_url("https://e/abcdef", "GET https://e/abcdef: no", "GET ***: no")]
    fn a_secret_is_redacted(#[case] secret: &str, #[case] text: &str, #[case] want: &str) {
        assert_eq!(Secret(secret.to_owned()).redact(text), want);
        assert_eq!(format!("{:?}", Secret(secret.to_owned())), "***");
    }

    #[rstest]
    #[case(r#""https://e/secret""#)]
    #[case(r#"{"value": "secret"}"#)]
    #[case(r#"{"file": {"secret": 1}}"#)]
    #[case(r#"{"file": "https://e/secret"}"#)]
    #[case(r#"{"env": "https://e/secret"}"#)]
    #[case(r#"{"file": "a", "env": "secret"}"#)]
    fn a_secret_in_the_file_is_refused_without_a_quote(#[case] json: &str) {
        let error = serde_json::from_str::<SecretSource>(json).unwrap_err().to_string();
        assert!(error.contains("read from elsewhere") && !error.contains("secret\""), "{error}");
        assert!(!error.contains("https"), "{error}");
    }
}
