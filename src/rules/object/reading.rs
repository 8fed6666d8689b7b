use super::super::names::short;
use crate::engine::{Context, FieldPath, FindingKind, Findings, Kind};
use crate::fields::{Described, Slip, Step, described, read_strictly};

/// So many of a kind are listed; a text that is wrong in more places is wrong as a whole.
const LISTED: usize = 20;

/// The kind that the request is about.
pub(super) fn kind(context: &Context<'_>) -> Option<Kind> {
    let resource = &context.request.resource;
    Kind::of_resource(&resource.group, &resource.version, &resource.resource)
}

/// Reads the object of the request strictly; `report` is told each mistake, and the kind of the object.
pub(super) fn read<'a>(
    context: &Context<'a>,
    mut report: impl FnMut(&'static Described, &[Step<'a>], Slip<'a>),
) {
    let described = kind(context).and_then(|kind| described(kind.as_str()));
    let (Some(described), Some(object)) = (described, context.request.object) else {
        return;
    };
    read_strictly(object.get(), described.object, &mut |path, slip| {
        report(described, path, slip);
    });
}

/// Where a mistake is; a name without end is left out, so that the place is what it stands in.
pub(super) fn path(steps: &[Step<'_>]) -> FieldPath {
    steps
        .iter()
        .fold(FieldPath::root(), |path, step| match step {
            Step::Field(name) => path.child(name),
            Step::Unknown(name) if short(name) == *name => path.child(name),
            Step::Key(name) if short(name) == *name => path.key(name),
            Step::Unknown(_) | Step::Key(_) => path,
            Step::Index(index) => path.index(*index),
        })
}

/// Counts what is found and says what is to be listed.
#[derive(Debug, Default)]
pub(super) struct Count(usize);

impl Count {
    /// Whether one more is to be listed.
    pub(super) fn lists_one_more(&mut self) -> bool {
        self.0 += 1;
        self.0 <= LISTED
    }

    /// Tells how many there are, if not all are listed.
    pub(super) fn tell(self, kind: &'static FindingKind, findings: &mut Findings) {
        let count = self.0;
        if count > LISTED {
            let message = format!("there are {count} of these; only the first {LISTED} are listed");
            findings
                .invalid(kind, FieldPath::root(), message)
                .help("correct these first; the others are listed then");
        }
    }
}
