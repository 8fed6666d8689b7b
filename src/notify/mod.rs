// SPDX-License-Identifier: Apache-2.0
//! Delivery of messages to the owners of Projects, for the command line and the server.
//!
//! ```text
//! file ─► destinations ─► channels (HTTP, SMTP, folder, Events)
//!                             ▲ one message per Project, at an interval, with retries
//! facts + state ─► delivery ──┘ ─► state saved after each message ─► report
//! ```

mod channel;
mod delivery;
mod destinations;
mod events;
mod failure;
mod folder;
mod http;
mod notifier;
mod place;
mod secret;
mod smtp;
mod store;

pub use channel::{Channel, Resources};
pub use delivery::{Delivery, DeliveryOptions, Report, Undelivered, mark};
pub use destinations::{
    DESTINATIONS, Destination, DestinationFile, destinations_schema, read_destinations,
};
pub use notifier::{Notifier, NotifyOptions};
pub use place::StatePlace;
pub use secret::Secret;
pub use store::{ConfigMapName, Store, StoreError};
