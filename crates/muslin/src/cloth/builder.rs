//! From what a user gives to a cloth, with everything checked.

use glam::{DVec3, Vec3};

use super::{Cloth, Curve, Material, Pin, PinMotion, TetherChoice};
use crate::Error;
use crate::mesh::reorder::{bisection_order, reordered};
use crate::mesh::validate::is_degenerate;
use crate::mesh::{Topology, TriMesh};

/// Largest extents that a cloth can have, metres.
const SIZES: std::ops::RangeInclusive<f32> = 1e-4..=1e5;

/// The number of pin groups that [`TetherChoice::Auto`] ties each particle to.
pub(super) const AUTO_TETHERS: u8 = 2;

/// Collects what a cloth is made of; [`ClothBuilder::build`] checks it.
#[derive(Clone, Debug)]
pub struct ClothBuilder {
    mesh: TriMesh,
    material: Material,
    pins: Vec<Pin>,
    pin_groups: Vec<String>,
    tethers: TetherChoice,
    start: Option<Vec<Vec3>>,
    kappa: Option<Curve>,
    pressure: Option<Curve>,
}

impl ClothBuilder {
    pub(super) fn new(mesh: TriMesh) -> Self {
        Self {
            mesh,
            material: Material::default(),
            pins: Vec::new(),
            pin_groups: Vec::new(),
            tethers: TetherChoice::Auto,
            start: None,
            kappa: None,
            pressure: None,
        }
    }

    /// Sets the material.
    #[must_use]
    pub fn material(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    /// Holds a vertex where it starts.
    #[must_use]
    pub fn pin(self, vertex: u32) -> Self {
        self.pin_moving(vertex, PinMotion::Fixed)
    }

    /// Holds a vertex and moves it.
    #[must_use]
    pub fn pin_moving(mut self, vertex: u32, motion: PinMotion) -> Self {
        self.pins.push(Pin { vertex, motion });
        self
    }

    /// Holds several vertices where they start.
    #[must_use]
    pub fn pin_all(mut self, vertices: impl IntoIterator<Item = u32>) -> Self {
        self.pins.extend(vertices.into_iter().map(|vertex| Pin { vertex, motion: PinMotion::Fixed }));
        self
    }

    /// Holds the vertices of a named group of the mesh.
    #[must_use]
    pub fn pin_group(mut self, group: impl Into<String>) -> Self {
        self.pin_groups.push(group.into());
        self
    }

    /// Chooses whether particles are tethered to pins.
    #[must_use]
    pub fn tethers(mut self, choice: TetherChoice) -> Self {
        self.tethers = choice;
        self
    }

    /// Starts somewhere else than in the rest shape: one position per vertex of the mesh, from its origin.
    #[must_use]
    pub fn start_positions(mut self, positions: Vec<Vec3>) -> Self {
        self.start = Some(positions);
        self
    }

    /// Animates κ of triangle bending (metres), in place of
    /// [`TriangleBending::kappa`](super::TriangleBending::kappa).
    #[must_use]
    pub fn kappa(mut self, kappa: impl Into<Curve>) -> Self {
        self.kappa = Some(kappa.into());
        self
    }

    /// Holds the volume of closed cloth at a multiple of that at rest: 1 keeps it, more inflates.
    #[must_use]
    pub fn pressure(mut self, pressure: impl Into<Curve>) -> Self {
        self.pressure = Some(pressure.into());
        self
    }

    /// Checks everything and builds the cloth.
    pub fn build(self) -> Result<Cloth, Error> {
        self.mesh.check()?;
        self.material.check()?;
        check_shape(&self.mesh)?;
        check_size(&self.mesh)?;
        let start = self.start.clone().unwrap_or_else(|| self.mesh.positions.clone());
        check_positions("start_positions", &start, self.mesh.positions.len())?;
        let pins = self.checked_pins()?;
        for (what, curve) in [("kappa", &self.kappa), ("pressure", &self.pressure)] {
            if let Some(problem) = curve.as_ref().and_then(|curve| curve.problem(0.0)) {
                return Err(Error::State { what, problem });
            }
        }

        let positions: Vec<DVec3> = self.mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        let permutation = bisection_order(&positions);
        let mesh = reordered(&self.mesh, &permutation);
        let rest = permutation.to_new(&positions);
        let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
        let mut pins: Vec<Pin> = pins
            .into_iter()
            .map(|pin| Pin { vertex: permutation.old_to_new[pin.vertex as usize], ..pin })
            .collect();
        pins.sort_by_key(|pin| pin.vertex);

        let mut cloth = Cloth {
            masses: Vec::new(),
            start: permutation.to_new(&start),
            user_triangles: self.mesh.triangles,
            user_uvs: self.mesh.uvs,
            material: self.material,
            mesh,
            permutation,
            topology,
            rest,
            pins,
            tethers: None,
            tether_choice: self.tethers,
            kappa: self.kappa,
            pressure: self.pressure,
        };
        (cloth.masses, cloth.tethers) = cloth.anew();
        Ok(cloth)
    }

    /// The pins, each vertex once; a later mention replaces an earlier one.
    fn checked_pins(&self) -> Result<Vec<Pin>, Error> {
        let mut pins = Vec::new();
        for name in &self.pin_groups {
            let Some(members) = self.mesh.groups.get(name) else {
                let known: Vec<&str> = self.mesh.groups.keys().map(String::as_str).collect();
                return Err(Error::NoSuchGroup { group: name.clone(), known: known.join(", ") });
            };
            pins.extend(members.iter().map(|&vertex| Pin { vertex, motion: PinMotion::Fixed }));
        }
        pins.extend(self.pins.iter().cloned());
        let vertices = self.mesh.positions.len();
        for pin in &pins {
            if pin.vertex as usize >= vertices {
                return Err(Error::NoSuchPin { vertex: pin.vertex, vertices });
            }
            if let Some(problem) = pin.motion.problem() {
                return Err(Error::PinMotion { vertex: pin.vertex, problem });
            }
        }
        pins.reverse();
        pins.sort_by_key(|pin| pin.vertex);
        pins.dedup_by_key(|pin| pin.vertex);
        Ok(pins)
    }
}

/// Every triangle must have an area and every vertex a triangle, or masses would be zero.
fn check_shape(mesh: &TriMesh) -> Result<(), Error> {
    let mut used = vec![false; mesh.positions.len()];
    for triangle in 0..mesh.triangles.len() {
        if is_degenerate(mesh, mesh.triangles[triangle]) {
            return Err(Error::DegenerateTriangle { triangle });
        }
        for &v in &mesh.triangles[triangle] {
            used[v as usize] = true;
        }
    }
    match used.iter().position(|used| !used) {
        Some(vertex) => Err(Error::IsolatedVertex { vertex }),
        None => Ok(()),
    }
}

/// Cloth smaller or larger than any unit mistake explains leaves the range of single precision.
fn check_size(mesh: &TriMesh) -> Result<(), Error> {
    let size = mesh.bounds().map_or(0.0, |(low, high)| (high - low).max_element());
    match SIZES.contains(&size) {
        true => Ok(()),
        false => Err(Error::Size { size }),
    }
}

/// Checks an array of one finite vector per vertex.
pub(crate) fn check_positions(what: &'static str, values: &[Vec3], vertices: usize) -> Result<(), Error> {
    if values.len() != vertices {
        let problem = format!("{} values for {vertices} vertices", values.len());
        return Err(Error::State { what, problem });
    }
    match values.iter().position(|v| !v.is_finite()) {
        Some(vertex) => Err(Error::State { what, problem: format!("vertex {vertex} is not finite") }),
        None => Ok(()),
    }
}
