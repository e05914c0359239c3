//! Changed settings: at once where the world can, else by a world that is built anew.

use super::super::{SettingValue, edit};
use super::{Content, Engine};

impl Engine {
    /// Changes a setting, or takes it out of the scene.
    pub(super) fn set(&mut self, key: &str, value: Option<&SettingValue>) -> Result<(), String> {
        let wanted = self.wanted.as_ref().ok_or("there is no scene to be changed")?;
        let text = edit::set(wanted, key, value)?;
        self.change(&text)
    }

    /// Undoes all changes.
    pub(super) fn unset_all(&mut self) -> Result<(), String> {
        let Some(wanted) = &self.wanted else { return Ok(()) };
        let text = wanted.original.clone();
        self.change(&text)
    }

    fn change(&mut self, text: &str) -> Result<(), String> {
        let Some(wanted) = &self.wanted else { return Ok(()) };
        if *wanted.text == *text {
            return Ok(());
        }
        let changed = wanted.with_text(text)?;
        let before = wanted.clone();
        self.want(changed);
        self.problem = None;
        self.follow().inspect_err(|_| self.want(before))
    }

    /// Brings the world to what is wanted.
    pub(super) fn follow(&mut self) -> Result<(), String> {
        let (Some(wanted), Content::Stage(stage)) = (&self.wanted, &mut self.content) else { return Ok(()) };
        // What is being built is followed once it is there.
        if stage.opened.text == wanted.text || self.job.is_some() {
            return Ok(());
        }
        if !stage.change_to(wanted)? {
            self.rebuild();
        }
        Ok(())
    }
}
