//! Other settings on a world that is running, and what a world that was built anew takes over from the one before it.

use std::mem::discriminant;

use muslin::state::Snapshot;
use muslin_io::scene::{Backend, Output, Scene, Solver};

use super::super::open::OpenedScene;
use super::Stage;

/// With more triangles than this, what solvers prepare anew for another material is prepared in the background.
const FEW_TRIANGLES: usize = 8000;

/// Whether a world that was built anew goes on from where the old one was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carried {
    /// From there.
    On,
    /// From the start, for this reason.
    Anew(&'static str),
}

impl Stage {
    /// Changes what can be changed of the world that there is; whether that is all.
    pub fn change_to(&mut self, opened: &OpenedScene) -> Result<bool, String> {
        if !self.can_change_to(&opened.scene) {
            return Ok(false);
        }
        let before = std::mem::replace(&mut self.opened, opened.clone());
        self.edition += 1;
        if let Err(problem) = self.apply_conditions() {
            self.opened = before;
            self.apply_conditions()?;
            return Err(problem);
        }
        // Until a step has succeeded with it.
        self.proven.get_or_insert(Box::new(before));
        Ok(true)
    }

    fn can_change_to(&self, new: &Scene) -> bool {
        let old = &self.opened.scene;
        let triangles: usize =
            self.world.cloths().iter().map(|(_, cloth)| cloth.cloth().triangles().len()).sum();
        let is_small = triangles <= FEW_TRIANGLES && self.world.gpu().is_none();
        if !is_small && prepared(old) != prepared(new) {
            return false;
        }
        without_conditions(old, new) == *new
    }

    /// Sets everything that can be set on a running world to what the scene says.
    pub(super) fn apply_conditions(&mut self) -> Result<(), String> {
        let scene = self.opened.scene.clone();
        let words = |error: muslin::Error| error.to_string();
        let backend = if self.is_on_device { Backend::Gpu } else { Backend::Cpu };
        let world = &mut self.world;
        world.set_gravity(scene.forces.gravity).map_err(words)?;
        world.set_wind(scene.forces.wind).map_err(words)?;
        let step = 1.0 / scene.time.fps;
        if (world.settings().time_step, world.settings().substeps) != (step, scene.time.substeps) {
            world.set_steps(step, scene.time.substeps).map_err(words)?;
        }
        let ids = world.cloth_ids().to_vec();
        for (number, (id, cloth)) in ids.into_iter().zip(&scene.cloths).enumerate() {
            let own = world.cloth_mut(id).map_err(words)?;
            let explained = |error: muslin::Error| scene.explain(number, &error).to_string();
            own.set_material(cloth.material).map_err(explained)?;
            own.set_solver(cloth.solver.on(backend).clone()).map_err(explained)?;
            if let Some(kappa) = &cloth.kappa {
                own.set_kappa(kappa.clone()).map_err(explained)?;
            }
            own.set_pressure(cloth.pressure.clone()).map_err(explained)?;
        }
        let ids = world.collider_ids().to_vec();
        for (id, collider) in ids.into_iter().zip(&scene.colliders) {
            if world.collider(id).is_ok_and(|own| own.surface != collider.surface) {
                world.set_collider_surface(id, collider.surface).map_err(words)?;
            }
        }
        self.lay_out_anew();
        Ok(())
    }

    /// Goes on from where another stage of the same scene is, if it can.
    pub fn go_on_from(&mut self, old: &Self) -> Carried {
        self.share_with(old);
        match self.carry(old) {
            Ok(()) => Carried::On,
            Err(reason) => {
                // Parts may have been taken over.
                let start = std::mem::take(&mut self.start);
                let _ = self.world.restore(&start);
                self.start = start;
                Carried::Anew(reason)
            }
        }
    }

