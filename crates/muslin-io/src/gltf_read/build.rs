//! Walks the nodes of the scene and puts their meshes together.

use std::collections::BTreeMap;

use glam::{DAffine3, DMat4, DQuat, DVec3, Vec2};
use muslin::mesh::TriMesh;

use crate::ParseError;
use crate::gltf_read::accessor::Source;
use crate::gltf_read::primitive::{self, Geometry};
use crate::gltf_read::schema::{Mesh, Node};
use crate::gltf_read::{MOST_ELEMENTS, failed};
use crate::weld::Welder;

/// The mesh under construction.
struct Builder<'a> {
    source: &'a Source<'a>,
    welder: Welder,
    triangles: Vec<[u32; 3]>,
    uvs: Vec<[Vec2; 3]>,
    groups: BTreeMap<String, Vec<u32>>,
    budget: usize,
}

/// The meshes of the default scene, or of the first, or of the file if it has none.
pub(super) fn build(source: &Source) -> Result<TriMesh, ParseError> {
    let root = source.root;
    let mut builder = Builder {
        source,
        welder: Welder::default(),
        triangles: Vec::new(),
        uvs: Vec::new(),
        groups: BTreeMap::new(),
        budget: MOST_ELEMENTS,
    };
    match root.scenes.get(root.scene.unwrap_or(0)) {
        Some(scene) => builder.add_nodes(&scene.nodes)?,
        None if root.scene.is_some() => return failed("the default scene does not exist"),
        None if root.nodes.is_empty() => {
            for mesh in &root.meshes {
                builder.add_mesh(mesh, &Node::default(), DAffine3::IDENTITY)?;
            }
        }
        None => {
            let mut is_child = vec![false; root.nodes.len()];
            for &child in root.nodes.iter().flat_map(|node| &node.children) {
                is_child.get_mut(child).map(|flag| *flag = true).unwrap_or_default();
            }
            let tops: Vec<usize> = (0..root.nodes.len()).filter(|&node| !is_child[node]).collect();
            builder.add_nodes(&tops)?;
        }
    }
    builder.finish()
}

impl Builder<'_> {
    /// Adds nodes and all below them. Each may be reached once, which also rules out circles.
    fn add_nodes(&mut self, tops: &[usize]) -> Result<(), ParseError> {
        let root = self.source.root;
        let mut seen = vec![false; root.nodes.len()];
        let mut waiting: Vec<(usize, DAffine3)> =
            tops.iter().rev().map(|&node| (node, DAffine3::IDENTITY)).collect();
        while let Some((index, parent)) = waiting.pop() {
            let Some(node) = root.nodes.get(index) else {
                return failed(format!("there is no nodes[{index}]"));
            };
            if std::mem::replace(&mut seen[index], true) {
                return failed(format!("nodes[{index}] is reached twice: the nodes form no tree"));
            }
            let transform = parent * local_transform(node);
            if let Some(mesh) = node.mesh {
                let Some(mesh) = root.meshes.get(mesh) else {
                    return failed(format!("nodes[{index}] names meshes[{mesh}], which does not exist"));
                };
                let place = if node.skin.is_some() { DAffine3::IDENTITY } else { transform };
                self.add_mesh(mesh, node, place)?;
            }
            waiting.extend(node.children.iter().rev().map(|&child| (child, transform)));
        }
        Ok(())
    }

    /// Adds a mesh in the place of a node; its vertices are welded with each other only.
    fn add_mesh(&mut self, mesh: &Mesh, node: &Node, transform: DAffine3) -> Result<(), ParseError> {
        self.welder.separate();
        let first = self.welder.places.len() as u32;
        for primitive in &mesh.primitives {
            let skinned = node.skin.is_some();
            if let Some(geometry) = primitive::read(self.source, primitive, skinned, &mut self.budget)? {
                self.add_geometry(&geometry, node, transform)?;
            }
        }
        let members = first..self.welder.places.len() as u32;
        let node_name = node.name.as_ref().filter(|&name| Some(name) != mesh.name.as_ref());
        for name in node_name.into_iter().chain(&mesh.name).filter(|name| !name.is_empty()) {
            self.groups.entry(name.clone()).or_default().extend(members.clone());
        }
        Ok(())
    }

    fn add_geometry(
        &mut self,
        geometry: &Geometry,
        node: &Node,
        transform: DAffine3,
    ) -> Result<(), ParseError> {
        let mut vertices = Vec::with_capacity(geometry.positions.len());
        for position in &geometry.positions {
            let placed = transform.transform_point3(position.as_dvec3());
            let too_many = || ParseError::new(None, "more than 2^31 vertices");
            vertices.push(self.welder.vertex(placed).ok_or_else(too_many)?);
        }
        let mirrored = transform.matrix3.determinant() < 0.0;
        let has_all_uvs = self.uvs.len() == self.triangles.len();
        for &[a, b, c] in &geometry.triangles {
            let corners = if mirrored { [a, c, b] } else { [a, b, c] };
            self.triangles.push(corners.map(|v| vertices[v as usize]));
            if let Some(uvs) = geometry.uvs.as_ref().filter(|_| has_all_uvs) {
                self.uvs.push(corners.map(|v| uvs[v as usize]));
            }
        }
        if !geometry.pinned.is_empty() {
            let pinned = geometry.pinned.iter().map(|&v| vertices[v as usize]);
            self.groups.entry("pinned".to_owned()).or_default().extend(pinned);
        }
        let root = self.source.root;
        let joints = node.skin.and_then(|skin| root.skins.get(skin)).map_or(&[][..], |skin| &skin.joints);
        for &(vertex, joint) in &geometry.joints {
            let joint = joints.get(joint as usize).and_then(|&joint| root.nodes.get(joint));
            if let Some(name) = joint.and_then(|joint| joint.name.as_ref()) {
                if !self.groups.contains_key(name) {
                    self.groups.insert(name.clone(), Vec::new());
                }
                if let Some(members) = self.groups.get_mut(name) {
                    members.push(vertices[vertex as usize]);
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<TriMesh, ParseError> {
        if self.triangles.is_empty() {
            return failed("there are no triangles in this file");
        }
        for members in self.groups.values_mut() {
            members.sort_unstable();
            members.dedup();
        }
        let uvs = (self.uvs.len() == self.triangles.len()).then_some(self.uvs);
        Ok(TriMesh { uvs, groups: self.groups, ..TriMesh::at_places(&self.welder.places, self.triangles) })
    }
}

/// The transform of a node relative to its parent.
fn local_transform(node: &Node) -> DAffine3 {
    if let Some(matrix) = &node.matrix {
        return DAffine3::from_mat4(DMat4::from_cols_array(matrix));
    }
    let rotation = node.rotation.map_or(DQuat::IDENTITY, DQuat::from_array);
    // A rotation of length zero or NaN would spread NaN over the whole mesh.
    let length_sq = rotation.length_squared();
    let rotation =
        if length_sq > 0.0 && length_sq.is_finite() { rotation.normalize() } else { DQuat::IDENTITY };
    DAffine3::from_scale_rotation_translation(
        node.scale.map_or(DVec3::ONE, DVec3::from),
        rotation,
        node.translation.map_or(DVec3::ZERO, DVec3::from),
    )
}
