//! Pictures and files of pictures.

mod files;
mod framing;
mod pictures;
mod refusals;