    fn carry(&mut self, old: &Self) -> Result<(), &'static str> {
        if self.world.gpu().is_some() || old.world.gpu().is_some() {
            return Err("what is on a GPU is not taken over");
        }
        let (ours, theirs) = (self.world.cloths(), old.world.cloths());
        let is_same = ours.len() == theirs.len()
            && ours.iter().zip(theirs).all(|((name, own), (other_name, other))| {
                let (own, other) = (own.cloth(), other.cloth());
                let rest = own.rest_positions() == other.rest_positions() && own.origin() == other.origin();
                name == other_name && own.triangles() == other.triangles() && rest
            });
        if !is_same {
            return Err("the cloth is another one");
        }
        let names =
            |stage: &Self| stage.world.bodies().iter().map(|body| body.name().to_owned()).collect::<Vec<_>>();
        if names(self) != names(old) {
            return Err("there are other bodies");
        }
        if self.world.settings().time_step != old.world.settings().time_step {
            return Err("its steps have another length");
        }
        for ((_, own), (_, other)) in self.world.cloths_mut().zip(old.world.cloths()) {
            let state = Snapshot { solver: None, ..other.snapshot() };
            own.restore(&state).map_err(|_| "its state does not fit")?;
            // Pins that were set or released by hand.
            let (pinned, wanted): (Vec<u32>, Vec<u32>) =
                (own.cloth().pinned_vertices().collect(), other.cloth().pinned_vertices().collect());
            let fresh: Vec<u32> = wanted.iter().copied().filter(|v| !pinned.contains(v)).collect();
            own.pin_all(&fresh).map_err(|_| "its pins do not fit")?;
        }
        self.world.restore_body_states(&old.world.body_states()).map_err(|_| "the bodies do not fit")?;
        self.carry_colliders(old);
        self.own_pins = old
            .own_pins
            .iter()
            .filter_map(|(id, vertex)| Some((self.same_cloth(old, *id)?, *vertex)))
            .collect();
        for (id, vertex) in old.hand_pins() {
            if let Some(id) = self.same_cloth(old, id) {
                let _ = self.world.cloth_mut(id).and_then(|cloth| cloth.release(vertex));
            }
        }
        self.fan = old.fan;
        Ok(())
    }

    fn same_cloth(&self, old: &Self, id: muslin::ClothId) -> Option<muslin::ClothId> {
        let number = old.world.cloth_ids().iter().position(|other| *other == id)?;
        self.world.cloth_ids().get(number).copied()
    }

    /// Colliders that were moved by hand stay where they are.
    fn carry_colliders(&mut self, old: &Self) {
        let pairs: Vec<_> = self.world.collider_ids().iter().copied().zip(old.world.colliders()).collect();
        for (number, (id, other)) in pairs.into_iter().enumerate() {
            let own = &self.world.colliders()[number];
            if own.name == other.name && own.shape == other.shape && own.motion != other.motion {
                // One that does not fit stays as the scene says.
                let _ = self.world.set_collider_motion(id, other.motion.clone());
            }
        }
    }

    /// Back to the start after the first step from what was taken over has failed.
    pub fn begin_anew(&mut self) -> Result<(), String> {
        self.reset()
    }
}

/// What solvers prepare, and would prepare anew for a change.
fn prepared(scene: &Scene) -> impl PartialEq + '_ {
    let cloths: Vec<_> = scene.cloths.iter().map(|cloth| (cloth.material, &cloth.solver)).collect();
    (scene.time, cloths)
}

/// A scene with what can be set on a running world as in another.
fn without_conditions(scene: &Scene, new: &Scene) -> Scene {
    let mut same = new.clone();
    // All others must be as they were.
    same.up = scene.up;
    same.time.fps = scene.time.fps;
    same.solver = Solver { choice: new.solver.choice.clone(), ..scene.solver.clone() };
    same.collision.clone_from(&scene.collision);
    same.bodies.clone_from(&scene.bodies);
    same.output = Output { ..new.output.clone() };
    if same.cloths.len() == scene.cloths.len() {
        for (own, old) in same.cloths.iter_mut().zip(&scene.cloths) {
            let mut kept = old.clone();
            kept.material = own.material;
            kept.pressure = if old.pressure.is_some() == own.pressure.is_some() {
                own.pressure.clone()
            } else {
                old.pressure.clone()
            };
            kept.kappa = if old.kappa.is_some() == own.kappa.is_some() {
                own.kappa.clone()
            } else {
                old.kappa.clone()
            };
            let method = |choice: &muslin_io::scene::SolverChoice| discriminant(choice.on(Backend::Cpu));
            if method(&old.solver) == method(&own.solver) {
                kept.solver = own.solver.clone();
            }
            *own = kept;
        }
    } else {
        same.cloths.clone_from(&scene.cloths);
    }
    if same.colliders.len() == scene.colliders.len() {
        for (own, old) in same.colliders.iter_mut().zip(&scene.colliders) {
            *own = muslin_io::scene::Collider { surface: own.surface, ..old.clone() };
        }
    } else {
        same.colliders.clone_from(&scene.colliders);
    }
    same
}
