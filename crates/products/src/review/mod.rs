// SPDX-License-Identifier: Apache-2.0
//! Reviews of manifests: the verdicts of an API server with garden-gate, before anything is applied.
//!
//! A [`Reviewer`] takes texts and returns judged objects with positions and fixes. The other modules are its parts, for callers that
//! find manifests and old states by themselves.
//!
//! # Example
//!
//! ```
//! use garden_gate_core::admission::Verdict;
//! use garden_gate_core::config::Config;
//! use garden_gate_products::report::Outcome;
//! use garden_gate_products::review::{Garden, Manifest, Reviewer};
//!
//! let projects = include_str!("../../../../examples/garden/projects.yaml");
//! let profile = include_str!("../../../../examples/garden/cloudprofile.yaml");
//! let texts = [("projects.yaml", projects), ("cloudprofile.yaml", profile)];
//! let garden = Garden::new("garden", texts, false);
//!
//! let shoot = include_str!("../../../../examples/manifests/shoot-denied.yaml");
//! let config = Config::default();
//! let reviewer = Reviewer::new(&garden, &config, "2026-12-01T00:00:00Z".parse()?);
//! let reviewed = reviewer.review([Manifest::new("shoot.yaml", shoot)])?;
//!
//! let object = &reviewed.objects[0];
//! assert_eq!(object.heading(), "CREATE of Shoot garden-dev/sneaky");
//! assert_eq!(object.verdict(), Verdict::Denied);
//! let Outcome::Judged(review, excerpts) = &object.outcome else { panic!("it can be read") };
//! assert_eq!(review.findings[0].field, "spec.tolerations[0]");
//! assert_eq!(excerpts[0].position.line, 17);
//! let json = String::from_utf8(reviewed.json()?)?;
//! assert!(json.contains(r#""verdict": "denied""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod applied;
pub mod change;
pub mod change_set;
mod completion;
pub mod credentials;
pub mod duplicates;
mod file_documents;
pub mod fixes;
mod garden;
mod gardenadm;
mod kind_suggestions;
mod other_objects;
pub mod parameters;
mod plans;
mod profile_shoots;
mod reviewer;
pub mod silences;
pub mod subject;
mod template;

pub use completion::{Completion, Surroundings, is_complete, leave_out, need_namespaces};
pub use garden::Garden;
pub use gardenadm::{GardenadmDirectory, disable_rule_of_garden};
pub use other_objects::OtherObjects;
pub use plans::{OtherShoots, PlannedChange, change_plan};
pub use profile_shoots::{ProfileShoots, shoot_filter};
pub use reviewer::{Manifest, ReviewedManifests, Reviewer};
pub use subject::Subject;
