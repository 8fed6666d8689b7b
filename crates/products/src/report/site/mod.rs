// SPDX-License-Identifier: Apache-2.0
//! The site of a landscape: documents for a browser, and the page that shows them.
//!
//! A [`LandscapeBuilder`] collects Shoots with forecast and audit, and other objects with findings. [`Site::files`] has the page and
//! its data as JSON: bounded documents for the overview, and parts for Projects and Shoots, which browsers load when they are opened.
//! Servers answer with single [`Documents`] instead.

mod builder;
mod documents;
mod files;
mod finding;
mod findings;
mod groups;
mod index;
mod landscape;
mod naming;
mod object;
mod overview;
mod playground;
mod projects;
mod rules;
mod schema;
mod script;
mod shoot;
mod text;
mod versions;

pub use builder::{Collecting, LandscapeBuilder, Lookups, SitePart};
pub use documents::{Documents, Site};
pub use files::SiteFile;
pub(super) use groups::AllGroups;
pub use index::SITE_POLICY;
pub use landscape::Landscape;
pub(super) use landscape::{SiteObject, SiteShoot};
pub use naming::Naming;
pub use playground::{PLAYGROUND_POLICY, Playground};
pub(super) use schema::schema;
pub use script::{STYLE as SITE_STYLE, script as site_script};
