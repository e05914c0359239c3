//! Steps end, with any number of threads: hundreds of thousands of tiny ones, with a watchdog that fails instead of hanging.
//!
//! `MUSLIN_HAMMER_MINUTES=20 cargo test --release -p muslin --test hammer` goes on for as long as that.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use muslin::cloth::Cloth;
use muslin::collision::{Collider, CollisionSettings, Shape};
use muslin::mesh::generate;
use muslin::solver::{ShapeMatching, SolverConfig};
use muslin::{Settings, Simulation, Threads, World};

/// Steps with teams that fit the cores, and as many with teams that do not, whose threads sleep and wake in every phase.
const STEPS: u64 = 100_000;
/// No step takes this long on any machine: so long without one is a hang.
const PATIENCE: Duration = Duration::from_secs(60);

/// A count of steps, and a thread that ends the process if it stands still before the test is over.
struct Watched(Arc<AtomicU64>);

impl Watched {
    fn new() -> Self {
        let count = Arc::new(AtomicU64::new(0));
        let watched = Arc::downgrade(&count);
        std::thread::spawn(move || {
            let mut last = (0, Instant::now());
            // The count is gone when the test is over.
            while let Some(count) = watched.upgrade() {
                let now = count.load(Ordering::Relaxed);
                drop(count);
                if now != last.0 {
                    last = (now, Instant::now());
                } else if last.1.elapsed() > PATIENCE {
                    eprintln!("hung after {now} steps");
                    std::process::exit(1);
                }
                std::thread::sleep(Duration::from_secs(1));
            }
        });
        Self(count)
    }

    fn add_step(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn steps(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// About as small as a cloth can be that is shared out: four leaves of each sweep, with next to nothing to do.
fn handkerchief() -> Simulation {
    let mesh = generate::grid(26, 26, 0.25, 0.25).unwrap();
    let corner = mesh.groups["top"][0];
    let cloth = Cloth::builder(mesh).pin(corner).build().unwrap();
    let mut solver = ShapeMatching::default();
    solver.hierarchy.levels = 1;
    let solver = SolverConfig::ShapeMatching(solver);
    Simulation::new(cloth, Settings { solver, threads: 1, substeps: 1, ..Settings::default() }).unwrap()
}

#[test]
fn steps_end_with_any_number_of_threads() {
    let count = Watched::new();
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let minutes: Option<f64> =
        std::env::var("MUSLIN_HAMMER_MINUTES").ok().map(|text| text.parse().expect("a number of minutes"));
    let teams: Vec<usize> = (2..=2 * cores.max(2)).collect();
    for &members in &teams {
        let alike = teams.iter().filter(|&&other| (other <= cores) == (members <= cores)).count() as u64;
        let mut simulation = handkerchief();
        simulation.set_threads(Threads::new(members).unwrap());
        let steps = STEPS / alike;
        let time = minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes / teams.len() as f64));
        let (start, before) = (Instant::now(), count.steps());
        let goes_on = |done: u64| time.map_or(done < steps, |time| start.elapsed() < time);
        while goes_on(count.steps() - before) {
            simulation.step().unwrap();
            count.add_step();
        }
        let done = count.steps() - before;
        println!("{members} threads: {done} steps in {:.1} s", start.elapsed().as_secs_f64());
    }
}

#[test]
fn worlds_that_share_threads_step_at_once() {
    let count = Watched::new();
    let threads = Threads::new(3).unwrap();
    let hashes: Vec<u64> = std::thread::scope(|scope| {
        let step = || {
            let ball = Shape::Sphere { center: glam::Vec3::new(0.0, -0.2, 0.05), radius: 0.1 };
            let cloths = vec![("cloth".to_owned(), handkerchief())];
            let colliders = vec![Collider::new("ball", ball)];
            let mut world = World::new(cloths, colliders, CollisionSettings::default()).unwrap();
            world.set_threads(threads.clone());
            for _ in 0..300 {
                world.step().unwrap();
                count.add_step();
            }
            world.cloths()[0].1.state_hash()
        };
        let worlds: Vec<_> = (0..4).map(|_| scope.spawn(step)).collect();
        worlds.into_iter().map(|world| world.join().unwrap()).collect()
    });
    assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{hashes:x?}");
}
