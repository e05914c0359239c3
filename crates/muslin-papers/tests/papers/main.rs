//! A small version of each table and figure.

mod anonymous;
mod bender2009;
mod bender2013;
mod kelager2010;
mod report;
mod schmitt2013;
