// SPDX-License-Identifier: Apache-2.0
//! The `garden-gate` command.

use std::env;
use std::io;
use std::process::ExitCode;

use garden_gate::cli::{self, Arguments, StandardStream};
use garden_gate_products::report::Lines;
#[cfg(unix)]
use mimalloc::MiMalloc;

/// The allocator of musl, which the image is linked with, takes twice as long for a whole request.
///
/// Windows keeps its own: mimalloc relies on pragmas of Microsoft's compiler there.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let words: Vec<_> = env::args_os().collect();
    let arguments = match Arguments::read(&words) {
        Ok(arguments) => arguments,
        Err(error) => match cli::usage_error(&error) {
            Some(complaint) => return fail(&complaint),
            None => return exit(cli::print_help(&error)),
        },
    };
    exit(cli::run(arguments, &mut StandardStream::output()))
}

fn exit(result: anyhow::Result<impl Into<ExitCode>>) -> ExitCode {
    match result {
        Ok(outcome) => outcome.into(),
        Err(error) => fail(&cli::complaint(&error)),
    }
}

/// Ends with a message whose parts are escaped.
fn fail(message: &str) -> ExitCode {
    // If standard error is closed, too, only the exit code reports the failure.
    let _ = Lines::plain(&mut io::stderr()).block(&format!("error: {message}\n"));
    ExitCode::from(2)
}
