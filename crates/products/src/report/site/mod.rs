//! The site of a landscape: documents for a browser, and the page that shows them.
//!
//! A [`Landscape`] collects Shoots with forecast and audit, and other objects with findings. [`Landscape::documents`] returns
//! the data of all pages as JSON: bounded ones for the overview, and parts for Projects and Shoots, which pages load when they
//! are opened.

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
pub use documents::SiteDocument;
pub use files::{SiteFile, site_files};
pub use index::SITE_POLICY;
pub use landscape::Landscape;
