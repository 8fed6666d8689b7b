use std::fmt::Write as _;

use textwrap::{Options, WordSplitter};

use super::row::{Row, blocker, rows};
use super::totals::{counts, extent};
use crate::forecast::{Class, Outlook, Status, UnknownForecast};
use crate::report::Look;
use garden_gate_text::escape;

const RED: &str = "31";
const YELLOW: &str = "33";
const BOLD: &str = "1";
/// Maximum width of a column; longer cells exceed it.
const WIDEST: usize = 36;
/// Minimum width of wrapped sentences.
const NARROWEST: usize = 40;

/// Formats a forecast as text: by day, one line per event with the reason, and blockers below it.
pub fn forecast_text(outlook: &Outlook, look: Look) -> String {
    let mut page = Page::new(look);
    page.wrapped("", "  ", &extent(outlook));
    page.days(outlook);
    page.section("Stays behind", standings(outlook));
    page.section("To note", remarks(outlook));
    page.section("Not forecast", unforeseen(&outlook.unforeseen));
    page.line("");
    page.wrapped("", "  ", &counts(outlook));
    page.into_text()
}

/// Lines that fit a look. All added strings are escaped.
pub(crate) struct Page {
    look: Look,
    text: String,
}

impl Page {
    pub(crate) fn new(look: Look) -> Self {
        Self { look, text: String::new() }
    }

    pub(crate) fn heading(&mut self, text: &str) {
        let text = self.painted(&escape::value(text), BOLD);
        self.push(&text);
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.push(&escape::value(line));
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Adds a line whose parts are already escaped.
    fn push(&mut self, line: &str) {
        let line =
            if self.look.is_coloured { escape::painted_line(line) } else { escape::line(line) };
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn painted(&self, text: &str, colour: &str) -> String {
        if self.look.is_coloured { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn days(&mut self, outlook: &Outlook) {
        let rows = rows(outlook);
        let widths = Widths::of(&rows);
        let mut day = None;
        for row in &rows {
            if day.replace(row.day()) != Some(row.day()) {
                let head = row.day().strftime("%a %F");
                let head = format!("{head}, {}", row.in_days(outlook.at));
                self.line("");
                self.heading(&head);
            }
            self.row(row, &widths);
        }
    }

    fn row(&mut self, row: &Row<'_>, widths: &Widths) {
        let class = row.class();
        let colour = match row.event.class {
            Class::NoUpdatePossible => Some(RED),
            _ if row.is_blocked() => Some(RED),
            Class::Forced => Some(YELLOW),
            Class::Regular => None,
        };
        let mut head = format!("  {}", row.time());
        for (text, width) in [
            (row.shoot.title(), widths.shoot),
            (row.event.part.to_string(), widths.part),
            (row.change(), widths.change),
        ] {
            let text = escape::value(&text);
            let _infallible = write!(head, "  {text:width$}");
        }
        let length = head.chars().count() + 2 + class.chars().count();
        let painted = colour.map_or_else(|| class.clone(), |colour| self.painted(&class, colour));
        let why = [row.event.cause.clone(), row.effects()];
        let mut why: Vec<String> = why.into_iter().filter(|it| !it.is_empty()).collect();
        why.extend(row.event.oddities.iter().cloned());
        let why = why.join("; ");
        let why = escape::value(&why);
        let pad = widths.class - class.chars().count();
        if length + pad + 2 + why.chars().count() <= self.look.width {
            self.push(&format!("{head}  {painted}{:pad$}  {why}", ""))
        } else {
            self.head(&head, &painted, length);
            self.wrapped("      ", "      ", &why);
        }
        for blocked in row.blockers() {
            self.wrapped("      ", "        ", &blocker(blocked));
            if !blocked.help.is_empty() {
                self.wrapped("        ", "        ", &format!("help: {}", blocked.help));
            }
        }
        if !row.window.unknown.is_empty() && !row.is_blocked() {
            let unknown = row.window.unknown.join("; ");
            let unknown = format!("not certain: {unknown}");
            self.wrapped("      ", "        ", &unknown);
        }
        if !row.advice().is_empty() {
            let advice = format!("advice: {}", row.advice());
            self.wrapped("      ", "        ", &advice);
        }
    }

    /// Adds the line of an event, whose parts are escaped; narrow terminals get two lines.
    fn head(&mut self, head: &str, class: &str, length: usize) {
        if length <= self.look.width {
            return self.push(&format!("{head}  {class}"));
        }
        let columns = head.split("  ").map(str::trim).filter(|it| !it.is_empty());
        let columns: Vec<&str> = columns.collect();
        self.wrap("  ", "    ", &format!("{} {class}", columns.join(" ")));
    }

    pub(crate) fn wrapped(&mut self, first: &str, rest: &str, text: &str) {
        self.wrap(first, rest, &escape::value(text));
    }

    fn wrap(&mut self, first: &str, rest: &str, text: &str) {
        let options = Options::new(self.look.width.max(NARROWEST))
            .initial_indent(first)
            .subsequent_indent(rest)
            // Names are not split, so that users can search for them and copy them.
            .word_splitter(WordSplitter::NoHyphenation)
            .break_words(false);
        for line in textwrap::wrap(text, options) {
            self.push(&line);
        }
    }

    pub(super) fn section(&mut self, title: &str, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        self.line("");
        self.heading(title);
        for line in lines {
            self.wrapped("  ", "    ", &line);
        }
    }
}

/// The widths of the columns, in characters.
struct Widths {
    shoot: usize,
    part: usize,
    change: usize,
    class: usize,
}

impl Widths {
    fn of(rows: &[Row<'_>]) -> Self {
        let widest = |text: fn(&Row<'_>) -> String| {
            let widths = rows.iter().map(|row| text(row).chars().count());
            widths.filter(|it| *it <= WIDEST).max().unwrap_or_default()
        };
        Self {
            shoot: widest(|row| row.shoot.title()),
            part: widest(|row| row.event.part.to_string()),
            change: widest(|row| row.change()),
            class: rows.iter().map(|row| row.class().len()).max().unwrap_or_default(),
        }
    }
}

/// Returns lines for versions that are not updated although a later one exists.
pub(super) fn standings(outlook: &Outlook) -> Vec<String> {
    let shoots = outlook.shoots.iter().flat_map(|shoot| {
        let standings = shoot.forecast.standings.iter();
        let paused = standings.filter(|it| it.status == Status::Paused);
        paused.map(move |it| {
            let (title, part) = (shoot.title(), &it.part);
            format!("{title}, {part} {}: {}", it.version, it.paused)
        })
    });
    shoots.collect()
}

/// Returns the remarks on Shoots.
pub(super) fn remarks(outlook: &Outlook) -> Vec<String> {
    let shoots = outlook.shoots.iter().flat_map(|shoot| {
        let remarks = shoot.forecast.remarks.iter();
        remarks.map(move |remark| format!("{}: {remark}", shoot.title()))
    });
    shoots.collect()
}

/// Returns Shoots without a forecast, with reasons.
pub(super) fn unforeseen<'a>(shoots: impl IntoIterator<Item = &'a UnknownForecast>) -> Vec<String> {
    let shoots = shoots.into_iter();
    shoots.map(|it| format!("{}: {}", it.title(), it.why)).collect()
}
