//! The built page in a real browser, driven by real input: `cargo xtask test page`, which builds it before.
//!
//! Once with WebGPU and once without; at the size of a desk and of a phone. Places to press at are those that the page reports.
#![cfg(unix)]

mod browser;
#[path = "../../../../xtask/src/serve.rs"]
mod serve;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use browser::Browser;
use serde_json::Value;

/// Of a window on a desk.
const SIZE: [u32; 2] = [1280, 720];

/// One browser at a time: each of them takes all processors.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"))
}

/// Serves the page, and says where.
fn address() -> String {
    let folder = target().join("page");
    assert!(folder.join("index.html").is_file(), "the page is not built: cargo xtask web");
    let server = serve::Server::new(&folder, 0).expect("a port");
    let address = server.address().expect("an address");
    std::thread::spawn(move || server.run());
    format!("http://localhost:{}/", address.port())
}

/// How many colours the middle of the picture has in steps of 16; it is stored to be looked at.
fn colors(browser: &mut Browser, name: &str) -> usize {
    let file = browser.picture();
    let folder = target().join("page-pictures");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(format!("{name}.png")), &file).expect("written");
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    let channels = info.color_type.samples();
    let rows = pixels.chunks(info.line_size).skip(info.height as usize / 4).take(info.height as usize / 2);
    let middle = rows.flat_map(|row| {
        row.chunks_exact(channels)
            .skip(row.len() / channels / 3)
            .take(row.len() / channels / 3)
            .collect::<Vec<_>>()
    });
    middle
        .map(|pixel| [pixel[0] / 16, pixel[1] / 16, pixel[2] / 16])
        .collect::<std::collections::HashSet<_>>()
        .len()
}

/// A place of cloth that is seen, in the page.
fn seen(state: &Value) -> Option<[f64; 2]> {
    let samples = state["sheets"][0]["samples"].as_array()?;
    let places: Vec<[f64; 2]> =
        samples.iter().filter_map(|sample| serde_json::from_value(sample["at"].clone()).ok()).collect();
    places.get(places.len() / 2).copied()
}

fn mean(state: &Value) -> [f64; 3] {
    serde_json::from_value(state["sheets"][0]["mean"].clone()).expect("a mean")
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// The middle of a widget that is seen, if there is one of that name.
fn middle(state: &Value, name: &str) -> Option<[f64; 2]> {
    let widgets = state["widgets"].as_array()?;
    let is_it =
        |widget: &&Value| widget["name"] == name && widget["role"] != "Label" && widget["role"] != "TextRun";
    let found = widgets.iter().find(is_it)?;
    let [x, y, width, height]: [f64; 4] = serde_json::from_value(found["rect"].clone()).ok()?;
    let middle = [x + 0.5 * width, y + 0.5 * height];
    (middle[0] < f64::from(SIZE[0]) && middle[1] < f64::from(SIZE[1])).then_some(middle)
}

fn click(browser: &mut Browser, name: &str) {
    let state = browser.wait(name, |state| middle(state, name).is_some());
    let middle = middle(&state, name).expect("it was there");
    for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
        browser.mouse(kind, middle);
    }
}

