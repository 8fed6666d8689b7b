//! The site of a landscape: documents for a browser, and the page that shows them.
//!
//! A [`LandscapeBuilder`] collects Shoots with forecast and audit, and other objects with findings. [`Site::files`] has the page and
//! its data as JSON: bounded documents for the overview, and parts for Projects and Shoots, which browsers load when they are opened.

mod builder;
mod documents;
mod files;
mod finding;
mod findings;
mod groups;
mod index;
mod landscape;
mod object;
mod overview;
mod projects;
mod rules;
mod script;
mod shoot;
mod versions;

pub use builder::{Collecting, LandscapeBuilder, SitePart};
pub use documents::Site;
pub use files::SiteFile;
pub(super) use groups::AllGroups;
pub use index::SITE_POLICY;
pub use landscape::Landscape;
pub(super) use landscape::{SiteObject, SiteShoot};
