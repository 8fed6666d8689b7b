use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError};

use super::build::{Builder, too_deep};
use super::{Position, SourceError, scalar, whitespace};

/// Parses a YAML text and passes its events to `builder`.
pub(super) fn read(text: &str, builder: &mut Builder) -> Result<(), SourceError> {
    // The parser reports the end of a text as a separate line, even if the last line has no line break.
    let end = Position::START.after(text);
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| whitespace::blame(syntax(&error, end), text))?;
        let position = position(span.start).min(end);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain;
                let scalar = scalar::scalar(&text, plain, tag.as_deref())
                    .map_err(|message| SourceError::new(position, message))?;
                builder.scalar(scalar, position, anchor)?;
            }
            Event::SequenceStart(anchor, _) => builder.open_sequence(position, anchor)?,
            Event::MappingStart(anchor, _) => builder.open_mapping(position, anchor)?,
            Event::SequenceEnd | Event::MappingEnd => builder.close()?,
            Event::Alias(anchor) => builder.alias(anchor, position)?,
            Event::DocumentEnd => builder.end_document(),
            Event::StreamEnd => break,
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => {}
        }
    }
    Ok(())
}

fn position(marker: Marker) -> Position {
    Position {
        line: marker.line(),
        column: marker.col() + 1,
    }
}

fn syntax(error: &ScanError, end: Position) -> SourceError {
    let position = position(*error.marker()).min(end);
    match error.info() {
        "recursion limit exceeded" => too_deep(position),
        info => SourceError::new(position, info),
    }
}
