// SPDX-License-Identifier: Apache-2.0
//! The pictures: the coloured output of a review, and a screenshot of the forecast page.

use std::fs;

use anstyle_svg::{Term, WIN10_CONSOLE};
use ring::digest::{SHA256, digest};

use crate::docs::{assert_current, gate, root};

const COMMAND: &str = "review --garden examples/garden --old examples/pull-request/before examples/pull-request/after";

#[test]
fn picture_of_a_review_is_current() {
    let mut arguments: Vec<&str> = COMMAND.split(' ').collect();
    arguments.extend(["--no-config", "--color", "always"]);
    let (_, output, _) = gate(&arguments);
    let screen = format!("$ garden-gate {COMMAND}\n{}", output.trim_end());
    let picture = Term::new().palette(WIN10_CONSOLE).render_svg(&screen);
    // Browsers scale only pictures with a view box.
    let (size, rest) = picture.split_once(" xmlns").unwrap();
    let numbers: Vec<&str> = size.split('"').skip(1).step_by(2).collect();
    let [width, height] = numbers[..] else {
        unreachable!("{size}");
    };
    let size = [width, height].map(|it| it.trim_end_matches("px")).join(" ");
    let picture = format!("<svg viewBox=\"0 0 {size}\" width=\"{width}\" xmlns{rest}");
    assert_current(&root().join("docs/pictures/review.svg"), &picture);
}

/// Returns a line of `sha256sum`.
fn sum(name: &str, content: &[u8]) -> String {
    let digits = digest(&SHA256, content);
    let digits = digits.as_ref().iter().map(|byte| format!("{byte:02x}"));
    format!("{}  {name}\n", digits.collect::<String>())
}

/// Fonts differ between machines, so hashes of the page and of the picture are compared instead of pixels.
#[test]
fn picture_of_a_forecast_is_current() {
    let read = |name: &str| fs::read(root().join("docs/pictures").join(name)).unwrap();
    let script = String::from_utf8(read("make")).unwrap();
    let mut commands = script.lines().filter_map(|it| it.strip_prefix("cargo run --quiet -- "));
    let (command, _) = commands.next().unwrap().split_once("=\"$work").unwrap();
    let (_, page, _) = gate(&command.split(' ').collect::<Vec<_>>());
    let page = page.replace("<details>", "<details open>");
    let sums = sum("page.html", page.as_bytes()) + &sum("forecast.png", &read("forecast.png"));
    let recorded = String::from_utf8(read("forecast.sha256")).unwrap();
    assert_eq!(recorded, sums, "run docs/pictures/make");
}
