//! TODO

