//! A session and a renderer without a window, for the examples.
#![allow(dead_code, reason = "each example takes a part of it")]

use std::error::Error;

use muslin_render::Picture;
use muslin_viewer::draw::{Options, Renderer, Scenery, View};
use muslin_viewer::session::{Command, Doing, Session, SessionOptions, Source};

/// A renderer on the best device that there is, with all that this can do.
pub struct Offscreen {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// The adapter's.
    pub name: String,
    pub renderer: Renderer,
}

impl Offscreen {
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        // Not OpenGL, to which wgpu would go over without a word.
        descriptor.backends = wgpu::Backends::PRIMARY;
        let instance = wgpu::Instance::new(descriptor);
        let wanted = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&wanted))?;
        let all = wgpu::DeviceDescriptor { required_limits: adapter.limits(), ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&all))?;
        let renderer = Renderer::new(&device, &queue);
        Ok(Self { device, queue, name: adapter.get_info().name, renderer })
    }

    /// A picture, when it has arrived.
    pub fn picture(
        &mut self,
        scenery: &Scenery,
        view: &View,
        options: &Options,
        size: [u32; 2],
    ) -> Result<Picture, wgpu::PollError> {
        let mut pending = self.renderer.picture(scenery, view, options, size);
        loop {
            self.device.poll(wgpu::PollType::wait_indefinitely())?;
            if let Some(picture) = pending.try_take() {
                return Ok(picture);
            }
        }
    }
}

/// A session that has opened its source.
pub fn open(source: Source, options: SessionOptions) -> Result<Session, String> {
    let mut session = Session::open(source, options);
    while session.frame().opened == 0 || session.frame().doing != Doing::Nothing {
        advance(&mut session, 0.0)?;
    }
    Ok(session)
}

/// A step of a session.
pub fn step(session: &mut Session, seconds: f64) -> Result<(), String> {
    session.send(Command::Step);
    advance(session, seconds)
}

fn advance(session: &mut Session, seconds: f64) -> Result<(), String> {
    session.advance(seconds);
    session.frame().problem.clone().map_or(Ok(()), Err)
}
