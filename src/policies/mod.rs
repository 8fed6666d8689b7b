//! Policies of the landscape, written in the Common Expression Language.

pub mod expressions;
