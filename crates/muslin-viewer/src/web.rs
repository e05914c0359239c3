//! The page: what a browser calls.
