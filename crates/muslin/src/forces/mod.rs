//! Forces from outside: gravity enters with the integration, wind has a file of its own.

pub mod wind;
