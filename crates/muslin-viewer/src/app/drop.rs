//! Files dropped on the window: handles in, a source out. In a page they have to be read first, which takes a moment.

use std::sync::{Arc, Mutex, PoisonError};

use egui::DroppedFileHandle;

use crate::session::Source;

/// What was dropped and is ready to be opened, or why not.
#[derive(Clone, Debug, Default)]
pub struct Inbox(Arc<Mutex<Vec<Result<Source, String>>>>);

impl Inbox {
    /// What has arrived.
    pub fn take(&self) -> Vec<Result<Source, String>> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn put(&self, source: Result<Source, String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(source);
    }

    /// Takes files: one of them is opened, a scene if there is one. Where it lies, so that it is watched.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn drop(&self, files: &[DroppedFileHandle], _context: &egui::Context) {
        let is_scene = |file: &&DroppedFileHandle| file.path().extension().is_some_and(|end| end == "toml");
        if let Some(file) = files.iter().find(is_scene).or(files.first()) {
            self.put(Ok(Source::Path(file.path().to_path_buf())));
        }
    }

    /// Begins to read files.
    #[cfg(target_arch = "wasm32")]
    pub fn drop(&self, files: &[DroppedFileHandle], context: &egui::Context) {
        use crate::session::Dropped;
        if files.is_empty() {
            return;
        }
        let (files, inbox, context) = (files.to_vec(), self.clone(), context.clone());
        wasm_bindgen_futures::spawn_local(async move {
            let mut read = Vec::new();
            for file in &files {
                let name = file.path().display().to_string();
                match file.bytes_async().await {
                    Ok(content) => read.push(Dropped { name, content: content.into() }),
                    Err(error) => inbox.put(Err(format!("{name} cannot be read: {error}"))),
                }
            }
            if !read.is_empty() {
                inbox.put(Ok(Source::Files(read)));
            }
            context.request_repaint();
        });
    }
}
