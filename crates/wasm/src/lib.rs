// SPDX-License-Identifier: Apache-2.0
//! Verdicts of garden-gate for JavaScript.
//!
//! This crate has no rules: it parses JSON, calls `garden-gate-products`, and returns JSON. Inputs are limited before
//! they are parsed, and every error is an `Error` of JavaScript with a message.

mod code_units;
mod input;
mod markers;
mod schemas;
mod session;

pub use self::schemas::schemas;

use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, throw_str};

use self::input::Error;
use self::session::Session;

/// The beginning of the message of a bug in this module, after which an instance must not be used.
const PANICKED: &str = "garden-gate has failed: ";

fn thrown(error: Error) -> JsError {
    JsError::new(&error.to_string())
}

/// Turns a panic into an error with a message, which would otherwise be a trap without one.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| throw_str(&format!("{PANICKED}{panic}"))));
}

/// A garden with a user and a configuration, kept in memory for many reviews.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GardenSession(Session);

#[wasm_bindgen]
impl GardenSession {
    /// Reads a `SessionInput`.
    ///
    /// # Errors
    /// Fails if the input, the configuration or a policy is not valid, or too large.
    #[wasm_bindgen(constructor)]
    pub fn new(input: &str) -> Result<Self, JsError> {
        Session::new(input).map(Self).map_err(thrown)
    }

    /// Returns the problems of the garden's files as a JSON list.
    ///
    /// # Errors
    /// Never fails for strings.
    pub fn problems(&self) -> Result<String, JsError> {
        self.0.problems().map_err(thrown)
    }

    /// Reviews a `ReviewInput`; returns the document of `review --format json`, and `Details`.
    ///
    /// # Errors
    /// Fails if the input is not valid, or too large.
    pub fn review(&mut self, input: &str, now: f64) -> Result<Vec<String>, JsError> {
        self.0.review(input, now).map(Vec::from).map_err(thrown)
    }

    /// Returns the document of `forecast --format json` for a `ForecastInput`.
    ///
    /// # Errors
    /// Fails if the input is not valid, or too large.
    pub fn forecast(&self, input: &str, now: f64) -> Result<String, JsError> {
        self.0.forecast(input, now).map_err(thrown)
    }

    /// Returns the `HoverText` for a `CursorInput`, or `null`.
    ///
    /// # Errors
    /// Fails if the input is not valid, or too large.
    pub fn hover(&self, input: &str, now: f64) -> Result<String, JsError> {
        self.0.hover(input, now).map_err(thrown)
    }

    /// Returns the `CompletionList` for a `CursorInput`.
    ///
    /// # Errors
    /// Fails if the input is not valid, or too large.
    pub fn complete(&self, input: &str, now: f64) -> Result<String, JsError> {
        self.0.complete(input, now).map_err(thrown)
    }
}

/// Returns the pages of a rule or finding as a JSON list of `RulePage`.
///
/// # Errors
/// Fails if there is none with this id.
#[wasm_bindgen]
pub fn explain(id: &str) -> Result<String, JsError> {
    session::explain(id).map_err(thrown)
}

/// Returns the `Versions` as JSON.
///
/// # Errors
/// Never fails for strings.
#[wasm_bindgen]
pub fn versions() -> Result<String, JsError> {
    session::versions().map_err(thrown)
}

/// Returns the size of the memory in bytes, which does not shrink.
#[wasm_bindgen(js_name = memorySize)]
pub fn memory_size() -> usize {
    #[cfg(target_arch = "wasm32")]
    let pages = core::arch::wasm32::memory_size::<0>();
    #[cfg(not(target_arch = "wasm32"))]
    let pages = 0;
    pages << 16
}
