//! Mesh files, ours and those of others.

mod formats;
mod mesh_collection;
mod readers;
