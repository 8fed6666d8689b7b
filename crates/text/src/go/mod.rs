// SPDX-License-Identifier: Apache-2.0
//! Reimplementations of Go and Kubernetes behaviour, verified with recorded answers of the original.

mod base64;
mod cidr;
mod compare;
mod constraint;
mod cron;
mod duration;
mod label;
mod location;
mod number;
mod quantity;
mod regexp;
mod selector;
mod semver;
mod ssh;
mod time;
mod truncate;
mod url;
mod uuid;

pub use base64::{base64_error, config_key_error, decoded_base64, is_json_object};
pub use cidr::{Network, is_network, is_strict_address, is_strict_network, networks_intersect};
pub use compare::{CompareError, VersionTest, compare_versions, is_at_least, is_before};
pub use constraint::{Constraint, ConstraintError};
pub use cron::CronSchedule;
pub use duration::{go_duration, parse_duration};
pub use label::{dns_label_error, dns_subdomain_error, label_value_error, qualified_name_error};
pub use location::{is_location, zone};
pub use number::{atoi, parse_bool, whole};
pub use quantity::{Quantity, QuantityError};
pub use regexp::{is_quoted_posix_regexp, is_regexp};
pub use selector::Selector;
pub use semver::{Version, VersionError};
pub use ssh::is_ssh_public_key;
pub use time::{parse_local_time, parse_time};
pub use truncate::{and_more, clip};
pub use url::Url;
pub use uuid::is_uuid;
