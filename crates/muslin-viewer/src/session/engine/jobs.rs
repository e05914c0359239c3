//! What takes long: opening and building. On a thread of its own where there are threads, while what is open goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use super::super::open::{Opened, OpenedScene, open};
use super::super::playback::Playback;
use super::super::stage::{Carried, Stage};
use super::super::{Doing, Source, edit};
use super::{Content, Engine};
use crate::session::Values;

/// What a job is for.
#[derive(Clone, Debug)]
enum Purpose {
    Open(Source),
    Reload,
    Rebuild,
}

/// What a job has made.
enum Made {
    Stage(Box<Stage>),
    Playback(Box<Playback>),
}

type Work = Box<dyn FnOnce() -> Result<Made, String> + Send>;

enum State {
    /// To be done here, at the next opportunity.
    Waiting(Work),
    /// Being done elsewhere.
    Running(Receiver<Result<Made, String>>),
}

/// A job.
pub(super) struct Job {
    purpose: Purpose,
    state: State,
    /// Whether a frame has said that it is being done.
    is_announced: bool,
}

impl Engine {
    /// Begins to open something else.
    pub(super) fn open(&mut self, source: Source) {
        if source == Source::Empty {
            self.close();
            return;
        }
        let (allow_outside, options) = (self.options.allow_outside, self.stage_options());
        self.doing = Doing::Loading(name_of(&source));
        let own = source.clone();
        self.begin(
            Purpose::Open(source),
            Box::new(move || match open(&own, allow_outside)? {
                Opened::Scene(scene) => Ok(Made::Stage(Box::new(Stage::new(*scene, &options)?))),
                Opened::Recording(recording) => Ok(Made::Playback(Box::new(Playback::new(*recording)?))),
            }),
        );
    }

    fn close(&mut self) {
        (self.content, self.job, self.wanted) = (Content::Nothing, None, None);
        (self.source, self.doing) = (Source::Empty, Doing::Nothing);
        self.watch.forget();
        self.settings = [].into();
        self.history.clear();
        self.measured = Default::default();
        (self.problem, self.pointed) = (None, None);
        self.opened += 1;
    }

    /// Begins to read what is open again.
    pub(super) fn reload(&mut self) {
        if self.source == Source::Empty {
            return;
        }
        let source = self.source.clone();
        self.open(source);
        if let Some(job) = &mut self.job {
            job.purpose = Purpose::Reload;
        }
    }

    /// Begins to build the scene that is wanted.
    pub(super) fn rebuild(&mut self) {
        let Some(wanted) = self.wanted.clone() else { return };
        let options = self.stage_options();
        self.doing = Doing::Rebuilding(wanted.title.clone());
        let work = move || Ok(Made::Stage(Box::new(Stage::new(wanted, &options)?)));
        self.begin(Purpose::Rebuild, Box::new(work));
    }

