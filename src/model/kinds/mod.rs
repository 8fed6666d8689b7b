//! The kinds that the gate knows, and what is kept of their objects.

mod key;
mod kind;
mod object;
mod set;
mod table;

pub use key::{Name, ObjectKey};
pub use kind::{Known, group_and_version};
pub use object::{Form, Kept};
pub use set::Kinds;
pub use table::{GardenObject, Kind};

use kind::{Api, Judged, Row};