/// What has to hold with WebGPU and without.
fn the_page_works(name: &str, has_webgpu: bool) {
    let _alone = alone();
    let mut browser = Browser::start(name, has_webgpu, SIZE, false);
    browser.open(&format!("{}?scene=hanging&report", address()));
    let first =
        browser.wait("cloth", |state| state["title"] == "hanging" && state["time"].as_f64() > Some(0.0));
    let draws = first["drawn_by"].as_str().unwrap_or_default();
    assert_eq!(draws.starts_with("WebGPU"), has_webgpu, "drawn by {draws}");
    assert!(first["runs_on"].as_str().is_some_and(|runs_on| runs_on.contains("CPU")), "{}", first["runs_on"]);
    browser.wait("motion", |state| apart(mean(state), mean(&first)) > 1e-3);
    // Nobody knows where swinging cloth is when a press arrives.
    click(&mut browser, "Pause");
    let still = browser.wait("pause", |state| state["is_playing"] == false);
    let at = seen(&still).expect("some cloth is seen");
    browser.mouse("mouseMoved", at);
    browser.mouse("mousePressed", at);
    let held = browser.wait("hold", |state| state["held"].as_array().is_some_and(|held| held.len() == 1));
    let start: [f64; 3] = serde_json::from_value(held["held"][0]["place"].clone()).expect("a place");
    let time = held["time"].clone();
    browser.call(
        "Input.dispatchKeyEvent",
        serde_json::json!({ "type": "keyDown", "key": " ", "code": "Space", "windowsVirtualKeyCode": 32 }),
    );
    browser.call(
        "Input.dispatchKeyEvent",
        serde_json::json!({ "type": "keyUp", "key": " ", "code": "Space", "windowsVirtualKeyCode": 32 }),
    );
    browser
        .wait("play by key", |state| state["is_playing"] == true && state["time"].as_f64() > time.as_f64());
    for part in 1..=5 {
        browser.mouse("mouseMoved", [at[0] + 25.0 * f64::from(part), at[1] - 10.0 * f64::from(part)]);
    }
    browser.wait("pull", |state| {
        let place = serde_json::from_value(state["held"][0]["place"].clone());
        place.is_ok_and(|place| apart(place, start) > 0.05)
    });
    browser.mouse("mouseReleased", [at[0] + 125.0, at[1] - 50.0]);
    browser.wait("nothing held", |state| state["held"].as_array().is_some_and(Vec::is_empty));
    assert!(colors(&mut browser, name) > 20, "the picture is blank");
    // Whatever the gallery has, what is looked for comes to the top.
    click(&mut browser, "Search scenes");
    browser.wait("focus", |state| state["is_typing"] == true);
    browser.call("Input.insertText", serde_json::json!({ "text": "flag" }));
    click(&mut browser, "flag");
    browser.wait("another scene", |state| state["title"] == "flag" && state["time"].as_f64() > Some(0.0));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn the_page_works_with_webgpu() {
    the_page_works("webgpu", true);
}

#[test]
fn the_page_works_without_webgpu() {
    the_page_works("webgl", false);
}

#[test]
fn on_a_phone_a_finger_drags_cloth_and_two_turn_the_camera() {
    let _alone = alone();
    let mut browser = Browser::start("phone", true, [390, 760], true);
    browser.open(&format!("{}?scene=sphere_drape&paused&report", address()));
    let state = browser.wait("cloth", |state| state["title"] == "sphere_drape" && state["doing"].is_null());
    let picture: [f64; 4] = serde_json::from_value(state["picture"].clone()).expect("a picture");
    assert!(picture[2] > 380.0 && picture[3] > 500.0, "{picture:?}");
    let at = seen(&state).expect("some cloth is seen");
    browser.touch("touchStart", &[at]);
    browser.wait("hold", |state| state["held"].as_array().is_some_and(|held| held.len() == 1));
    browser.touch("touchEnd", &[]);
    browser.wait("nothing held", |state| state["held"].as_array().is_some_and(Vec::is_empty));
    let corner = [picture[0] + 30.0, picture[1] + picture[3] - 60.0];
    let other = [picture[0] + 100.0, corner[1]];
    let view = browser.state()["view"]["eye"].clone();
    browser.touch("touchStart", &[corner, other]);
    browser.touch("touchMove", &[corner, [other[0] + 120.0, other[1]]]);
    browser.touch("touchEnd", &[]);
    browser.wait("another view", |state| state["view"]["eye"] != view);
    assert!(colors(&mut browser, "phone") > 3, "the picture is blank");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn where_the_program_cannot_start_the_page_says_so_in_words() {
    let _alone = alone();
    let mut browser = Browser::start("wrong", true, [800, 600], false);
    browser.open(&format!("{}no-such-page.html", address()));
    // The page without its program: as after a failed upload.
    let folder = std::env::temp_dir().join(format!("muslin-page-{}-alone", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::copy(target().join("page/index.html"), folder.join("index.html")).expect("copied");
    let server = serve::Server::new(&folder, 0).expect("a port");
    let port = server.address().expect("an address").port();
    std::thread::spawn(move || server.run());
    browser.open(&format!("http://localhost:{port}/"));
    let start = std::time::Instant::now();
    loop {
        let says = browser.value("document.getElementById('says')?.textContent ?? ''");
        if says.as_str().is_some_and(|says| says.starts_with("Muslin cannot start here.")) {
            break;
        }
        assert!(start.elapsed().as_secs() < 60, "the page says {says}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    std::fs::remove_dir_all(folder).expect("removed");
}
