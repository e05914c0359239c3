// One pass over a level of the hierarchy. Points of all levels stand in one array, the finest first;
// w is the mobility: the inverse mass, relative to the level's mean, times the number of edges
// (0: fixed). A pass reads `front` and writes `back`.

struct Level {
    first: u32,          // the level's first vertex
    count: u32,          // how many it has
    only_stretched: u32, // 1: compressed regions are left alone
    padding: u32,
    alpha: f32,          // stiffness of triangles
    beta: f32,           // stiffness of edges
    coarse_in_back: u32, // 1: the next coarser level's points are in `back`
    tethers: u32,        // how many a particle may have
}

@group(0) @binding(0) var<uniform> level: Level;

const NONE = 0xffffffffu;
