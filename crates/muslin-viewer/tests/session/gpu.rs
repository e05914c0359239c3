//! Cloth on a GPU that is shared with who draws. Needs an adapter: mesa's software one is enough.

use muslin_viewer::draw::Places;
use muslin_viewer::session::{Command, GpuShare, HandId, Session, SessionOptions, Source, Values};

use crate::common::{ask, settle};

fn share() -> GpuShare {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::PRIMARY,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    let adapter = adapter.expect("these tests need a GPU or mesa-vulkan-drivers");
    let limits = adapter.limits();
    let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).expect("a device");
    GpuShare { device, queue, name: adapter.get_info().name }
}

fn open(text: &str, gpu: Option<GpuShare>) -> Session {
    let options =
        SessionOptions { plays: false, has_thread: false, threads: 1, gpu, ..SessionOptions::default() };
    let mut session = Session::open(Source::Text { name: "scene".into(), text: text.into() }, options);
    settle(&mut session);
    session
}

const SCENE: &str = "
[solver]
backend = \"gpu\"
[collision]
self = false
[[cloth]]
mesh.grid = { columns = 16, rows = 16 }
[[cloth.pins]]
group = \"top\"
";

/// Where the vertices of the first sheet are, read from the device as a renderer reads them.
fn on_device(session: &Session, share: &GpuShare) -> Vec<[f32; 3]> {
    let frame = session.frame();
    let Places::Device { buffer, elements, offset } = &frame.scenery.sheets[0].places else {
        panic!("they are not on the device")
    };
    let copy = share.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: buffer.size(),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = share.device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, buffer.size());
    share.queue.submit([encoder.finish()]);
    copy.map_async(wgpu::MapMode::Read, .., |result| result.expect("mapped"));
    share.device.poll(wgpu::PollType::wait_indefinitely()).expect("polled");
    let bytes = copy.get_mapped_range(..).expect("mapped").to_vec();
    let points: &[[f32; 4]] = bytemuck::cast_slice(&bytes);
    let place = |&element: &u32| {
        let [x, y, z, _] = points[element as usize];
        [x + offset.x, y + offset.y, z + offset.z]
    };
    elements.iter().map(place).collect()
}

fn run(session: &mut Session, count: usize) {
    let end = session.frame().clock.time + (count as f64 - 0.5) * session.frame().clock.step;
    for _ in 0..count {
        session.send(Command::Step);
    }
    let begin = std::time::Instant::now();
    while session.frame().clock.time < end {
        session.advance(0.0);
        assert!(begin.elapsed().as_secs() < 20, "{:?}", session.frame().problem);
        assert_eq!(session.frame().problem, None);
    }
}

#[test]
fn positions_stay_on_the_device_and_are_those_of_now() {
    let share = share();
    let mut session = open(SCENE, Some(share.clone()));
    assert_eq!(session.frame().problem, None);
    assert!(session.frame().runs_on.starts_with("GPU, "), "{}", session.frame().runs_on);
    let start = on_device(&session, &share);
    assert_eq!(start.len(), 17 * 17);
    ask(
        &mut session,
        Command::Set {
            key: "forces.gravity".into(),
            value: muslin_viewer::session::SettingValue::Vector([0.0, 0.0, 9.81]),
        },
    );
    assert_eq!(session.frame().problem, None);
    run(&mut session, 20);
    let later = on_device(&session, &share);
    let farthest = later.iter().map(|p| p[2]).fold(0.0, f32::max);
    assert!(farthest > 0.1 && later.iter().flatten().all(|x| x.is_finite()), "{farthest}");
    // A hand leads a pin, and the elements are found again.
    let ray =
        muslin_viewer::draw::Ray { origin: glam::Vec3::new(0.5, 0.98, 3.0), direction: glam::Vec3::NEG_Z };
    let forward = glam::Vec3::NEG_Z;
    ask(&mut session, Command::Grab { hand: HandId(1), ray, forward });
    assert_eq!(session.frame().held.len(), 1);
    run(&mut session, 3);
    ask(&mut session, Command::Release { hand: HandId(1) });
    run(&mut session, 2);
    assert!(on_device(&session, &share).iter().flatten().all(|x| x.is_finite()));
    // Colours by what is only known here are of the last that was read back; going back is refused.
    ask(&mut session, Command::Show(Values::Strain));
    assert_eq!(session.frame().scenery.sheets[0].values.as_ref().map(|values| values.len()), Some(17 * 17));
    ask(&mut session, Command::GoTo(0.0));
    assert!(session.frame().problem.as_ref().is_some_and(|problem| problem.contains("GPU")));
    ask(&mut session, Command::Reset);
    // The device has it with the next step; until then it is drawn from here.
    let again = crate::common::places(&session.frame(), 0);
    let off = again.iter().zip(&start).map(|(a, b)| a.distance(glam::Vec3::from(*b))).fold(0.0, f32::max);
    assert!(off < 1e-6 && session.frame().clock.time == 0.0, "{off} {:?}", session.frame().clock);
    run(&mut session, 1);
    assert_eq!(on_device(&session, &share).len(), start.len());
}

#[test]
fn what_a_gpu_does_not_do_is_a_sentence() {
    let without = open(SCENE, None);
    let problem = without.frame().problem.clone().unwrap_or_default();
    assert!(problem.contains("backend = \"cpu\""), "{problem}");
    let colliding = SCENE.replace("self = false", "self = true");
    let problem = open(&colliding, Some(share())).frame().problem.clone().unwrap_or_default();
    assert!(problem.contains("collision") && problem.contains("scene.toml"), "{problem}");
    let auto = colliding.replace("\"gpu\"", "\"auto\"");
    let frame = open(&auto, Some(share())).frame();
    assert!(frame.problem.is_none() && frame.runs_on.starts_with("CPU"), "{:?}", frame.problem);
}
