//! Bending resistance. Each model is one file.

pub(crate) mod explicit;
pub(crate) mod quadratic;
