// SPDX-License-Identifier: Apache-2.0
//! Writes the ES module of a compiled `garden-gate-wasm`: `garden-gate-bindgen FILE.wasm FOLDER`.
//!
//! `wasm-bindgen-cli` does the same with many more dependencies.

use std::env;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1);
    let usage = "usage: garden-gate-bindgen FILE.wasm FOLDER";
    let (input, folder) = arguments.next().zip(arguments.next()).context(usage)?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(&input).web(true)?.typescript(true).omit_default_module_path(true);
    bindgen.reset_state_function(true);
    bindgen.out_name("garden_gate").remove_name_section(true).remove_producers_section(true);
    bindgen.generate(&folder)
}
