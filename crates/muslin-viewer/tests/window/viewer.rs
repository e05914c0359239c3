//! The viewer as a process on a display: what it reports, and input at the places that it reports.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::display::{Display, SIZE};

/// How long anything may take that has to happen. Software draws, on machines that do other things, too.
const PATIENCE: Duration = Duration::from_secs(120);

/// A window that is open.
pub struct Viewer {
    program: Child,
    /// Where it is open.
    pub display: Display,
    /// A folder of its own: it is started there, and what it saves lands there.
    pub folder: PathBuf,
}

impl Viewer {
    /// Opens it, and waits for its first picture.
    pub fn open(name: &str, arguments: &[&str]) -> Self {
        let folder = std::env::temp_dir().join(format!("muslin-window-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let display = Display::start(folder.clone());
        let program = Command::new(env!("CARGO_BIN_EXE_muslin-viewer"))
            .args(arguments)
            .args(["--report", "state.json"])
            .current_dir(&folder)
            .env("DISPLAY", &display.name)
            .env_remove("WAYLAND_DISPLAY")
            .spawn()
            .expect("the viewer starts");
        let viewer = Self { program, display, folder };
        viewer.wait("a picture", |state| state["pictures_drawn"].as_u64() > Some(0));
        // Nobody manages windows here, so nobody else gives it the keys.
        viewer.display.input(&[
            "search",
            "--sync",
            "--onlyvisible",
            "--name",
            "Muslin",
            "windowfocus",
            "--sync",
        ]);
        viewer
    }

    /// What it reported last.
    pub fn state(&self) -> Value {
        let text = fs::read_to_string(self.folder.join("state.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Waits until the state is as it is to be, and gives it.
    pub fn wait(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let state = self.state();
            if !state.is_null() && is_so(&state) {
                return state;
            }
            assert!(start.elapsed() < PATIENCE, "no {what} in {PATIENCE:?}; {}", summary(&state));
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The middle of a widget.
    pub fn middle_of(&self, name: &str) -> [i32; 2] {
        // A menu finds its place in its first pictures: until it is where it was.
        let mut last = None;
        loop {
            let state = self.wait(name, |state| rect(state, name).is_some());
            let found = rect(&state, name);
            if found == last {
                let [x, y, width, height] = found.expect("it was there");
                let middle = [(x + 0.5 * width) as i32, (y + 0.5 * height) as i32];
                assert!(middle[1] < SIZE[1] as i32, "{name} is scrolled out of the window: {middle:?}");
                return middle;
            }
            last = found;
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Clicks on a widget.
    pub fn click(&self, name: &str) {
        self.point(self.middle_of(name));
        self.display.input(&["click", "1"]);
    }

    /// Moves the mouse.
    pub fn point(&self, [x, y]: [i32; 2]) {
        self.display.input(&["mousemove", "--sync", &x.to_string(), &y.to_string()]);
    }

    /// Presses a key; its name as in X.
    pub fn press(&self, key: &str) {
        self.display.input(&["key", key]);
    }

    /// Closes the window by its menu; it has to end well.
    pub fn close(mut self) {
        self.click("File");
        self.click("Quit");
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.program.try_wait().expect("a process") {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "the window does not close");
            std::thread::sleep(Duration::from_millis(20));
        };
        assert_eq!(status.code(), Some(0));
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Where a widget is that can be used: left, top, width, height.
fn rect(state: &Value, name: &str) -> Option<[f64; 4]> {
    let widgets = state["widgets"].as_array()?;
    let mut found =
        widgets.iter().filter(|w| w["name"] == name && w["role"] != "Label" && w["role"] != "TextRun");
    serde_json::from_value(found.next()?["rect"].clone()).ok()
}

/// A state without its widgets and vertices, to be read by people.
fn summary(state: &Value) -> String {
    let Some(all) = state.as_object() else { return "nothing was reported".to_owned() };
    let long = ["widgets", "sheets", "settings", "solids"];
    let short = all.iter().filter(|(name, _)| !long.contains(&name.as_str()));
    short.map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join(", ")
}

/// A place of cloth that is seen, in the window: the one nearest to a share of the picture.
pub fn seen(state: &Value, [x, y]: [f64; 2]) -> [i32; 2] {
    let picture: [f64; 4] = serde_json::from_value(state["picture"].clone()).expect("a picture");
    let wanted = [picture[0] + x * picture[2], picture[1] + y * picture[3]];
    let off = |at: &[f64; 2]| (at[0] - wanted[0]).hypot(at[1] - wanted[1]);
    let samples = state["sheets"][0]["samples"].as_array().expect("samples");
    let seen =
        samples.iter().filter_map(|sample| serde_json::from_value::<[f64; 2]>(sample["at"].clone()).ok());
    let at = seen.min_by(|a, b| off(a).total_cmp(&off(b))).expect("some cloth is seen");
    at.map(|side| side.round() as i32)
}

/// A scene file of the repository.
pub fn scene(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name)
}