    fn begin(&mut self, purpose: Purpose, work: Work) {
        let work: Work = Box::new(move || {
            catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(words_of(&*panic)))
        });
        let state = if self.options.has_thread { on_a_thread(work) } else { State::Waiting(work) };
        self.job = Some(Job { purpose, state, is_announced: false });
        self.is_dirty = true;
    }

    /// Goes on with what is being done, and takes over what is finished.
    pub(super) fn work(&mut self) {
        let Some(mut job) = self.job.take() else { return };
        let result = match job.state {
            State::Waiting(work) if job.is_announced => work(),
            State::Waiting(work) => {
                // A page shows first that it is at work.
                (job.state, job.is_announced) = (State::Waiting(work), true);
                self.job = Some(job);
                return;
            }
            State::Running(receiver) => match receiver.try_recv() {
                Ok(result) => result,
                Err(TryRecvError::Disconnected) => Err("it ended without a word".to_owned()),
                Err(TryRecvError::Empty) => {
                    job.state = State::Running(receiver);
                    self.job = Some(job);
                    return;
                }
            },
        };
        self.doing = Doing::Nothing;
        self.is_dirty = true;
        match (job.purpose, result) {
            (Purpose::Rebuild, Ok(Made::Stage(stage))) => self.take_rebuilt(stage),
            (Purpose::Rebuild, Ok(_)) => {}
            (Purpose::Rebuild, Err(problem)) => {
                self.problem = Some(problem);
                if let Content::Stage(stage) = &self.content {
                    let opened = stage.opened.clone();
                    self.want(opened);
                }
            }
            (Purpose::Open(source), Ok(made)) => {
                self.source = source;
                self.opened += 1;
                self.values = Values::None;
                self.is_playing = self.options.plays;
                self.take_over(made);
            }
            (Purpose::Reload, Ok(made)) => self.take_over(made),
            (purpose, Err(problem)) => {
                // The file that is wrong is watched too: it may be mended.
                if let (Purpose::Open(source), Content::Nothing) = (&purpose, &self.content) {
                    self.source = source.clone();
                    self.watch.watch_source(source);
                }
                self.problem = Some(problem);
            }
        }
    }

    /// Shows something else.
    fn take_over(&mut self, made: Made) {
        let had_changes = self.wanted.as_ref().is_some_and(|wanted| wanted.text != wanted.original);
        (self.problem, self.notice, self.pointed) = (None, None, None);
        self.history.clear();
        self.unmeasured = [0.0; 2];
        self.measured = Default::default();
        self.is_carried = false;
        self.pace.forget();
        match made {
            Made::Stage(mut stage) => {
                if let Content::Stage(old) = &self.content {
                    stage.share_with(old);
                    if had_changes && old.opened.title == stage.opened.title {
                        self.notice = Some("changes that were made here are gone".to_owned());
                    }
                }
                self.watch.watch(&stage.opened.watched);
                self.want(stage.opened.clone());
                self.content = Content::Stage(stage);
            }
            Made::Playback(playback) => {
                self.watch.forget();
                self.wanted = None;
                self.settings = [].into();
                self.content = Content::Playback(playback);
            }
        }
        self.measure();
    }

    fn take_rebuilt(&mut self, mut stage: Box<Stage>) {
        let Content::Stage(old) = &mut self.content else { return };
        match stage.go_on_from(old) {
            Carried::On => self.is_carried = true,
            Carried::Anew(reason) => {
                self.notice = Some(format!("it begins at the start, because {reason}"));
                self.history.clear();
            }
        }
        self.problem = None;
        self.pointed = None;
        self.content = Content::Stage(stage);
        self.measure();
        if let Err(problem) = self.follow() {
            self.problem = Some(problem);
        }
    }

    /// What the scene is to be from now on, with the settings of that.
    pub(super) fn want(&mut self, scene: OpenedScene) {
        self.settings = edit::settings(&scene).into();
        self.wanted = Some(scene);
    }

    /// Reads the files again if they have changed.
    pub(super) fn watch_files(&mut self, seconds: f64) {
        if self.watch.has_changed(seconds) && self.job.is_none() {
            self.reload();
        }
    }
}

fn on_a_thread(work: Work) -> State {
    let (sender, receiver) = channel();
    // If there are no more threads to be had, the work is lost with it: the receiver then says so.
    let spawned = std::thread::Builder::new().name("muslin-build".to_owned()).spawn(move || {
        // Who asked may be gone.
        let _ = sender.send(work());
    });
    drop(spawned);
    State::Running(receiver)
}

fn name_of(source: &Source) -> String {
    match source {
        Source::Empty => String::new(),
        Source::Gallery(name) | Source::Text { name, .. } => name.clone(),
        Source::Path(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        Source::Files(files) => files.first().map(|file| file.name.clone()).unwrap_or_default(),
    }
}

/// What a panic says, for users.
pub fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    format!("an error within Muslin, which should not be: {text}")
}
