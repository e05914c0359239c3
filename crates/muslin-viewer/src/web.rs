//! The page: what a browser calls.
//!
//! `start(canvas)` begins; the query of the page's address names the scene (`?scene=napkin`) and the theme (`?dark`).
//! `muslin_state()` is the state as JSON, for tests.

use std::cell::RefCell;

use eframe::WebRunner;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{HtmlAnchorElement, HtmlCanvasElement, js_sys};

use crate::app::{App, AppOptions, device};
use crate::session::{SavedFile, SessionOptions, Source, gallery};

thread_local! {
    static PAGE: RefCell<Option<(WebRunner, egui::Context)>> = const { RefCell::new(None) };
}

/// Starts the viewer on a canvas; the error is for users.
#[wasm_bindgen]
pub async fn start(canvas: HtmlCanvasElement) -> Result<(), JsValue> {
    let runner = WebRunner::new();
    let options = eframe::WebOptions { wgpu_options: device::configuration(), ..Default::default() };
    let kept = runner.clone();
    let create = move |context: &eframe::CreationContext<'_>| {
        let page = (kept, context.egui_ctx.clone());
        PAGE.with_borrow_mut(|slot| *slot = Some(page));
        Ok(Box::new(App::new(context, app_options())) as Box<dyn eframe::App>)
    };
    runner.start(canvas, options, Box::new(create)).await
}

/// The state as JSON: see `app/report.rs`. Nothing before the first picture, and after a panic.
#[wasm_bindgen]
pub fn muslin_state() -> Option<String> {
    PAGE.with_borrow(|page| {
        let (runner, context) = page.as_ref()?;
        let app = runner.app_mut::<App>()?;
        Some(app.state(context).to_string())
    })
}

/// What went wrong, if the viewer has ended by itself.
#[wasm_bindgen]
pub fn muslin_failure() -> Option<String> {
    PAGE.with_borrow(|page| page.as_ref()?.0.panic_summary().map(|panic| panic.message()))
}

/// Opens a scene of the gallery: for links within the page.
#[wasm_bindgen]
pub fn muslin_open(name: &str) {
    PAGE.with_borrow(|page| {
        if let Some((runner, context)) = page
            && let Some(app) = runner.app_mut::<App>()
        {
            app.open(Source::Gallery(name.to_owned()));
            context.request_repaint();
        }
    });
}

fn app_options() -> AppOptions {
    let first = || gallery().first().map_or(Source::Empty, |scene| Source::Gallery(scene.name.to_owned()));
    AppOptions {
        source: query("scene").map_or_else(first, Source::Gallery),
        // A tab has less memory.
        session: SessionOptions {
            rewind_bytes: 64 << 20,
            plays: query("paused").is_none(),
            ..Default::default()
        },
        dark: query("dark").is_some(),
        backend: query("backend"),
        reports: query("report").is_some(),
        report: None,
    }
}

/// A word of the page's address.
fn query(name: &str) -> Option<String> {
    let search = web_sys::window()?.location().search().ok()?;
    web_sys::UrlSearchParams::new_with_str(&search).ok()?.get(name)
}

/// Lets the browser store a file.
pub fn download(file: &SavedFile) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let document = window.document().ok_or(JsValue::NULL)?;
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(file.content.as_slice()));
    let blob = web_sys::Blob::new_with_u8_array_sequence(&parts)?;
    let address = web_sys::Url::create_object_url_with_blob(&blob)?;
    let link: HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(&address);
    link.set_download(&file.name);
    link.click();
    // The browser has begun to read it a moment later; then its memory can go.
    let forget = Closure::once_into_js(move || {
        let _ = web_sys::Url::revoke_object_url(&address);
    });
    window.set_timeout_with_callback_and_timeout_and_arguments_0(forget.unchecked_ref(), 10_000)?;
    Ok(())
}
