// For kernels that work on one level.

@group(0) @binding(0) var<uniform> level: Level;
