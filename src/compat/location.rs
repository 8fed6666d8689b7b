use std::sync::LazyLock;

use jiff::tz::{TimeZone, TimeZoneDatabase};

/// The database is part of the binary, so that a verdict does not depend on the machine.
static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// Names that Linux distributions install besides the zones of the database.
const EXTRAS: [&str; 2] = ["localtime", "posixrules"];

/// Whether Go's `time.LoadLocation` accepts a name on Linux: empty, `UTC`, `Local`, or a zone in its exact spelling.
#[must_use]
pub fn is_location(name: &str) -> bool {
    if matches!(name, "" | "UTC" | "Local") {
        return true;
    }
    if name.contains("..") || name.starts_with(['/', '\\']) || name.ends_with('/') {
        return false;
    }
    // Go opens a file below the zone directory: `.` and doubled slashes in a path mean nothing there.
    let steps: Vec<&str> = name
        .split('/')
        .filter(|step| !matches!(*step, "" | "."))
        .collect();
    let path = steps.join("/");
    let zone = ["posix/", "right/"]
        .iter()
        .find_map(|copy| path.strip_prefix(copy))
        .unwrap_or(&path);
    EXTRAS.contains(&zone) || is_zone(zone)
}

/// The time zone of a location that Go knows on Linux; what is local there is UTC, as in a container.
#[must_use]
pub fn zone(name: &str) -> Option<TimeZone> {
    if !is_location(name) {
        return None;
    }
    if matches!(name, "" | "UTC" | "Local") || EXTRAS.contains(&name) {
        return Some(TimeZone::UTC);
    }
    let name = name.trim_start_matches("posix/");
    ZONES.get(name.trim_start_matches("right/")).ok()
}

/// Lookup in the database ignores case, Linux does not.
fn is_zone(name: &str) -> bool {
    ZONES
        .get(name)
        .is_ok_and(|zone| zone.iana_name() == Some(name))
}
