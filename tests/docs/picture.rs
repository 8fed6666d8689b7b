//! The picture of the README: the coloured output of a review.

use anstyle_svg::{Term, WIN10_CONSOLE};

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
    let size = [width, height]
        .map(|it| it.trim_end_matches("px"))
        .join(" ");
    let picture = format!("<svg viewBox=\"0 0 {size}\" width=\"{width}\" xmlns{rest}");
    assert_current(&root().join("docs/pictures/review.svg"), &picture);
}
