// SPDX-License-Identifier: Apache-2.0
//! Prints the JSON Schemas of all inputs and results, by the names of the types.

#![expect(clippy::print_stdout, reason = "it is a program")]

fn main() -> serde_json::Result<()> {
    println!("{}", serde_json::to_string_pretty(&garden_gate_wasm::schemas())?);
    Ok(())
}
