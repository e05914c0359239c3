//! What collides, at any speed and from any start. One program for many files: each program links the whole library.

mod ccd_benchmark;
mod coarse_collisions;
mod collisions;
mod friction;
mod quarantine;
mod starts;
