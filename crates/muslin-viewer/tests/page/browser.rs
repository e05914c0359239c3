//! A browser without a screen (Chromium), driven through its DevTools protocol: JSON over two pipes, a zero byte after each message.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long anything may take that has to happen. A processor draws, and in one thread simulates.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a browser without a GPU needs to compute and to draw by WebGPU: with less it computes, and its canvas stays blank.
const WEBGPU: [&str; 4] = [
    "--enable-unsafe-webgpu",
    "--enable-features=Vulkan",
    "--use-vulkan=swiftshader",
    "--use-angle=swiftshader",
];
/// And one that has WebGL2 alone.
const WEBGL: [&str; 2] = ["--disable-features=WebGPU,Vulkan", "--use-angle=swiftshader"];

/// A browser with one page.
pub struct Browser {
    program: Child,
    requests: ChildStdin,
    messages: Receiver<Value>,
    session: Value,
    number: u64,
    /// What the page said on its console, and what went wrong in it.
    pub complaints: Vec<String>,
    folder: PathBuf,
}

impl Browser {
    /// Starts one with an empty page of so many points.
    pub fn start(name: &str, has_webgpu: bool, size: [u32; 2], is_phone: bool) -> Self {
        let folder = std::env::temp_dir().join(format!("muslin-page-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let browser = find().expect("Chromium is installed (Debian: apt install chromium)");
        // The protocol's pipes are the third and the fourth file; a shell can put them there.
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null"]).arg(browser);
        command.args(["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run"]);
        command.args(["--disable-quic", "--disable-background-networking", "--disable-component-update"]);
        command.args(["--disable-sync", "--hide-scrollbars"]);
        command.args(if has_webgpu { &WEBGPU[..] } else { &WEBGL[..] });
        command.arg(format!("--force-device-scale-factor={}", if is_phone { 2 } else { 1 }));
        command.arg(format!("--user-data-dir={}", folder.display())).arg("about:blank");
        let mut program =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the browser starts");
        let requests = program.stdin.take().expect("piped");
        let mut output = BufReader::new(program.stdout.take().expect("piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            while output.read_until(0, &mut bytes).is_ok_and(|read| read > 0) {
                let message =
                    serde_json::from_slice(bytes.trim_ascii_end().strip_suffix(&[0]).unwrap_or(&bytes));
                if message.is_ok_and(|message: Value| sender.send(message).is_err()) {
                    break;
                }
                bytes.clear();
            }
        });
        let (session, complaints) = (Value::Null, Vec::new());
        let mut started = Self { program, requests, messages, session, number: 0, complaints, folder };
        started.attach(size, is_phone);
        started
    }

    fn attach(&mut self, size: [u32; 2], is_phone: bool) {
        let start = Instant::now();
        let target = loop {
            let targets = self.call("Target.getTargets", json!({}));
            let pages = targets["targetInfos"]
                .as_array()
                .into_iter()
                .flatten()
                .find(|target| target["type"] == "page");
            if let Some(page) = pages {
                break page["targetId"].clone();
            }
            assert!(start.elapsed() < PATIENCE, "the browser opens no page");
            std::thread::sleep(Duration::from_millis(50));
        };
        let attached = self.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        self.session = attached["sessionId"].clone();
        for domain in ["Runtime.enable", "Log.enable", "Page.enable"] {
            self.call(domain, json!({}));
        }
        let scale = if is_phone { 2 } else { 1 };
        let [width, height] = size;
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_phone });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        if is_phone {
            self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": true, "maxTouchPoints": 3 }));
        }
    }

    /// Asks for something and waits for the answer.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let mut request = json!({ "id": self.number, "method": method, "params": parameters });
        if !self.session.is_null() {
            request["sessionId"] = self.session.clone();
        }
        let mut bytes = request.to_string().into_bytes();
        bytes.push(0);
        self.requests.write_all(&bytes).and_then(|()| self.requests.flush()).expect("the browser listens");
        let start = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(start.elapsed());
            let message =
                self.messages.recv_timeout(left).unwrap_or_else(|_| panic!("no answer to {method}"));
            if message["id"] == self.number {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.hear(&message);
        }
    }

    /// Remembers what the page complains of.
    fn hear(&mut self, message: &Value) {
        let parameters = &message["params"];
        let complaint = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => Some(parameters["exceptionDetails"].to_string()),
            Some("Runtime.consoleAPICalled") if parameters["type"] == "error" => {
                Some(parameters["args"].to_string())
            }
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                Some(parameters["entry"].to_string())
            }
            _ => None,
        };
        self.complaints.extend(complaint);
    }

    /// Goes to an address.
    pub fn open(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": address }));
    }

    /// What an expression is in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let result =
            self.call("Runtime.evaluate", json!({ "expression": expression, "returnByValue": true }));
        result["result"]["value"].clone()
    }

    /// The viewer's state; nothing before its first picture.
    pub fn state(&mut self) -> Value {
        let text = self.value("window.muslin_state ? window.muslin_state() ?? '' : ''");
        serde_json::from_str(text.as_str().unwrap_or_default()).unwrap_or_default()
    }

    /// Waits until the state is as it is to be, and gives it.
    pub fn wait(&mut self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let state = self.state();
            if !state.is_null() && is_so(&state) {
                return state;
            }
            if start.elapsed() > PATIENCE {
                let says = self.value("document.getElementById('says')?.textContent ?? ''");
                let short = ["title", "time", "doing", "problem", "runs_on", "drawn_by", "held"]
                    .map(|key| state[key].to_string());
                panic!("no {what} in {PATIENCE:?}; {short:?}; page: {says}; console: {:?}", self.complaints);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// A mouse event: `mousePressed`, `mouseMoved`, `mouseReleased`.
    pub fn mouse(&mut self, kind: &str, [x, y]: [f64; 2]) {
        let is_down = kind != "mouseMoved";
        let button = if is_down { "left" } else { "none" };
        let count = i32::from(is_down);
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": count, "buttons": i32::from(kind != "mouseReleased") });
        self.call("Input.dispatchMouseEvent", event);
    }

    /// A touch event: `touchStart`, `touchMove`, `touchEnd`.
    pub fn touch(&mut self, kind: &str, fingers: &[[f64; 2]]) {
        let points: Vec<Value> =
            fingers.iter().enumerate().map(|(id, [x, y])| json!({ "x": x, "y": y, "id": id })).collect();
        self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    }

    /// What is seen, as a PNG file.
    pub fn picture(&mut self) -> Vec<u8> {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        from_base64(shot["data"].as_str().unwrap_or_default())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The browser: that of `MUSLIN_CHROMIUM`, or one of those names on the path.
fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("MUSLIN_CHROMIUM") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let all = names.iter().flat_map(|name| folders.iter().map(move |folder| Path::join(folder, name)));
    all.into_iter().find(|path| path.is_file())
}

fn from_base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'a'..=b'z' => Some(u32::from(byte - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(byte - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(digit).collect();
    let bytes = digits.chunks(4).flat_map(|chunk| {
        let bits = chunk.iter().enumerate().fold(0, |bits, (place, digit)| bits | digit << (18 - 6 * place));
        let count = chunk.len() * 6 / 8;
        bits.to_be_bytes().into_iter().skip(1).take(count)
    });
    bytes.collect()
}
