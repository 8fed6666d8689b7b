// SPDX-License-Identifier: Apache-2.0
use std::fmt;

/// A part of a Shoot that maintenance changes.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Part {
    /// The Kubernetes version of the Shoot.
    ControlPlane,
    /// The Kubernetes version of a pool that sets its own version.
    Pool {
        /// The name of the pool.
        pool: String,
    },
    /// The machine image of a pool.
    Image {
        /// The name of the pool.
        pool: String,
        /// The name of the image.
        image: String,
    },
    /// A field that a new Kubernetes version does not support, or values in it.
    Field {
        /// The path, for example `spec.addons`.
        path: String,
    },
    /// A credential rotation, or another operation.
    Operation,
}

impl Part {
    /// Returns the pool, if the part belongs to one.
    pub fn pool(&self) -> Option<&str> {
        match self {
            Part::Pool { pool } | Part::Image { pool, .. } => Some(pool),
            Part::ControlPlane | Part::Field { .. } | Part::Operation => None,
        }
    }

    /// Returns the type of part as one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Part::ControlPlane => "control-plane",
            Part::Pool { .. } => "pool",
            Part::Image { .. } => "image",
            Part::Field { .. } => "field",
            Part::Operation => "operation",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::ControlPlane => f.write_str("control plane"),
            Part::Pool { pool } => write!(f, "pool {pool}"),
            Part::Image { pool, image } => write!(f, "pool {pool}, {image}"),
            Part::Field { path } => f.write_str(path),
            Part::Operation => f.write_str("operation"),
        }
    }
}
