//! Which device a scene runs on. What was asked for, or an error; `auto` says what it took, and why.

use muslin_io::scene::{Backend, Scene};

use super::Engine;
use crate::failure::Failure;
use crate::gpu::{self, Gpu, GpuSimulation};

/// Builds a scene on what was asked for. `adapter` is a part of a GPU's name.
pub fn build(scene: &Scene, wanted: Backend, adapter: Option<&str>) -> Result<Engine, Failure> {
    match wanted {
        Backend::Cpu if adapter.is_some() => {
            Err(Failure::input("--adapter names a GPU, but the back end is the CPU")
                .hint("add --backend gpu, or leave --adapter out"))
        }
        Backend::Cpu => on_cpu(scene),
        Backend::Gpu => {
            scene.check_gpu()?;
            if scene.cloths.len() > 1 && !scene.is_multilevel() {
                eprintln!("warning: on the GPU the {} cloths pass through each other", scene.cloths.len());
            }
            on_gpu(scene, gpu::open(adapter).map_err(gpu::failure)?)
        }
        Backend::Auto => match suited(scene, adapter) {
            Ok((engine, reason)) => {
                eprintln!("backend: gpu, {reason}");
                Ok(engine)
            }
            Err(reason) => {
                eprintln!("backend: cpu, because {reason}");
                on_cpu(scene)
            }
        },
    }
}

fn on_cpu(scene: &Scene) -> Result<Engine, Failure> {
    Ok(Engine::new(scene.build_world()?, None))
}

/// The scene on a GPU that computes it faster and means the same by it; otherwise why not.
fn suited(scene: &Scene, adapter: Option<&str>) -> Result<(Engine, String), String> {
    scene.check_gpu().map_err(|error| Failure::from(error).first_problem().to_owned())?;
    if scene.cloths.len() > 1 && !scene.is_multilevel() {
        return Err(
            "there are several cloths, and the GPU back end has no collisions between them".to_owned()
        );
    }
    let gpu = gpu::open(adapter).map_err(|error| error.to_string())?;
    let name = gpu.name().to_owned();
    if gpu.is_software() {
        return Err(format!("the only GPU is a program on the CPU ({name})"));
    }
    let engine = on_gpu(scene, gpu).map_err(|failure| failure.first_problem().to_owned())?;
    Ok((engine, format!("because {name} can do all of the scene")))
}

fn on_gpu(scene: &Scene, gpu: Gpu) -> Result<Engine, Failure> {
    if scene.is_multilevel() {
        let world = scene.build_world_with(|cloth, settings| gpu::multilevel(&gpu, cloth, settings))?;
        return Ok(Engine::new(world, Some(gpu)));
    }
    let mut cloths = Vec::new();
    for (number, built) in scene.build()?.into_iter().enumerate() {
        let settings = scene.settings(&scene.cloths[number], Backend::Gpu);
        let simulation =
            GpuSimulation::new(&gpu, built.cloth, settings).map_err(|error| match gpu::of_device(error) {
                Ok(error) => gpu::failure(error),
                Err(error) => scene.explain_gpu(number, &error).into(),
            })?;
        cloths.push((built.name, simulation));
    }
    let settings = scene.cloths.first().map(|first| scene.settings(first, Backend::Gpu));
    let world = gpu::world_of(&gpu, settings.unwrap_or_default(), scene.collision.clone(), cloths)
        .map_err(|error| scene.explain_gpu(0, &error))?;
    Ok(Engine::new(world, Some(gpu)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use muslin_io::scene::ReadOptions;

    fn scene(text: &str) -> Scene {
        let scene = Scene::parse(text, "scene.toml", ".".as_ref(), &ReadOptions::default());
        scene.unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    #[cfg(feature = "gpu")]
    fn why_a_cloth_does_not_run_on_the_gpu_is_one_line_that_names_the_key() {
        let scene = scene(
            "[collision]\nself = false\n[[cloth]]\nmesh.grid = { columns = 3, rows = 3 }\n\
             material = { damping = 0.1, damping_form = \"printed\" }\n",
        );
        let gpu = gpu::open(None).expect("these tests need a GPU or mesa-vulkan-drivers");
        let failure = on_gpu(&scene, gpu).err().expect("damping as printed has no kernels");
        assert_eq!(failure.exit_code, 2);
        let reason = failure.first_problem();
        assert!(reason.starts_with("material.damping_form of cloth 'cloth': "), "{reason}");
        assert!(!reason.contains('\n'), "{reason}");
    }

    #[test]
    #[cfg(not(feature = "gpu"))]
    fn without_the_gpu_engine_it_is_refused_and_auto_takes_the_cpu() {
        let scene = scene("[collision]\nself = false\n[[cloth]]\nmesh.grid = { columns = 3, rows = 3 }\n");
        let failure = build(&scene, Backend::Gpu, None).err().expect("there is none");
        assert_eq!(failure.exit_code, 2);
        assert!(failure.first_problem().ends_with("build it with --features gpu"), "{failure}");
        assert!(suited(&scene, None).err().expect("there is none").contains("without the GPU engine"));
        let taken = build(&scene, Backend::Auto, None).map(|engine| engine.backend());
        assert_eq!(taken.expect("the CPU can"), Backend::Cpu);
    }

    #[test]
    #[cfg(not(feature = "rigid-bodies"))]
    fn without_rigid_bodies_scenes_that_have_some_are_bad_input() {
        let scene = scene(
            "[[cloth]]\nmesh.grid = { columns = 3, rows = 3 }\n\
             [[body]]\nposition = [0, 3, 0]\nsphere = { radius = 0.1 }\n",
        );
        let failure = build(&scene, Backend::Cpu, None).err().expect("there is no engine for it");
        assert_eq!(failure.exit_code, 2);
        assert!(failure.to_string().contains("build it with --features rigid-bodies"), "{failure}");
    }
}
