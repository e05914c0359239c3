//! Scene files: what they say, what they build, what they give.

mod bending_scenes;
mod checkpoints;
mod far_away;
mod goldens;
mod scene_bodies;
mod scene_colliders;
mod scene_paths;
mod scene_properties;
mod scenes;
mod still_air;
